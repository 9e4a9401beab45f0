import { ChannelsPage } from "#web/settings/channels/channels.tsx";

export const metadata = { title: "Channels" };

/** The data is loaded in the browser, so that a user without permission sees the reason within the page's frame. */
export default function Channels() {
  return <ChannelsPage />;
}
