import { longDate, shortDate } from "#server/model/kernel/dates.ts";
import type { AnalyticsReports } from "../../client/service.tsx";
import { CardPairs, ChartCard } from "../charts/chart-card.tsx";
import { byScore, type ChartData } from "../charts/data.ts";
import { NoData, NoFigures, Report } from "../report.tsx";
import { ChooseSubject, subjectName } from "../subjects.tsx";
import { numberColumn, type ReportColumn, ReportTable, textColumn } from "../report-table.tsx";

type Report = AnalyticsReports["leaderboards"];
type Board = NonNullable<Report["row"]>;
type Period = Board["periods"][number];
type Row = Report["table"]["rows"][number];

/** Participation by period, movement between tiers, and the distribution of scores. */
export const LeaderboardsReport = ({ only }: { only?: string }) => (
  <Report of="leaderboards" only={only}>
    {({ row, choices, table }) => {
      if (only !== undefined && row?.subject.key !== only) return <NoFigures />;
      if (row === null)
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
                table={table}
                report="leaderboards"
                rowKey={({ subject }) => String(subject.id)}
                empty="No leaderboards."
              />
              <ChooseSubject kind="leaderboards" label="Leaderboard" choices={choices} chosen={row.subject} />
            </>
          )}
          <CardPairs>
            <ChartCard
              title="Participation"
              description={`${who} with a score, in the last twelve periods.`}
              data={{
                axis: "Period",
                series: [{ label: who, look: "bar" }],
                rows: [...row.periods].reverse().map((period) => periodRow(period, [period.participants], !period.isSettled)),
              }}
              empty="No scores yet."
            />
            <ChartCard
              title={row.isLeague ? "Promoted and relegated" : "Movement"}
              description={
                row.isLeague
                  ? `${who} by outcome at the end of each settled period after the first.`
                  : `${who} whose rank changed since the period before, of settled periods.`
              }
              data={movementOf(row)}
              empty="Periods are compared once two have settled."
            />
            <ChartCard
              title="Scores"
              description={`${who} by score in the latest period with scores.`}
              data={byScore(row.ranks, row.scores)}
              empty="No scores yet."
            />
          </CardPairs>
        </>
      );
    }}
  </Report>
);

const periodRow = ({ start, number }: Period, values: number[], isSoFar = false) => ({
  id: start ?? String(number),
  short: start === null ? "All time" : shortDate(start),
  name: start === null ? "All time" : `From ${longDate(start)}`,
  isSoFar,
  values,
});

const moved = ({ periods }: Board): Period[] => periods.filter(({ movement }) => movement !== null);

/** Only rank changes are drawn; players in only one of two periods are listed in the table and the file. */
function movementOf(row: Board): ChartData {
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
        return periodRow(period, [rose, fell, stayed, entered, left]);
      }),
  };
}

/** A figure of the last settled period. */
const movementColumn = (id: string, header: string, figure: keyof NonNullable<Row["movement"]>): ReportColumn<Row> => ({
  ...numberColumn<Row>(id, header, ({ movement }) => movement?.[figure]),
  isUnsorted: true,
});

const COLUMNS: ReportColumn<Row>[] = [
  textColumn("board", "Leaderboard", ({ subject }) => subjectName(subject)),
  { id: "ranks", header: "Ranks", value: ({ ranks }) => ranks, cell: ({ ranks }) => ranks },
  numberColumn("now", "Current period", ({ now }) => now),
  numberColumn("before", "Previous period", ({ before }) => before),
  movementColumn("rose", "Up", "rose"),
  movementColumn("fell", "Down", "fell"),
  movementColumn("new", "New", "entered"),
  movementColumn("left", "Dropped out", "left"),
];
