import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { pickText } from "#server/model/kernel/texts.ts";
import { bucketOf, type Bucket, quantile } from "#server/model/kernel/durations.ts";
import { type Figure, isNothing, type Sums } from "#server/model/analytics/sums.ts";
import {
  type Names,
  type ReportRange,
  type ReportContext,
  countedSince,
  namesOf,
  rangeFrame,
  shownFrame,
  sumsByPeriod,
  sumsOfRange,
} from "./context.ts";
import { shiftDate } from "#server/model/kernel/time.ts";
import { selectSums } from "../../store/sums.ts";

const STEPS = ["entered", "accepted", "progressed"] as const;
const STAGES = ["funnel.entered", "funnel.accepted", "funnel.progressed", "funnel.completed"] as const;
const MEASURES = [...STEPS, ...STAGES, "players.entered", "completed", "duration", "items", "points.granted"] as const;

type Figures = ReturnType<typeof figuresOf>;

/** Every mission: the funnel of the occurrences offered in the range, and what happened in the range. */
export async function reportMissions(context: ReportContext, range: ReportRange) {
  const frame = rangeFrame(range);
  const [shown, since, completed, sums, names] = await Promise.all([
    shownFrame(context, frame),
    funnelsSince(context),
    sumsByPeriod(context, frame, { measures: ["completed"] }),
    sumsOfRange(context, frame, { measures: MEASURES, withDetail: true }),
    namesOf(context, "missions"),
  ]);
  const ids = new Set([...names.active(), ...sums.subjects(...STEPS, ...STAGES, "completed"), ...paidMissions(sums)]);
  const rows = [...ids].map((id) => ({ subject: names.subject(id), active: names.isActive(id), ...figuresOf(context, sums, id) }));
  return {
    frame: shown,
    countedSince: since,
    completed: completed.series({ measure: "completed" }),
    rows: rows
      .filter((row) => row.active || !isEmpty(row))
      .sort((a, b) => b.completed.value - a.completed.value || a.subject.id - b.subject.id),
  };
}

const isEmpty = ({ steps, funnel, completed, points }: Figures): boolean =>
  [...Object.values(steps ?? {}), ...Object.values(funnel ?? {}), completed, points].every(isNothing);

const paidMissions = (sums: Sums): number[] =>
  sums.rows("points.granted").flatMap(({ detail, subject }) => (detail === "Mission" && subject !== 0 ? [subject] : []));

/** Steps and funnels are only summed over all players: a segment has none. */
const funnelsSince = (context: ReportContext): Promise<string | null> | null =>
  context.segment === null ? countedSince(context, ["funnel.entered"]) : null;

const stepsOf = <Value>(of: (measure: (typeof STEPS)[number]) => Value): Record<(typeof STEPS)[number], Value> => ({
  entered: of("entered"),
  accepted: of("accepted"),
  progressed: of("progressed"),
});

const funnelOf = (sums: Sums, subject: number) => {
  const [entered, accepted, progressed, completed] = STAGES.map((measure) => sums.figure({ measure, subject })) as [
    Figure,
    Figure,
    Figure,
    Figure,
  ];
  return { entered, accepted, progressed, completed };
};

function figuresOf({ segment }: ReportContext, sums: Sums, subject: number) {
  return {
    steps: segment === null ? stepsOf((measure) => sums.figure({ measure, subject })) : null,
    funnel: segment === null ? funnelOf(sums, subject) : null,
    players: segment === null ? sums.figure({ measure: "players.entered", subject }) : null,
    completed: sums.figure({ measure: "completed", subject }),
    points: sums.figure({ measure: "points.granted", subject, detail: "Mission" }, "amount"),
    items: sums.figure({ measure: "items", subject }, "amount"),
    medianSeconds: quantile(durationsOf(sums, subject), 0.5),
  };
}

/** Of the range itself, without the range before. */
const durationsOf = (sums: Sums, subject: number): Bucket[] =>
  sums
    .details("duration", subject)
    .map((detail) => bucketOf(Number(detail), sums.figure({ measure: "duration", subject, detail }).value))
    .filter(({ count }) => count > 0);

/** One mission. Throws OperatorError for an unknown key. */
export async function reportMission(context: ReportContext, { key, ...range }: ReportRange & { key: string }) {
  const frame = rangeFrame(range);
  const mission = context.definitions.missionsByKey.get(key);
  if (mission === undefined) throw new OperatorError("There is no such mission.");
  const subject = mission.id;
  const [shown, since, series, sums, names]: [Awaited<ReturnType<typeof shownFrame>>, string | null, Sums, Sums, Names] = await Promise.all(
    [
      shownFrame(context, frame),
      funnelsSince(context),
      sumsByPeriod(context, frame, { measures: [...STEPS, "completed", "points.granted"], withDetail: true, subject }),
      sumsOfRange(context, frame, { measures: [...MEASURES, "funnel.objective"], withDetail: true, subject }),
      namesOf(context, "missions"),
    ],
  );
  const isOfAll = context.segment === null;
  return {
    frame: shown,
    countedSince: since,
    subject: names.subject(subject),
    totals: figuresOf(context, sums, subject),
    steps: isOfAll ? stepsOf((measure) => series.series({ measure })) : null,
    completed: series.series({ measure: "completed" }),
    points: series.series({ measure: "points.granted", detail: "Mission" }, "amount"),
    durations: durationsOf(sums, subject),
    objectives: isOfAll
      ? mission.objectives.map(({ id, description }) => ({
          id,
          description: description === null ? null : pickText(description, null),
          satisfied: sums.figure({ measure: "funnel.objective", detail: id }),
        }))
      : null,
  };
}

/** Today and the days before it that count. */
const DAYS = 28;

/** Completions per mission in the last four weeks, by id: at most a sum a day of each mission, by the index. */
export async function countCompletions({ sql, population, today }: ReportContext): Promise<Map<number, number>> {
  const sums = await selectSums(sql, population, {
    ...{ measures: ["completed"], bounds: [shiftDate(today, 1 - DAYS)], end: shiftDate(today, 1) },
  });
  return new Map(sums.map(({ subject, count }) => [subject, count]));
}

/** Completions per mission in the last four weeks, in all and day by day; missions without any are left out. */
export async function reportCompletions(context: ReportContext) {
  const { sql, population, today } = context;
  const [sums, names] = await Promise.all([
    selectSums(sql, population, {
      measures: ["completed"],
      bounds: Array.from({ length: DAYS }, (_, at) => shiftDate(today, at + 1 - DAYS)),
      end: shiftDate(today, 1),
    }),
    namesOf(context, "missions"),
  ]);
  return {
    completions: [...Map.groupBy(sums, ({ subject }) => subject)].flatMap(([subject, own]) => {
      const { key } = names.subject(subject);
      const days = Array.from({ length: DAYS }, (_, at) => own.find(({ bucket }) => bucket === at + 1)?.count ?? 0);
      return key === null ? [] : [{ key, count: days.reduce((sum, count) => sum + count, 0), days }];
    }),
  };
}
