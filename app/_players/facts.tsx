"use client";

import { Activity } from "lucide-react";
import type { PlayerSeen } from "../../server/players/contract.dashboard.ts";
import { useWhere } from "../_client/where.tsx";
import { Badge, Card, EmptyState } from "../_components/surface.tsx";
import { type Column, DataTable } from "../_components/table.tsx";
import { Instant } from "../_components/time.tsx";
import { Named } from "./named.tsx";
import { membersInWords, valueInWords } from "./values.ts";

type Fact = PlayerSeen["facts"][number];

/** The last events and metric events of a player, as they were sent. */
export function Facts({ facts }: { facts: Fact[] }) {
  const { timeZone, now } = useWhere();
  const columns: Column<Fact>[] = [
    {
      id: "event",
      header: "Event",
      cell: ({ kind, key, value }) => (
        <span className="flex flex-wrap items-center gap-x-2">
          <Named kind={kind === "Event" ? "events" : "metrics"} of={key} />
          {value !== null && <Badge>+{valueInWords(value, timeZone)}</Badge>}
        </span>
      ),
    },
    {
      id: "properties",
      header: "Properties",
      className: "max-md:hidden",
      cell: ({ properties }) => <Properties properties={properties} />,
    },
    {
      id: "occurred",
      header: "Happened",
      className: "sm:w-40",
      cell: ({ occurredAt }) => <Instant value={occurredAt} timeZone={timeZone} now={now} />,
    },
    {
      id: "received",
      header: "Received",
      className: "w-40 max-sm:hidden",
      cell: ({ receivedAt }) => (
        <span className="text-quiet">
          <Instant value={receivedAt} timeZone={timeZone} now={now} />
        </span>
      ),
    },
  ];
  return (
    <Card title="Recent events" padded={false}>
      <DataTable
        label="Recent events"
        columns={columns}
        rows={facts}
        rowKey={({ kind, id }) => `${kind} ${id}`}
        empty={
          <EmptyState icon={<Activity aria-hidden />} title="No events yet">
            Events that your backend sends for this player are listed here.
          </EmptyState>
        }
      />
    </Card>
  );
}

function Properties({ properties }: { properties: string }) {
  const { timeZone } = useWhere();
  const members = membersInWords(properties, timeZone);
  if (members.length === 0) return <span className="text-faint">None</span>;
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-0.5">
      {members.map(([name, value]) => (
        <span key={name} className="max-w-full truncate text-[0.8125rem]" title={`${name}: ${value}`}>
          <span className="text-quiet">{name}</span> {value}
        </span>
      ))}
    </span>
  );
}
