import { StatusPage } from "#web/settings/status/status-page.tsx";

export const metadata = { title: "Status" };

/** The data is loaded in the browser, so that a user without permission sees the reason within the page's frame. */
export default function Status() {
  return <StatusPage />;
}
