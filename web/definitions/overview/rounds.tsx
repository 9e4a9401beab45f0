"use client";

import { longDate } from "#server/model/kernel/dates.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { type AnalyticsReports, orpc, useRead, useWhere } from "../../client/service.tsx";
import { formatted } from "#server/model/kernel/thousands.ts";
import { MoreLink } from "../../components/button.tsx";
import { Pager, usePages } from "../../components/list-card.tsx";
import { ReadFailed } from "../../components/problems.tsx";
import { Badge, Card, Skeleton } from "../../components/surface.tsx";
import { type Column, column, DataTable, numericColumn } from "../../components/table.tsx";
import { PURCHASES } from "../../purchases/purchase-filter.ts";

type Round = AnalyticsReports["rounds"]["rounds"][number];

/** Units sold and remaining per period, and the points spent. */
export function StockPeriods({ listingKey }: { listingKey: string }) {
  const { href } = useWhere();
  const pages = usePages();
  const { data, error, isPlaceholderData, refetch } = useRead(
    orpc.analytics.rounds,
    { key: listingKey, cursor: pages.cursor },
    { placeholderData: keepPreviousData },
  );
  const isRepeated = data?.rounds.some(({ start }) => start !== null) ?? false;
  const isCounting = data !== undefined && data.progress.done < data.progress.total;
  return (
    <Card
      title={isRepeated ? "Stock by period" : "Stock"}
      description={isCounting ? "Earlier sales are still being counted: revenue is not complete yet." : undefined}
      padded={false}
      actions={<MoreLink href={href(`/purchases${PURCHASES.queryOf({ listing: listingKey })}`)}>Purchases</MoreLink>}
    >
      <ReadFailed title="The stock could not be loaded" error={error} onRetry={refetch} />
      {data === undefined && !error && <Skeleton className="m-4 h-16" />}
      {data && (
        <DataTable
          label={isRepeated ? "Stock by period" : "Stock"}
          columns={isRepeated ? [ROUND, ...FIGURES] : FIGURES}
          rows={data.rounds}
          rowKey={({ start }) => start ?? "all"}
          isStale={isPlaceholderData}
        />
      )}
      <Pager pages={pages} next={data?.next} />
    </Card>
  );
}

const ROUND: Column<Round> = column("Period", ({ start, end, isCurrent }) => (
  <span className="flex flex-wrap items-center gap-x-2">
    {start !== null && longDate(start)}
    {start !== null && end !== null && end !== start && ` – ${longDate(end)}`}
    {isCurrent && <Badge tone="info">Current</Badge>}
  </span>
));

const FIGURES: Column<Round>[] = [
  numericColumn("Sold", ({ sold }) => formatted(sold)),
  numericColumn("Left", ({ sold, stock }) =>
    stock === null ? <span className="text-quiet">No limit</span> : `${formatted(Math.max(stock - sold, 0))} of ${formatted(stock)}`,
  ),
  numericColumn("Points spent", ({ revenue }) => formatted(revenue)),
  numericColumn("Reversed", ({ reversedUnits }) => formatted(reversedUnits), "max-sm:hidden"),
];
