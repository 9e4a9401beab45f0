"use client";

import Link from "next/link";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import type { AnalyticsReports } from "#server/insight/analytics/contract.dashboard.ts";
import { ERRORS } from "#server/model/kernel/errors.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { Card } from "../../components/surface.tsx";
import { Bars } from "../bars.tsx";
import { ChartCard } from "../charts/chart-card.tsx";
import { compared } from "../charts/data.ts";
import { shortDate } from "../dates.ts";
import { RowChange, Figures } from "../figures.tsx";
import { Loaded } from "../loaded.tsx";
import { nameOf } from "../names.tsx";
import { NoData } from "../no-data.tsx";
import { type ReportColumn, ReportTable } from "../report-table.tsx";
import { useReportView } from "../report-view.tsx";
import { useReport } from "../use-report.ts";
import { lessWords, share } from "../words.ts";
import { sinceWords } from "../since.ts";
import { definitionPath } from "../../definitions/kinds/index.ts";

type Shop = AnalyticsReports["shop"];
type Listing = Shop["listings"][number];

/** Sales and points spent, refunds and refusals. */
export function ShopReport() {
  const { scope, href } = useWhere();
  const { view, range } = useReportView();
  const query = useReport(orpc.analytics.shop.queryOptions({ input: { ...scope, ...range, segment: view.segment } }));
  return (
    <Loaded query={query}>
      {(shop) => {
        const { frame, units, revenue, totals, listings } = shop;
        if (listings.length === 0)
          return (
            <NoData title="No listings yet" action={{ label: "Listings", path: "/listings" }}>
              Sales appear here when players buy listings with their points.
            </NoData>
          );
        return (
          <>
            <Figures
              before="before"
              items={[
                {
                  label: "Points spent",
                  figure: totals.revenue,
                  good: "up",
                  note: lessWords(totals.grossRevenue, totals.reversedPoints, "refunded"),
                },
                {
                  label: "Units sold",
                  figure: totals.units,
                  good: "up",
                  note: lessWords(totals.grossUnits, totals.reversedUnits, "reversed"),
                },
                ...(totals.refused === null ? [] : [{ label: "Refused purchases", figure: totals.refused, good: "down" as const }]),
              ]}
            />
            <div className="grid gap-4 xl:grid-cols-2">
              <ChartCard title="Points spent" data={compared(frame, "Points", revenue)} empty="No points were spent in this range." />
              <ChartCard title="Units sold" data={compared(frame, "Units", units)} empty="Nothing was sold in this range." />
            </div>
            <ReportTable
              title="Listings"
              description={`Units and points spent are less what was reversed in this range.${frame.segment === null ? "" : " Refusals and stock aren't tracked per player."}`}
              columns={frame.segment === null ? COLUMNS : SEGMENT_COLUMNS}
              rows={listings}
              rowKey={({ subject }) => String(subject.id)}
              href={({ subject }) => (subject.key === null ? href("/listings") : href(definitionPath("marketplaceItems", subject.key)))}
              empty="No listings."
            />
            {totals.refused !== null && <Refusals shop={shop} all={totals.refused.value} />}
          </>
        );
      }}
    </Loaded>
  );
}

const Refusals = ({ shop: { refusals, refusalsSince, frame }, all }: { shop: Shop; all: number }) => (
  <Card title="Refused purchases by reason" description={refusalsSince === null ? undefined : sinceWords("Refusals", refusalsSince, frame)}>
    {refusals.length === 0 ? (
      <p className="text-quiet">No purchase was refused in this range.</p>
    ) : (
      <Bars
        label="Refused purchases by reason"
        items={refusals.map(({ code, count }) => ({
          id: code,
          value: count.value,
          note: share(count.value, all),
          label: (
            <Link href={`/docs/errors#${code}`} prefetch={false} className="rounded hover:underline">
              {titleOf(code)} <code className="font-mono text-xs text-quiet">{code}</code>
            </Link>
          ),
        }))}
      />
    )}
  </Card>
);

const titleOf = (code: string): string => (code in ERRORS ? ERRORS[code as keyof typeof ERRORS].title : code);

const sellThrough = ({ rounds }: Listing): number | null => {
  const [round] = rounds;
  return round === undefined || round.stock === null || round.stock === 0 ? null : round.sold / round.stock;
};

const COLUMNS: ReportColumn<Listing>[] = [
  {
    id: "listing",
    header: "Listing",
    value: ({ subject }) => nameOf(subject),
    cell: ({ subject }) => <span className="block truncate">{nameOf(subject)}</span>,
  },
  {
    id: "revenue",
    header: "Points spent",
    isNumeric: true,
    value: ({ revenue }) => revenue.value,
    cell: ({ revenue }) => (
      <span className="inline-flex items-baseline gap-2">
        <RowChange figure={revenue} good="up" />
        {formatted(revenue.value)}
      </span>
    ),
  },
  { id: "units", header: "Units", isNumeric: true, value: ({ units }) => units.value, cell: ({ units }) => formatted(units.value) },
  {
    id: "reversed",
    header: "Reversed",
    isNumeric: true,
    value: ({ reversedUnits }) => reversedUnits.value,
    cell: ({ reversedUnits }) => formatted(reversedUnits.value),
  },
  {
    id: "refused",
    header: "Refused",
    isNumeric: true,
    value: ({ refused }) => refused?.value ?? null,
    cell: ({ refused }) => formatted(refused?.value),
  },
  {
    id: "sold",
    header: "Stock sold",
    isNumeric: true,
    value: sellThrough,
    cell: ({ rounds: [round] }) =>
      round === undefined
        ? "–"
        : round.stock === null
          ? "No limit"
          : `${formatted(round.sold)} of ${formatted(round.stock)} (${share(round.sold, round.stock)})`,
  },
  {
    id: "rounds",
    header: "Previous periods",
    value: ({ rounds }) =>
      rounds
        .slice(1)
        .map(({ sold, stock }) => `${sold}/${stock ?? "∞"}`)
        .join(" "),
    cell: ({ rounds }) => <Rounds rounds={rounds} />,
  },
];

const OF_ALL = new Set(["refused", "sold", "rounds"]);
const SEGMENT_COLUMNS = COLUMNS.filter(({ id }) => !OF_ALL.has(id));

/** Sell-through of each earlier period's stock, newest first. */
const Rounds = ({ rounds }: Pick<Listing, "rounds">) =>
  rounds.length < 2 ? (
    <span className="text-quiet">–</span>
  ) : (
    <ul className="relative flex gap-2 text-xs text-quiet tabular-nums">
      {rounds.slice(1, 5).map(({ start, sold, stock }) => (
        <li key={start}>
          {start === null ? "" : `${shortDate(start)}: `}
          {stock === null ? formatted(sold) : share(sold, stock)}
        </li>
      ))}
    </ul>
  );
