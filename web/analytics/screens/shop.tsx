import { shortDate } from "#server/model/kernel/dates.ts";
import { ERRORS } from "#server/model/kernel/errors.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { TextLink } from "../../components/button.tsx";
import { type AnalyticsReports, useWhere } from "../../client/service.tsx";
import { Card } from "../../components/surface.tsx";
import { Bars, ChangeLine, Figures } from "../figures.tsx";
import { CardPairs, ChartCard } from "../charts/chart-card.tsx";
import { compared } from "../charts/data.ts";
import { NoData, Report } from "../report.tsx";
import { partsOf, subjectName } from "../subjects.tsx";
import { changeColumn, numberColumn, type ReportColumn, ReportTable, textColumn } from "../report-table.tsx";
import { changeSentence, lessWords, percentage, sinceWords } from "../words.ts";
import { definitionPath } from "../../definitions/kinds/index.ts";

type Shop = AnalyticsReports["shop"];
type Listing = Shop["table"]["rows"][number];

/** Sales and points spent, refunds and refusals. */
export function ShopReport() {
  const { href } = useWhere();
  return (
    <Report of="shop">
      {(shop) => {
        const { frame, units, revenue, totals, main, table } = shop;
        if (table.count === 0)
          return (
            <NoData title="No listings yet" action={{ label: "Listings", path: "/listings" }}>
              Sales appear here when players buy listings with their points.
            </NoData>
          );
        return (
          <>
            <ChangeLine>{changeSentence("Points spent", totals.revenue, partsOf(main))}</ChangeLine>
            <Figures
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
            <CardPairs>
              <ChartCard title="Points spent" data={compared(frame, "Points", revenue)} empty="No points were spent in this range." />
              <ChartCard title="Units sold" data={compared(frame, "Units", units)} empty="Nothing was sold in this range." />
            </CardPairs>
            <ReportTable
              title="Listings"
              description={`Units and points spent, less reversals in this range.${frame.segment === null ? "" : " Refusals and stock aren't tracked per player."}`}
              columns={frame.segment === null ? COLUMNS : SEGMENT_COLUMNS}
              table={table}
              report="shop"
              rowKey={({ subject }) => String(subject.id)}
              href={({ subject }) => (subject.key === null ? href("/listings") : href(definitionPath("marketplaceItems", subject.key)))}
              empty="No listings."
            />
            {totals.refused !== null && <RefusedPurchases shop={shop} all={totals.refused.value} />}
          </>
        );
      }}
    </Report>
  );
}

const RefusedPurchases = ({ shop: { refusals, refusalsSince, frame }, all }: { shop: Shop; all: number }) => (
  <Card title="Refused purchases by reason" description={refusalsSince === null ? undefined : sinceWords("Refusals", refusalsSince, frame)}>
    {refusals.length === 0 ? (
      <p className="text-quiet">No purchase was refused in this range.</p>
    ) : (
      <Bars
        label="Refused purchases by reason"
        items={refusals.map(({ code, count }) => ({
          id: code,
          value: count.value,
          note: percentage(count.value, all),
          label: (
            <TextLink href={`/docs/errors#${code}`} className="font-normal">
              {titleOf(code)} <code className="font-mono text-xs text-quiet">{code}</code>
            </TextLink>
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
  textColumn("listing", "Listing", ({ subject }) => subjectName(subject)),
  changeColumn("revenue", "Points spent", ({ revenue }) => revenue, "up"),
  numberColumn("units", "Units", ({ units }) => units.value),
  numberColumn("reversed", "Reversed", ({ reversedUnits }) => reversedUnits.value),
  numberColumn("refused", "Refused", ({ refused }) => refused?.value),
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
          : `${formatted(round.sold)} of ${formatted(round.stock)} (${percentage(round.sold, round.stock)})`,
  },
  {
    id: "rounds",
    header: "Previous periods",
    isUnsorted: true,
    value: ({ rounds }) =>
      rounds
        .slice(1)
        .map(({ sold, stock }) => `${sold}/${stock ?? "∞"}`)
        .join(" "),
    cell: ({ rounds }) => <PastRounds rounds={rounds} />,
  },
];

const OF_ALL = new Set(["refused", "sold", "rounds"]);
const SEGMENT_COLUMNS = COLUMNS.filter(({ id }) => !OF_ALL.has(id));

/** The share of the stock sold in up to four earlier periods, newest first; without a limit the units. */
const PastRounds = ({ rounds }: Pick<Listing, "rounds">) =>
  rounds.length < 2 ? (
    <span className="text-quiet">–</span>
  ) : (
    <ul className="relative flex gap-2 text-xs text-quiet tabular-nums">
      {rounds.slice(1, 5).map(({ start, sold, stock }) => (
        <li key={start}>
          {start === null ? "" : `${shortDate(start)}: `}
          {stock === null ? formatted(sold) : percentage(sold, stock)}
        </li>
      ))}
    </ul>
  );
