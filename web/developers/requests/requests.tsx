"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Waypoints } from "lucide-react";
import { useState } from "react";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Card, EmptyState } from "../../components/surface.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { instantColumn } from "../../components/instant-column.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { DevelopersPage } from "../developers-page.tsx";
import { StatusBadge } from "../events/badges.tsx";
import { ErrorGroups } from "./error-groups.tsx";
import { isFiltered, type Request, type RequestFilter, requestQuery, requestsInput } from "../events/filters.ts";
import { everyMs, LiveButton } from "../events/live.tsx";
import { Omitted } from "../events/omitted.tsx";
import { RequestFilters } from "../events/lazy-filters.tsx";
import { RequestSheet } from "./request-sheet.tsx";
import { WhatIsKept } from "../events/what-is-kept.tsx";

/** Live log of API requests. */
export function Requests({ initialFilter }: { initialFilter: RequestFilter }) {
  const { scope } = useWhere();
  const [filter, setFilter] = useState(initialFilter);
  const [isLive, setLive] = useState(true);
  const pages = usePages();
  const refetchInterval = everyMs(isLive, pages.number);
  const { data, isPlaceholderData } = useQuery({
    ...orpc.requestLog.list.queryOptions({ input: requestsInput(scope, filter, pages.cursor) }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  const { data: overview } = useQuery({
    ...orpc.requestLog.overview.queryOptions({ input: scope }),
    refetchInterval: isLive && 10_000,
  });
  const change = (next: RequestFilter) => {
    setFilter(next);
    if (next.request === filter.request) pages.toFirst();
    history.replaceState(null, "", `${location.pathname}${requestQuery(next)}`);
  };
  const columns: Column<Request>[] = [
    {
      id: "request",
      header: "Request",
      cell: ({ id, method, route, path }) => (
        <button
          type="button"
          onClick={() => change({ ...filter, request: id })}
          className="block rounded text-left font-mono text-xs wrap-anywhere after:absolute after:inset-0"
        >
          {method} {route ?? path ?? "unknown path"}
        </button>
      ),
    },
    { id: "status", header: "Status", cell: ({ status, refused }) => <StatusBadge status={status} refused={refused} /> },
    {
      id: "outcome",
      header: "Result",
      className: "max-sm:hidden",
      cell: (request) => <span className="font-mono text-xs wrap-anywhere text-quiet">{request.code ?? itemsInWords(request)}</span>,
    },
    { id: "key", header: "API key", className: "max-lg:hidden", cell: ({ key }) => <span className="block truncate">{key.name}</span> },
    {
      id: "duration",
      header: "Duration",
      isNumeric: true,
      className: "whitespace-nowrap max-md:hidden",
      cell: ({ durationMs }) => `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`,
    },
    instantColumn("Time", ({ at }) => at),
  ];
  const errors = overview?.errors ?? [];
  return (
    <DevelopersPage actions={<LiveButton isLive={isLive} onLiveChange={setLive} />}>
      <div className="flex flex-col gap-4">
        {errors.length > 0 && <ErrorGroups errors={errors} />}
        <Card title="Requests" description="Everything sent to the API with this environment's keys." padded={false}>
          <RequestFilters
            filter={filter}
            onFilterChange={change}
            keys={overview?.keys ?? []}
            routes={overview?.routes ?? []}
            codes={[...new Set(errors.filter(({ isOfItems }) => !isOfItems).map(({ code }) => code))]}
          />
          {overview !== undefined && <Omitted of={overview.omitted} what="requests" />}
          <DataTable
            label="Requests"
            columns={columns}
            rows={data?.requests ?? []}
            rowKey={({ id }) => id}
            isStale={isPlaceholderData}
            empty={
              <EmptyState icon={<Waypoints aria-hidden />} title={isFiltered(filter) ? "No matching requests" : "No requests yet"}>
                {isFiltered(filter) ? "Clear the filters, or choose another time." : "Requests of your backend appear here automatically."}
              </EmptyState>
            }
          />
          <Pager pages={pages} next={data?.next} />
        </Card>
        {overview !== undefined && <WhatIsKept keepsBodies={overview.keepsBodies} />}
      </div>
      <RequestSheet id={filter.request} onClose={() => change({ ...filter, request: null })} />
    </DevelopersPage>
  );
}

/** "12 accepted, 3 refused". */
function itemsInWords({ accepted, refused }: Request): string {
  if (accepted === null || refused === null) return "–";
  return refused === 0 ? `${accepted} accepted` : `${accepted} accepted, ${refused} refused`;
}
