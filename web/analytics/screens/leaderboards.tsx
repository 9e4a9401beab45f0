"use client";

import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import type { AnalyticsReports } from "#server/insight/analytics/contract.dashboard.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { ChartCard } from "../charts/chart-card.tsx";
import type { ChartData } from "../charts/data.ts";
import { ChooseSubject } from "../choose-subject.tsx";
import { longDate, shortDate } from "../dates.ts";
import { Loaded } from "../loaded.tsx";
import { chosenOf, nameOf } from "../names.tsx";
import { NoData, NoFigures } from "../no-data.tsx";
import { type ReportColumn, ReportTable } from "../report-table.tsx";
import { useReportView } from "../report-view.tsx";
import { useReport } from "../use-report.ts";

type Row = AnalyticsReports["leaderboards"]["rows"][number];
type Period = Row["periods"][number];

/** Participation by period, movement between tiers, and the distribution of scores. */
export function LeaderboardsReport({ only }: { only?: string }) {
  const { scope } = useWhere();
  const { view } = useReportView();
  const query = useReport(orpc.analytics.leaderboards.queryOptions({ input: scope }));
  return (
    <Loaded query={query}>
      {({ rows }) => {
        const row = chosenOf(rows, view.of, only);
        if (row === undefined && only !== undefined) return <NoFigures />;
        if (row === undefined)
          return (
            <NoData title="No leaderboards yet" action={{ label: "Leaderboards", path: "/leaderboards" }}>
              See how many take part in each leaderboard, and how their scores are spread.
            </NoData>
          );
        const who = row.ranks;
        return (
          <>
            {only === undefined && (
              <>
                <ReportTable
                  title="All leaderboards"
                  columns={COLUMNS}
                  rows={rows}
                  rowKey={({ subject }) => String(subject.id)}
                  empty="No leaderboards."
                />
                <ChooseSubject kind="leaderboards" label="Leaderboard" rows={rows} chosen={row} />
              </>
            )}
            <div className="grid gap-4 lg:grid-cols-2">
              <ChartCard
                title="Participation"
                description={`${who} with a score, in the last twelve periods.`}
                data={{
                  axis: "Period",
                  series: [{ label: who, look: "bar" }],
                  rows: [...row.periods].reverse().map((period) => ({
                    id: period.start ?? String(period.number),
                    short: period.start === null ? "All time" : shortDate(period.start),
                    name: periodName(period),
                    isSoFar: !period.isSettled,
                    values: [period.participants],
                  })),
                }}
                empty="No scores yet."
              />
              <ChartCard
                title={row.isLeague ? "Promoted and relegated" : "Movement"}
                description={
                  row.isLeague
                    ? `${who} by outcome at the end of each settled period.`
                    : `${who} whose rank changed since the period before, of settled periods.`
                }
                data={movementOf(row)}
                empty="Ranks are compared once two periods have settled."
              />
              <ChartCard
                title="Scores"
                description={`${who} by score in the latest period with scores.`}
                data={scoresOf(row)}
                empty="No scores yet."
              />
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

const periodName = ({ start }: Period): string => (start === null ? "All time" : `From ${longDate(start)}`);

const moved = ({ periods }: Row): Period[] => periods.filter(({ movement }) => movement !== null);

/** Players in only one of the periods have no rank change: they are in the table and the file. */
function movementOf(row: Row): ChartData {
  const { isLeague, ranks } = row;
  return {
    axis: "Period",
    series: [
      { label: isLeague ? "Promoted" : "Rose", look: "bar" },
      { label: isLeague ? "Relegated" : "Fell", look: "second-bar" },
      { label: isLeague ? "Stayed" : "Same rank" },
      { label: `New ${ranks.toLowerCase()}` },
      { label: "No longer there" },
    ],
    rows: moved(row)
      .reverse()
      .map((period) => {
        const { rose, fell, stayed, entered, left } = period.movement!;
        return {
          id: period.start ?? String(period.number),
          short: period.start === null ? "All time" : shortDate(period.start),
          name: periodName(period),
          isSoFar: false,
          values: [rose, fell, stayed, entered, left],
        };
      }),
  };
}

function scoresOf({ scores, ranks }: Row): ChartData {
  return {
    axis: "Score",
    series: [{ label: ranks, look: "bar" }],
    rows: scores.map(({ from, to, count }) => ({
      id: scoreRange(from, to),
      short: from ?? to ?? "All",
      name: scoreRange(from, to),
      isSoFar: false,
      values: [count],
    })),
  };
}

const scoreRange = (from: string | null, to: string | null): string =>
  from === null ? (to === null ? "All scores" : `Up to ${to}`) : to === null ? `${from} or more` : from === to ? from : `${from} – ${to}`;

const participants = ({ periods }: Row, at: number): number | null => periods[at]?.participants ?? null;

/** Of the last settled period. */
function movementColumn(id: string, header: string, figure: keyof NonNullable<Period["movement"]>): ReportColumn<Row> {
  const value = (row: Row): number | null => moved(row)[0]?.movement?.[figure] ?? null;
  return { id, header, isNumeric: true, value, cell: (row) => formatted(value(row)) };
}

const COLUMNS: ReportColumn<Row>[] = [
  {
    id: "board",
    header: "Leaderboard",
    value: ({ subject }) => nameOf(subject),
    cell: ({ subject }) => <span className="block truncate font-medium">{nameOf(subject)}</span>,
  },
  { id: "ranks", header: "Ranks", value: ({ ranks }) => ranks, cell: ({ ranks }) => ranks },
  {
    id: "now",
    header: "Current period",
    isNumeric: true,
    value: (row) => participants(row, 0),
    cell: (row) => formatted(participants(row, 0)),
  },
  {
    id: "before",
    header: "Previous period",
    isNumeric: true,
    value: (row) => participants(row, 1),
    cell: (row) => formatted(participants(row, 1)),
  },
  movementColumn("rose", "Rose", "rose"),
  movementColumn("fell", "Fell", "fell"),
  movementColumn("new", "New", "entered"),
  movementColumn("left", "Left", "left"),
];
