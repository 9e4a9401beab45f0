"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { LinkButton } from "../../components/button.tsx";
import { Segmented } from "../../components/choice.tsx";
import { Card, EmptyState } from "../../components/surface.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { TableToolbar } from "../../components/table-toolbar.tsx";
import { DeliveriesTable } from "./deliveries-table.tsx";
import { deliveriesInput, deliveryQueryOf, EVERYTHING, type Status, STATUSES } from "./delivery-filter.ts";
import { DeliverySheet } from "./delivery-sheet.tsx";

const OPTIONS = [{ value: "all", label: "All" } as const, ...STATUSES.map((status) => ({ value: status, label: status }))];

/** An endpoint's deliveries, newest first; refetched every few seconds. */
export function Deliveries({ id }: { id: string }) {
  const { scope, href } = useWhere();
  const [status, setStatus] = useState<Status | "all">("all");
  const pages = usePages();
  const [opened, setOpened] = useState<string | null>(null);
  const filter = { ...EVERYTHING, endpoint: id, status: status === "all" ? null : status };
  const { data, isPlaceholderData } = useQuery({
    ...orpc.webhooks.deliveries.queryOptions({ input: deliveriesInput(scope, filter, pages.cursor) }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
  return (
    <Card
      title="Deliveries"
      padded={false}
      actions={
        <LinkButton size="sm" href={href(`/developers/deliveries${deliveryQueryOf({ endpoint: id })}`)}>
          Search deliveries
        </LinkButton>
      }
    >
      <TableToolbar>
        <Segmented
          label="Status"
          value={status}
          onValueChange={(next) => {
            setStatus(next);
            pages.toFirst();
          }}
          options={OPTIONS}
        />
      </TableToolbar>
      <DeliveriesTable
        deliveries={data?.deliveries ?? []}
        isStale={isPlaceholderData}
        onOpen={(delivery) => setOpened(delivery.id)}
        empty={
          <EmptyState icon={<Send aria-hidden />} title={status === "all" ? "No deliveries yet" : "No matching deliveries"}>
            {status === "all" ? "Deliveries to this endpoint are listed here with every attempt." : "Choose another status above."}
          </EmptyState>
        }
      />
      <Pager pages={pages} next={data?.next} />
      <DeliverySheet opened={opened === null ? null : { endpointId: id, deliveryId: opened }} onClose={() => setOpened(null)} />
    </Card>
  );
}
