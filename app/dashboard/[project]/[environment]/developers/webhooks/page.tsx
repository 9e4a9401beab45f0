import { environmentPage } from "#web/client/server.tsx";
import { Endpoints } from "#web/developers/webhooks/endpoints.tsx";

export const metadata = { title: "Webhooks · Developers" };

export default environmentPage(
  (orpc, input) => [orpc.webhooks.list.queryOptions({ input }), orpc.webhooks.health.queryOptions({ input })],
  Endpoints,
);
