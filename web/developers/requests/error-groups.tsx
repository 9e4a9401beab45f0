"use client";

import type { DashboardClient } from "#server/api/dashboard.ts";
import { withThousands } from "#server/model/kernel/thousands.ts";
import { useWhere } from "../../client/where.tsx";
import { LinkButton } from "../../components/button.tsx";
import { Card } from "../../components/surface.tsx";
import { instantColumn } from "../../components/instant-column.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { eventQuery, requestQuery } from "../events/filters.ts";
import { ErrorCode } from "../events/problems.tsx";

type ErrorGroup = Awaited<ReturnType<DashboardClient["requestLog"]["overview"]>>["errors"][number];

/** Refusals of the last 24 hours, by code. */
export function ErrorGroups({ errors }: { errors: ErrorGroup[] }) {
  const { href } = useWhere();
  const columns: Column<ErrorGroup>[] = [
    {
      id: "code",
      header: "Error",
      cell: ({ code, title }) => (
        <span className="block py-1">
          <span className="block font-medium">{title}</span>
          <ErrorCode code={code} />
        </span>
      ),
    },
    {
      id: "meaning",
      header: "What it means",
      className: "max-lg:hidden",
      cell: ({ meaning }) => <span className="line-clamp-2 text-[0.8125rem] text-quiet">{meaning}</span>,
    },
    {
      id: "count",
      header: "Count",
      isNumeric: true,
      cell: ({ count, isOfItems }) => (
        <span className="whitespace-nowrap">
          {withThousands(String(count))} {isOfItems ? (count === 1 ? "event" : "events") : count === 1 ? "request" : "requests"}
        </span>
      ),
    },
    instantColumn("Last seen", ({ lastAt }) => lastAt, { className: "max-md:hidden" }),
    {
      id: "example",
      header: <span className="sr-only">Example</span>,
      className: "w-px whitespace-nowrap",
      cell: ({ code, isOfItems, requestId }) => (
        <LinkButton
          size="sm"
          href={
            isOfItems
              ? href(`/developers/events${eventQuery({ code, outcome: "Refused" })}`)
              : href(`/developers/requests${requestQuery({ code, request: requestId })}`)
          }
        >
          Show
        </LinkButton>
      ),
    },
  ];
  return (
    <Card title="Errors in the last 24 hours" padded={false}>
      <DataTable label="Errors by code" columns={columns} rows={errors} rowKey={({ code, isOfItems }) => `${code} ${isOfItems}`} />
    </Card>
  );
}
