"use client";

import { RotateCw, Send } from "lucide-react";
import { ExportMenu } from "../../client/export-menu.tsx";
import { orpc, useRead, useWhere } from "../../client/service.tsx";
import { useAddress } from "../../client/use-address.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Filters } from "../../components/filters.tsx";
import { ListCard, useListed } from "../../components/list-card.tsx";
import { dialogOnceOpen, useAsked } from "../../components/overlay.tsx";
import { DevelopersPage } from "../developers-page.tsx";
import { COLUMNS } from "./delivery-columns.tsx";
import { DELIVERIES, deliveriesInput, DELIVERY_STATUSES } from "./delivery-filter.ts";
import { DeliverySheet } from "./delivery-sheet.tsx";

const ResendFailed = dialogOnceOpen(() => import("./resend-failed.tsx").then((loaded) => loaded.ResendFailed));

/** An environment's deliveries, filtered by status, event, endpoint, player and time. */
export function DeliveriesScreen() {
  const { scope, can, href } = useWhere();
  const [filter, show] = useAddress(DELIVERIES);
  const { data: known } = useRead(orpc.webhooks.list);
  const list = useListed((cursor) => orpc.webhooks.deliveries.queryOptions({ input: deliveriesInput(scope, filter, cursor) }), 5_000);
  const { asked, opening, ask, opened } = useAsked<true>();
  const isFiltered = DELIVERIES.isFiltered(filter);
  const hasEndpoints = known === undefined || known.endpoints.length > 0;
  return (
    <DevelopersPage
      actions={
        can("Support") &&
        hasEndpoints && (
          <>
            <ExportMenu lists={[{ list: "deliveries", label: "All deliveries" }]} />
            <Button icon={<RotateCw />} opens={ResendFailed} onClick={() => ask(true)}>
              Resend failed
            </Button>
          </>
        )
      }
    >
      <ListCard
        label="Deliveries"
        filters={
          <Filters
            address={DELIVERIES}
            filter={filter}
            onFilterChange={(change) => show({ ...change, delivery: null })}
            fields={{
              status: { label: "Status", all: "All", options: DELIVERY_STATUSES.map((value) => ({ value, label: value })) },
              event: {
                label: "Event",
                all: "All events",
                options: (known?.events ?? []).map(({ event }) => ({ value: event, label: event })),
              },
              endpoint: {
                label: "Endpoint",
                all: "All endpoints",
                options: (known?.endpoints ?? []).map(({ id, url }) => ({ value: id, label: url })),
              },
              player: { label: "Player", search: "Player ID" },
            }}
            className="2xl:grid-cols-[9rem_1fr_1fr_1fr_13.5rem_13.5rem]"
          />
        }
        columns={COLUMNS}
        list={list}
        rows={list.data?.deliveries}
        rowKey={({ id }) => id}
        onOpen={({ id, endpointId }) => show({ delivery: `${endpointId}.${id}` })}
        empty={
          isFiltered
            ? {
                title: "No matching deliveries",
                words: filter.player === null ? "Choose another status or time." : "Player IDs are case-sensitive.",
                action: <Button onClick={() => show(DELIVERIES.none)}>Clear filters</Button>,
              }
            : {
                icon: <Send />,
                title: "No deliveries yet",
                words: hasEndpoints
                  ? "A delivery is listed here as soon as a mission is completed or an item has to be handed out."
                  : "Add a webhook endpoint first. Nothing that happens before then is sent.",
                action: !hasEndpoints && <LinkButton href={href("/developers/webhooks")}>Go to webhooks</LinkButton>,
              }
        }
      />
      {asked && <ResendFailed key={opening} {...opened} endpoints={known?.endpoints ?? []} initialEndpoint={filter.endpoint} />}
      <DeliverySheet opened={filter.delivery} onClose={() => show({ delivery: null })} />
    </DevelopersPage>
  );
}
