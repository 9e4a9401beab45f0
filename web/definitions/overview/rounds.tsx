"use client";

import { dateRange } from "#server/model/kernel/dates.ts";
import { type AnalyticsReports, orpc, useWhere } from "../../client/service.tsx";
import { formatted } from "#server/model/kernel/thousands.ts";
import { MoreLink } from "../../components/button.tsx";
import { ListCard, useListed } from "../../components/list-card.tsx";
import { Badge } from "../../components/surface.tsx";
import { type Column, column, numericColumn } from "../../components/table.tsx";
import { PURCHASES } from "../../purchases/purchase-filter.ts";

type Round = AnalyticsReports["rounds"]["rounds"][number];

/** Units sold and remaining per period, and the points spent. */
export function StockPeriods({ listingKey }: { listingKey: string }) {
  const { scope, href } = useWhere();
  const list = useListed((cursor) => orpc.analytics.rounds.queryOptions({ input: { ...scope, key: listingKey, cursor } }));
  const { data } = list;
  const isRepeated = data?.rounds.some(({ start }) => start !== null) ?? false;
  const isCounting = data !== undefined && data.progress.done < data.progress.total;
  return (
    <ListCard
      isTitled
      label={isRepeated ? "Stock by period" : "Stock"}
      description={isCounting ? "Earlier sales are still being counted: revenue is not complete yet." : undefined}
      actions={<MoreLink href={href(`/purchases${PURCHASES.queryOf({ listing: listingKey })}`)}>Purchases</MoreLink>}
      columns={isRepeated ? [ROUND, ...FIGURES] : FIGURES}
      list={list}
      rows={data?.rounds}
      rowKey={({ start }) => start ?? "all"}
      empty={{ title: "No sales yet" }}
    />
  );
}

const ROUND: Column<Round> = column("Period", ({ start, end, isCurrent }) => (
  <span className="flex flex-wrap items-center gap-x-2">
    {start !== null && dateRange(start, end ?? start)}
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
