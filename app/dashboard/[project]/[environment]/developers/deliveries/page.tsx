import type { Metadata } from "next";
import { type ScopeParams, scopeFrom } from "#web/client/scope.ts";
import { Prefetch } from "#web/client/server.tsx";
import { DeliveriesScreen } from "#web/developers/deliveries/deliveries-screen.tsx";
import { deliveriesInput, deliveryFilterFrom, openedFrom } from "#web/developers/deliveries/delivery-filter.ts";

export const metadata: Metadata = { title: "Deliveries · Developers" };

interface Props {
  params: Promise<ScopeParams>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function DeliveriesPage({ params, searchParams }: Props) {
  const parameters = await searchParams;
  const filter = deliveryFilterFrom(parameters);
  const scope = await scopeFrom(params);
  return (
    <Prefetch
      find={(orpc) => [
        orpc.webhooks.list.queryOptions({ input: scope }),
        // An old URL may name a deleted endpoint; the screen says so.
        ...(filter.endpoint === null ? [orpc.webhooks.deliveries.queryOptions({ input: deliveriesInput(scope, filter, null) })] : []),
      ]}
    >
      <DeliveriesScreen initialFilter={filter} initiallyOpened={openedFrom(parameters)} />
    </Prefetch>
  );
}
