import { instantInWords } from "#server/model/kernel/dates.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { TextLink } from "../../components/button.tsx";
import { signedPoints } from "../../players/values.ts";
import { type AnalyticsReports, useWhere } from "../../client/service.tsx";
import { ChartCard } from "../charts/chart-card.tsx";
import { byPeriod, compared, distribution } from "../charts/data.ts";
import { ChangeLine, Figures } from "../figures.tsx";
import { NoData, Report } from "../report.tsx";
import { subjectName, SubjectLink } from "../subjects.tsx";
import { Changed, numberColumn, type ReportColumn, ReportTable } from "../report-table.tsx";
import { changeSentence, countRange, exactMoney, lessWords } from "../words.ts";

type Points = AnalyticsReports["points"];
type Source = Points["table"]["rows"][number];

/** Sources and uses of points, and the balances of players. */
export function PointsReport() {
  const { timeZone, href } = useWhere();
  return (
    <Report of="points">
      {({ frame, granted, spent, gross, refunded, credited, debited, outstanding, totals, main, table, valuation, balances }) => {
        if (Object.values(totals).every(({ value, before }) => value === 0 && before === 0))
          return (
            <NoData title="No points yet" action={{ label: "New mission", path: "/missions/new" }}>
              Players get points from missions, streaks, leaderboards and adjustments.
            </NoData>
          );
        return (
          <>
            <ChangeLine>
              {changeSentence("Points granted", totals.granted, main === null ? [] : [{ name: sourceName(main), figure: main.figure }])}
            </ChangeLine>
            <Figures
              items={[
                { label: "Granted", figure: totals.granted },
                { label: "Spent", figure: totals.spent, note: lessWords(totals.gross, totals.refunded, "refunded") },
                {
                  label: "Adjusted",
                  figure: { value: totals.credited.value - totals.debited.value, before: totals.credited.before - totals.debited.before },
                  note: `+${formatted(totals.credited.value)} −${formatted(totals.debited.value)}`,
                },
                { label: "Outstanding", figure: totals.outstanding },
                ...(valuation === null
                  ? []
                  : [
                      {
                        label: "Worth",
                        figure: { value: 0, before: 0 },
                        isStill: true,
                        format: () => worth(totals.outstanding.value, valuation),
                        note: `${plural(valuation.points, "point")} = ${exactMoney(valuation)}`,
                      },
                    ]),
              ]}
            />
            <ChartCard
              title="Granted and spent"
              data={byPeriod(frame, [
                { label: "Granted", look: "bar", values: granted.values },
                { label: "Spent", look: "second-bar", values: spent.values },
                { label: "Spent before refunds", values: gross.values },
                { label: "Refunded", values: refunded.values },
                { label: "Adjusted up", values: credited.values },
                { label: "Adjusted down", values: debited.values },
              ])}
              empty="No points moved in this range."
            />
            <ChartCard
              title="Outstanding points"
              description={
                valuation === null ? (
                  <>
                    What all players hold at the end of each period, including erased players.{" "}
                    <TextLink href={href("/valuations")} className="text-accent font-normal">
                      Set what points are worth
                    </TextLink>{" "}
                    to see it in money.
                  </>
                ) : (
                  `What all players hold at the end of each period, including erased players. The valuation is in effect since ${instantInWords(valuation.effectiveFrom, timeZone)}.`
                )
              }
              data={compared(frame, "Outstanding", outstanding)}
              empty="No players hold points."
            />
            <ReportTable
              title="Sources and uses"
              description="Purchases, less refunds in this range."
              columns={COLUMNS}
              table={table}
              report="points"
              rowKey={({ type, subject }) => `${type} ${subject?.id ?? "none"}`}
              empty="No points were granted or spent in this range."
            />
            <ChartCard
              title="Players by balance"
              description={
                balances === null
                  ? undefined
                  : `Counted ${instantInWords(balances.takenAt, timeZone)}. Players without points are left out.`
              }
              data={distribution("Points", "Players", balances?.buckets ?? [], countRange)}
              empty={balances === null ? "Balances are counted once a day. The first count has not run yet." : "No players hold points."}
            />
          </>
        );
      }}
    </Report>
  );
}

const TYPES: Record<Source["type"], { words: string; kind: Kind }> = {
  Mission: { words: "Mission", kind: "missions" },
  StreakMilestone: { words: "Streak milestone", kind: "streaks" },
  Leaderboard: { words: "Leaderboard prize", kind: "leaderboards" },
  MarketplacePurchase: { words: "Purchase", kind: "marketplaceItems" },
};

const sourceName = ({ subject }: Pick<Source, "subject">): string => (subject === null ? "Before analytics began" : subjectName(subject));

/** What a source adds to balances, or takes from them. */
const movedBy = ({ type, points: { value } }: Source): number => (type === "MarketplacePurchase" ? 0 - value : value);

const COLUMNS: ReportColumn<Source>[] = [
  { id: "type", header: "Type", value: ({ type }) => TYPES[type].words, cell: ({ type }) => TYPES[type].words },
  {
    id: "name",
    header: "For",
    className: "min-w-28",
    value: sourceName,
    cell: (source) =>
      source.subject === null ? (
        <span className="text-quiet">{sourceName(source)}</span>
      ) : (
        <SubjectLink kind={TYPES[source.type].kind} subject={source.subject} />
      ),
  },
  {
    id: "points",
    header: "Points",
    isNumeric: true,
    value: movedBy,
    cell: (source) => <Changed figure={source.points} shown={signedPoints(movedBy(source))} />,
  },
  numberColumn("transactions", "Transactions", ({ transactions }) => transactions.value),
];

const worth = (points: number, { points: each, amount, currency }: NonNullable<Points["valuation"]>): string =>
  new Intl.NumberFormat("en", { style: "currency", currency }).format((points / each) * Number(amount));
