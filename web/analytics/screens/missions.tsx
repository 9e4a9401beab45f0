import type { Figure } from "#server/model/analytics/sums.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { type AnalyticsReports, useWhere } from "../../client/service.tsx";
import { Badge } from "../../components/surface.tsx";
import { ChartCard } from "../charts/chart-card.tsx";
import { compared } from "../charts/data.ts";
import { ChangeLine, Figures } from "../figures.tsx";
import { NoData, Report, useReportView } from "../report.tsx";
import { partsOf, subjectName } from "../subjects.tsx";
import { changeColumn, numberColumn, type ReportColumn, ReportTable, textColumn } from "../report-table.tsx";
import { otherReport } from "../view.ts";
import { changeSentence, durationWords, FUNNEL_WORDS, NO_STEPS, percentage, perCompletion, shortened, sinceWords } from "../words.ts";

type Row = AnalyticsReports["missions"]["table"]["rows"][number];

export function MissionsReport() {
  const { href } = useWhere();
  const { view } = useReportView();
  return (
    <Report of="missions">
      {({ frame, table, totals, main, completed, countedSince }) => {
        if (table.count === 0)
          return (
            <NoData title="No missions yet" action={{ label: "Missions", path: "/missions" }}>
              See how many players were offered each mission, and how many completed it.
            </NoData>
          );
        const { completed: completions, points, items } = totals;
        return (
          <>
            <ChangeLine>{changeSentence("Completions", completions, partsOf(main))}</ChangeLine>
            <Figures
              items={[
                { label: "Completions", figure: completions, good: "up" },
                { label: "Points paid", figure: points, note: perCompletion(points, completions) },
                { label: "Items paid", figure: items, note: perCompletion(items, completions) },
              ]}
            />
            <ChartCard
              title="Completions"
              data={compared(frame, "Completions", completed)}
              empty="No mission was completed in this range."
            />
            <ReportTable
              title="All missions"
              description={
                frame.segment === null
                  ? [FUNNEL_WORDS, sinceWords("Offers", countedSince, frame)].filter((words) => words !== undefined).join(" ")
                  : NO_STEPS
              }
              columns={frame.segment === null ? COLUMNS : SEGMENT_COLUMNS}
              table={table}
              report="missions"
              rowKey={({ subject }) => String(subject.id)}
              // A deleted mission has only this row left.
              href={({ subject }) =>
                subject.key === null
                  ? href("/analytics/missions")
                  : href(`/analytics/missions/${encodeURIComponent(subject.key)}`) + otherReport(view)
              }
              empty="No missions."
            />
          </>
        );
      }}
    </Report>
  );
}

const rate = ({ funnel }: Row): number | null =>
  funnel === null || funnel.entered.value === 0 ? null : funnel.completed.value / funnel.entered.value;

/** Shown only in wide windows, to leave room for the cost in narrow ones; the file always has it. */
const WIDE = "max-2xl:hidden";

/** The average cost of a completion. */
const costColumn = (id: string, header: string, cost: (row: Row) => Figure): ReportColumn<Row> =>
  numberColumn(
    id,
    header,
    (row) => (row.completed.value === 0 ? null : cost(row).value / row.completed.value),
    (each) => formatted(shortened(each)),
  );

/** Times are counted in ranges, so a median is only about right. */
const aboutWords = (seconds: number): string => (seconds < 1 ? "" : "~") + durationWords(seconds);

const COLUMNS: ReportColumn<Row>[] = [
  {
    ...textColumn("mission", "Mission", ({ subject }) => subjectName(subject)),
    cell: ({ subject, active }) => (
      <span className="flex items-center gap-2">
        <span dir="auto" className="truncate">
          {subjectName(subject)}
        </span>
        {!active && <Badge>Off</Badge>}
      </span>
    ),
  },
  numberColumn("entered", "Offered", ({ funnel }) => funnel?.entered.value),
  { ...numberColumn<Row>("accepted", "Accepted", ({ funnel }) => funnel?.accepted.value), className: WIDE },
  { ...numberColumn<Row>("progressed", "Progressed", ({ funnel }) => funnel?.progressed.value), className: WIDE },
  numberColumn("completed", "Completed", ({ funnel }) => funnel?.completed.value),
  numberColumn("rate", "Rate", rate, (part) => percentage(part, 1)),
  changeColumn("completions", "Completions", ({ completed }) => completed, "up"),
  { ...numberColumn<Row>("median", "Median time", ({ medianSeconds }) => medianSeconds, aboutWords), unit: "s", className: WIDE },
  numberColumn("points", "Points paid", ({ points }) => points.value),
  costColumn("each", "Points per completion", ({ points }) => points),
  { ...numberColumn<Row>("items", "Items paid", ({ items }) => items.value), className: WIDE },
  costColumn("itemsEach", "Items per completion", ({ items }) => items),
];

const OF_FUNNEL = new Set(["entered", "accepted", "progressed", "completed", "rate"]);
const SEGMENT_COLUMNS = COLUMNS.filter(({ id }) => !OF_FUNNEL.has(id));
