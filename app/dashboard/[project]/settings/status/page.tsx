import type { Metadata } from "next";
import { StatusPage } from "#web/settings/status/status-page.tsx";

export const metadata: Metadata = { title: "Status" };

/** Read by the browser: whoever may not see it reads why, in the frame of the page. */
export default function Page() {
  return <StatusPage />;
}
