"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useEffect, useState } from "react";
import { ExportMenu } from "../../client/export-menu.tsx";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Card, EmptyState, Skeleton } from "../../components/surface.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { ReadFailed } from "../../components/problems.tsx";
import { DeliveriesTable } from "./deliveries-table.tsx";
import {
  deliveriesInput,
  type DeliveryFilter,
  deliveryQueryOf,
  EVERYTHING,
  isDeliveryFilter,
  type OpenedDelivery,
} from "./delivery-filter.ts";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliverySheet } from "./delivery-sheet.tsx";
import { DevelopersPage } from "../developers-page.tsx";
import { ResendFailed } from "./resend-failed.tsx";

/** An environment's deliveries, filtered by status, event, endpoint, player and time. */
export function DeliveriesScreen({
  initialFilter,
  initiallyOpened,
}: {
  initialFilter: DeliveryFilter;
  initiallyOpened: OpenedDelivery | null;
}) {
  const { scope, can, href } = useWhere();
  const [filter, setFilter] = useState(initialFilter);
  const [opened, setOpened] = useState<OpenedDelivery | null>(null);
  // Overlays need the browser: they are rendered after hydration.
  useEffect(() => setOpened(initiallyOpened), [initiallyOpened]);
  const pages = usePages();
  const { data: known } = useQuery(orpc.webhooks.list.queryOptions({ input: scope }));
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...orpc.webhooks.deliveries.queryOptions({ input: deliveriesInput(scope, filter, pages.cursor) }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
  const show = (next: DeliveryFilter, open: OpenedDelivery | null) => {
    const query = deliveryQueryOf(next);
    const named = open === null ? "" : `${query === "" ? "?" : "&"}delivery=${open.endpointId}.${open.deliveryId}`;
    history.replaceState(null, "", `${location.pathname}${query}${named}`);
    setFilter(next);
    setOpened(open);
  };
  const change = (next: DeliveryFilter) => {
    pages.toFirst();
    show(next, null);
  };
  const isFiltered = isDeliveryFilter(filter);
  const hasEndpoints = known === undefined || known.endpoints.length > 0;
  return (
    <DevelopersPage
      actions={
        can("Support") &&
        hasEndpoints && (
          <>
            <ExportMenu lists={[{ list: "deliveries" }]} />
            <ResendFailed endpoints={known?.endpoints ?? []} initialEndpoint={filter.endpoint} />
          </>
        )
      }
    >
      <ReadFailed title="Deliveries could not be loaded" error={error} onRetry={refetch} />
      <Card padded={false}>
        {hasEndpoints && (
          <DeliveryFilters filter={filter} onFilterChange={change} endpoints={known?.endpoints ?? []} events={known?.events ?? []} />
        )}
        {data === undefined && !error && <Skeleton className="m-4 h-40" />}
        {data && (
          <DeliveriesTable
            deliveries={data.deliveries}
            isStale={isPlaceholderData}
            hasEndpoints
            onOpen={({ id, endpointId }) => show(filter, { endpointId, deliveryId: id })}
            empty={
              isFiltered ? (
                <EmptyState title="No matching deliveries" action={<Button onClick={() => change(EVERYTHING)}>Clear filters</Button>}>
                  {filter.player === null ? "Choose another status or time." : "Player IDs are case-sensitive."}
                </EmptyState>
              ) : (
                <EmptyState
                  icon={<Send aria-hidden />}
                  title="No deliveries yet"
                  action={!hasEndpoints && <LinkButton href={href("/developers/webhooks")}>Go to webhooks</LinkButton>}
                >
                  {hasEndpoints
                    ? "A delivery is listed here as soon as a mission is completed or an item has to be handed out."
                    : "Add a webhook endpoint first. What happens before that is not sent."}
                </EmptyState>
              )
            }
          />
        )}
        <Pager pages={pages} next={data?.next} />
      </Card>
      <DeliverySheet opened={opened} onClose={() => show(filter, null)} />
    </DevelopersPage>
  );
}
