"use client";

import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import type { AnalyticsReports } from "../../client/answers.ts";
import { ChartCard } from "../charts/chart-card.tsx";
import type { ChartData } from "../charts/data.ts";
import { longDate, shortDate } from "../dates.ts";
import { Loaded, NoData, NoFigures, useReport, useReportView } from "../report.tsx";
import { ChooseSubject, chosenOf, subjectName } from "../subjects.tsx";
import { numberColumn, type ReportColumn, ReportTable, textColumn } from "../report-table.tsx";

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
      { label: isLeague ? "Promoted" : "Up", look: "bar" },
      { label: isLeague ? "Relegated" : "Down", look: "second-bar" },
      { label: isLeague ? "Stayed" : "Same rank" },
      { label: `New ${ranks.toLowerCase()}` },
      { label: "Dropped out" },
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

/** Of the last settled period. */
const movementColumn = (id: string, header: string, figure: keyof NonNullable<Period["movement"]>): ReportColumn<Row> =>
  numberColumn(id, header, (row) => moved(row)[0]?.movement?.[figure]);

const COLUMNS: ReportColumn<Row>[] = [
  textColumn("board", "Leaderboard", ({ subject }) => subjectName(subject)),
  { id: "ranks", header: "Ranks", value: ({ ranks }) => ranks, cell: ({ ranks }) => ranks },
  numberColumn("now", "Current period", ({ periods }) => periods[0]?.participants),
  numberColumn("before", "Previous period", ({ periods }) => periods[1]?.participants),
  movementColumn("rose", "Up", "rose"),
  movementColumn("fell", "Down", "fell"),
  movementColumn("new", "New", "entered"),
  movementColumn("left", "Dropped out", "left"),
];
