import { StatusPage } from "#web/settings/status/status-page.tsx";

export const metadata = { title: "Status" };

/** Read in the browser: without permission the page shows the reason in its frame. */
export default function Status() {
  return <StatusPage />;
}
