"use client";

import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import type { AnalyticsReports } from "#server/insight/analytics/contract.dashboard.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { Badge } from "../../components/surface.tsx";
import { ChartCard } from "../charts/chart-card.tsx";
import { compared } from "../charts/data.ts";
import { RowChange, Figures } from "../figures.tsx";
import { Loaded } from "../loaded.tsx";
import { nameOf } from "../names.tsx";
import { NoData } from "../no-data.tsx";
import { type ReportColumn, ReportTable } from "../report-table.tsx";
import { useReportView } from "../report-view.tsx";
import { useReport } from "../use-report.ts";
import { queryOf } from "../view.ts";
import { durationWords, type Figure, share } from "../words.ts";
import { FUNNEL_WORDS, NO_STEPS, sinceWords } from "../since.ts";

type Row = AnalyticsReports["missions"]["rows"][number];

/** All missions side by side. */
export function MissionsReport() {
  const { scope, href } = useWhere();
  const { view, range } = useReportView();
  const query = useReport(orpc.analytics.missions.queryOptions({ input: { ...scope, ...range, segment: view.segment } }));
  return (
    <Loaded query={query}>
      {({ frame, rows, completed, countedSince }) => {
        if (rows.length === 0)
          return (
            <NoData title="No missions yet" action={{ label: "Missions", path: "/missions" }}>
              See how many players were offered each mission, and how many completed it.
            </NoData>
          );
        const sum = (figure: (row: Row) => Figure): Figure => ({
          value: rows.reduce((total, row) => total + figure(row).value, 0),
          before: rows.reduce((total, row) => total + figure(row).before, 0),
        });
        return (
          <>
            <Figures
              before="before"
              items={[
                { label: "Completions", figure: sum((row) => row.completed), good: "up" },
                { label: "Points paid", figure: sum((row) => row.points) },
                { label: "Items paid", figure: sum((row) => row.items) },
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
              rows={rows}
              rowKey={({ subject }) => String(subject.id)}
              // A deleted mission has only this row left.
              href={({ subject }) =>
                subject.key === null
                  ? href("/analytics/missions")
                  : href(`/analytics/missions/${encodeURIComponent(subject.key)}`) + queryOf({ ...view, sort: null, of: null })
              }
              empty="No missions."
            />
          </>
        );
      }}
    </Loaded>
  );
}

const perCompletion = ({ points, completed }: Row): number | null => (completed.value === 0 ? null : points.value / completed.value);
const rate = ({ funnel }: Row): number | null =>
  funnel === null || funnel.entered.value === 0 ? null : funnel.completed.value / funnel.entered.value;

const count = (id: string, header: string, figure: (row: Row) => Figure | undefined): ReportColumn<Row> => ({
  id,
  header,
  isNumeric: true,
  value: (row) => figure(row)?.value ?? null,
  cell: (row) => formatted(figure(row)?.value),
});

const COLUMNS: ReportColumn<Row>[] = [
  {
    id: "mission",
    header: "Mission",
    value: ({ subject }) => nameOf(subject),
    cell: ({ subject, active }) => (
      <span className="flex items-center gap-2">
        <span className="truncate">{nameOf(subject)}</span>
        {!active && <Badge>Off</Badge>}
      </span>
    ),
  },
  count("entered", "Offered", ({ funnel }) => funnel?.entered),
  count("accepted", "Accepted", ({ funnel }) => funnel?.accepted),
  count("progressed", "Progressed", ({ funnel }) => funnel?.progressed),
  count("completed", "Completed", ({ funnel }) => funnel?.completed),
  {
    id: "rate",
    header: "Completion rate",
    isNumeric: true,
    value: rate,
    cell: ({ funnel }) => share(funnel?.completed.value ?? 0, funnel?.entered.value ?? 0),
  },
  {
    id: "completions",
    header: "Completions",
    isNumeric: true,
    value: ({ completed }) => completed.value,
    cell: ({ completed }) => (
      <span className="inline-flex items-baseline gap-2">
        <RowChange figure={completed} good="up" />
        {formatted(completed.value)}
      </span>
    ),
  },
  {
    id: "median",
    header: "Median time",
    isNumeric: true,
    value: ({ medianSeconds }) => medianSeconds,
    cell: ({ medianSeconds }) => (medianSeconds === null ? "–" : durationWords(medianSeconds)),
  },
  count("points", "Points paid", (row) => row.points),
  {
    id: "each",
    header: "Points per completion",
    isNumeric: true,
    value: perCompletion,
    cell: (row) => formatted(rounded(perCompletion(row))),
  },
  count("items", "Items", (row) => row.items),
];

const OF_FUNNEL = new Set(["entered", "accepted", "progressed", "completed", "rate"]);
const SEGMENT_COLUMNS = COLUMNS.filter(({ id }) => !OF_FUNNEL.has(id));

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);
