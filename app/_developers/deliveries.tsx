"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { Segmented } from "../_components/choice.tsx";
import { Card, EmptyState } from "../_components/surface.tsx";
import { Pager, usePages } from "../_components/pager.tsx";
import { type Column, DataTable } from "../_components/table.tsx";
import { TableToolbar } from "../_components/table-toolbar.tsx";
import { Instant } from "../_components/time.tsx";
import { deliveriesInput, type StatusFilter } from "./deliveries-input.ts";
import { type Delivery, DeliveryState } from "./delivery-state.tsx";
import { DeliverySheet } from "./delivery-sheet.tsx";

const STATUSES: { value: StatusFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "Pending", label: "Pending" },
  { value: "Held", label: "Held" },
  { value: "Delivered", label: "Delivered" },
  { value: "Failed", label: "Failed" },
];

/** What was and is to be sent to an endpoint, the newest first; looked at again every few seconds. */
export function Deliveries({ id, isOn }: { id: string; isOn: boolean }) {
  const { scope, timeZone } = useWhere();
  const [status, setStatus] = useState<StatusFilter>("all");
  const pages = usePages();
  const [opened, setOpened] = useState<string | null>(null);
  const { data, isPlaceholderData } = useQuery({
    ...orpc.webhooks.deliveries.queryOptions({ input: deliveriesInput(scope, id, status, pages.cursor) }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
  const columns: Column<Delivery>[] = [
    {
      id: "event",
      header: "Event",
      cell: ({ id: deliveryId, event }) => (
        <button
          type="button"
          onClick={() => setOpened(deliveryId)}
          className="block rounded text-left font-mono text-xs wrap-anywhere after:absolute after:inset-0"
        >
          {event}
        </button>
      ),
    },
    { id: "status", header: "Status", cell: (delivery) => <DeliveryState delivery={delivery} /> },
    {
      id: "answer",
      header: "Last response",
      className: "max-md:hidden",
      cell: ({ lastStatus, lastError }) => <span className="block truncate">{lastStatus ?? lastError ?? "–"}</span>,
    },
    { id: "attempts", header: "Attempts", isNumeric: true, className: "max-md:hidden", cell: ({ attempts }) => attempts },
    { id: "created", header: "Created", cell: ({ createdAt }) => <Instant value={createdAt} timeZone={timeZone} /> },
    {
      id: "next",
      header: "Next attempt",
      className: "max-lg:hidden",
      cell: ({ status: fares, nextAttemptAt, isUnderWay }) => {
        if (isUnderWay) return "Now";
        if (fares === "Held") return "When switched on";
        return nextAttemptAt === null ? "–" : <Instant value={nextAttemptAt} timeZone={timeZone} isDue />;
      },
    },
  ];
  return (
    <Card title="Deliveries" padded={false}>
      <TableToolbar>
        <Segmented
          label="Status"
          value={status}
          onValueChange={(next) => {
            setStatus(next);
            pages.toFirst();
          }}
          options={STATUSES}
        />
      </TableToolbar>
      <DataTable
        label="Deliveries"
        columns={columns}
        rows={data?.deliveries ?? []}
        rowKey={(delivery) => delivery.id}
        isStale={isPlaceholderData}
        empty={
          <EmptyState icon={<Send aria-hidden />} title={status === "all" ? "No deliveries yet" : "No matching deliveries"}>
            {status === "all" ? "Deliveries to this endpoint are listed here with every attempt." : "Choose another status above."}
          </EmptyState>
        }
      />
      <Pager pages={pages} next={data?.next} />
      <DeliverySheet endpointId={id} isOn={isOn} deliveryId={opened} onClose={() => setOpened(null)} />
    </Card>
  );
}
