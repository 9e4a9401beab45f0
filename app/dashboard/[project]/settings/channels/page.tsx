import { ChannelsPage } from "#web/settings/channels/channels.tsx";

export const metadata = { title: "Channels" };

/** Read in the browser: without permission the page shows the reason in its frame. */
export default function Channels() {
  return <ChannelsPage />;
}
