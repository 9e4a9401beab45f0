import { environmentPage } from "#web/client/server.tsx";
import { DeliveriesScreen } from "#web/developers/deliveries/deliveries-screen.tsx";
import { DELIVERIES, deliveriesInput } from "#web/developers/deliveries/delivery-filter.ts";

export const metadata = { title: "Deliveries · Developers" };

export default environmentPage(
  (orpc, scope, filter) => [
    orpc.webhooks.list.queryOptions({ input: scope }),
    // An old URL may name a deleted endpoint; the screen says so.
    ...(filter.endpoint === null ? [orpc.webhooks.deliveries.queryOptions({ input: deliveriesInput(scope, filter, null) })] : []),
  ],
  DeliveriesScreen,
  DELIVERIES,
);
