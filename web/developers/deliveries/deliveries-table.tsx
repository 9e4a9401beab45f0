"use client";

import type { ReactNode } from "react";
import { instantColumn } from "../../components/instant-column.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { type Delivery, DeliveryState } from "./delivery-state.tsx";

interface DeliveriesTableProps {
  deliveries: Delivery[];
  isStale: boolean;
  /** Whether rows name their endpoint. */
  hasEndpoints?: boolean;
  onOpen(delivery: Delivery): void;
  empty: ReactNode;
}

/** Deliveries, newest first; each opens its details. */
export function DeliveriesTable({ deliveries, isStale, hasEndpoints = false, onOpen, empty }: DeliveriesTableProps) {
  const endpoint: Column<Delivery> = {
    id: "endpoint",
    header: "Endpoint",
    className: "max-lg:hidden",
    cell: ({ url }) => <span className="block max-w-72 truncate text-quiet">{url}</span>,
  };
  const columns: Column<Delivery>[] = [
    {
      id: "event",
      header: "Event",
      cell: (delivery) => (
        <button
          type="button"
          onClick={() => onOpen(delivery)}
          className="block rounded text-left font-mono text-xs wrap-anywhere after:absolute after:inset-0"
        >
          {delivery.event}
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
    {
      id: "player",
      header: "Player",
      className: "max-sm:hidden",
      cell: ({ player }) => <span className="block max-w-48 truncate">{player ?? "–"}</span>,
    },
    ...(hasEndpoints ? [endpoint] : []),
    { id: "attempts", header: "Attempts", isNumeric: true, className: "max-xl:hidden", cell: ({ attempts }) => attempts },
    instantColumn("Created", ({ createdAt }) => createdAt),
    {
      id: "next",
      header: "Next attempt",
      className: "max-lg:hidden",
      cell: ({ status, nextAttemptAt, isUnderWay }) => {
        if (isUnderWay) return "Now";
        if (status === "Held") return "When switched on";
        return nextAttemptAt === null ? "–" : <Instant value={nextAttemptAt} />;
      },
    },
  ];
  return <DataTable label="Deliveries" columns={columns} rows={deliveries} rowKey={({ id }) => id} isStale={isStale} empty={empty} />;
}
