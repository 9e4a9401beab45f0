import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { pickText } from "#server/model/kernel/texts.ts";
import { bucketOf, type Bucket, quantile } from "#server/model/kernel/durations.ts";
import { type Figure, subtractFigure, mainPart, type Sums, totalOf } from "#server/model/analytics/sums.ts";
import {
  type Names,
  type ReportRange,
  type ReportContext,
  countedSince,
  namesOf,
  rangeFrame,
  shownFrame,
  subjectsOfRange,
  sumsByPeriod,
  sumsOfRange,
} from "./context.ts";
import { shiftDate } from "#server/model/kernel/time.ts";
import { orderOf, pageOf, type TableView } from "#server/model/analytics/table.ts";
import { selectSums } from "../../store/sums.ts";

const STEPS = ["entered", "accepted", "progressed"] as const;
const STAGES = ["funnel.entered", "funnel.accepted", "funnel.progressed", "funnel.completed"] as const;
const MEASURES = [...STEPS, ...STAGES, "players.entered", "completed", "duration", "items", "points.granted"] as const;
/** Measures that the report adds up over all missions. */
const TOTALLED = ["completed", "items", "points.granted"] as const;

interface Listed {
  id: number;
  sums: Sums;
  names: Names;
}

/** How a column sorts, and the measures for it: only these are read for missions that are not on the page. */
interface Order {
  measures: readonly (typeof MEASURES)[number][];
  of(listed: Listed): string | number | null;
}

const countOf = ({ id, sums }: Listed, measure: (typeof MEASURES)[number]): number => sums.figure({ measure, subject: id }).value;
const byCount = (measure: (typeof MEASURES)[number]): Order => ({ measures: [measure], of: (listed) => countOf(listed, measure) });
const byPart = (part: Order, of: (typeof MEASURES)[number]): Order => ({
  measures: [...part.measures, of],
  of(listed) {
    const whole = countOf(listed, of);
    return whole === 0 ? null : Number(part.of(listed)) / whole;
  },
});
const byPoints: Order = { measures: ["points.granted"], of: ({ id, sums }) => pointsOf(sums, id).value };
const byItems: Order = { measures: ["items"], of: ({ id, sums }) => itemsOf(sums, id).value };

/** What each column of the table sorts by. */
const ORDERS: Readonly<Record<string, Order>> = {
  mission: { measures: [], of: ({ id, names }) => names.name(id) },
  entered: byCount("funnel.entered"),
  accepted: byCount("funnel.accepted"),
  progressed: byCount("funnel.progressed"),
  completed: byCount("funnel.completed"),
  rate: byPart(byCount("funnel.completed"), "funnel.entered"),
  completions: byCount("completed"),
  median: { measures: ["duration"], of: ({ id, sums }) => quantile(durationsOf(sums, id), 0.5) },
  points: byPoints,
  each: byPart(byPoints, "completed"),
  items: byItems,
  itemsEach: byPart(byItems, "completed"),
};

/** Missions with figures in either range and active ones, a page at a time: the funnel of the occurrences offered, and what happened. */
export async function reportMissions(context: ReportContext, { table, ...range }: ReportRange & { table: TableView }) {
  const frame = rangeFrame(range);
  const isOfAll = context.segment === null;
  const order = orderOf(ORDERS, table);
  const measures = [...new Set([...TOTALLED, ...(order?.measures ?? [])])];
  const [shown, since, series, sums, others, names] = await Promise.all([
    shownFrame(context, frame),
    funnelsSince(context),
    sumsByPeriod(context, frame, { measures: ["completed"], isSummed: true }),
    // A segment's sums are computed from its members' tables, which is done once for all figures.
    sumsOfRange(context, frame, { measures: isOfAll ? measures : MEASURES, withDetail: true }),
    isOfAll ? subjectsOfRange(context, frame, [...STEPS, ...STAGES, "players.entered"]) : [],
    namesOf(context, "missions"),
  ]);
  const ids = new Set([...names.active(), ...sums.subjects("completed", "items"), ...paidMissions(sums), ...others]);
  const listed = [...ids].sort((a, b) => a - b).map((id) => ({ id, sums, names }));
  const orders = order === undefined ? {} : { [table.sort!]: order.of };
  const page = pageOf(listed, table, orders, (mission) => countOf(mission, "completed"));
  const ofPage = isOfAll
    ? await sumsOfRange(context, frame, { measures: MEASURES, withDetail: true, subjects: page.rows.map(({ id }) => id) })
    : sums;
  const completed = series.series({ measure: "completed" });
  const main = mainPart(totalOf(completed), listed, ({ id }) => sums.figure({ measure: "completed", subject: id }));
  return {
    frame: shown,
    countedSince: since,
    completed,
    totals: { completed: totalOf(completed), points: subtractFigure(pointsOf(sums), pointsOf(sums, UNKNOWN)), items: itemsOf(sums) },
    main: main && { subject: names.subject(main.id), figure: sums.figure({ measure: "completed", subject: main.id }) },
    table: {
      ...page,
      rows: page.rows.map(({ id }) => ({ subject: names.subject(id), active: names.isActive(id), ...figuresOf(context, ofPage, id) })),
    },
  };
}

/** The subject of points whose mission is unknown: they were granted before analytics began. */
const UNKNOWN = 0;

const pointsOf = (sums: Sums, subject?: number): Figure => sums.figure({ measure: "points.granted", subject, detail: "Mission" }, "amount");
const itemsOf = (sums: Sums, subject?: number): Figure => sums.figure({ measure: "items", subject }, "amount");

const paidMissions = (sums: Sums): number[] =>
  sums.rows("points.granted").flatMap(({ detail, subject }) => (detail === "Mission" && subject !== UNKNOWN ? [subject] : []));

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
    points: pointsOf(sums, subject),
    items: itemsOf(sums, subject),
    medianSeconds: quantile(durationsOf(sums, subject), 0.5),
  };
}

/** The durations in the range itself, without the range before. */
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
      sumsByPeriod(context, frame, { measures: [...STEPS, "completed", "points.granted"], withDetail: true, subjects: [subject] }),
      sumsOfRange(context, frame, { measures: [...MEASURES, "funnel.objective"], withDetail: true, subjects: [subject] }),
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

/** The days of recent completions, today included. */
const DAYS = 28;

/** Completions per mission in the last four weeks, by id: at most a sum a day of each mission, by the index. */
export async function countCompletions({ sql, population, today }: ReportContext): Promise<Map<number, number>> {
  const sums = await selectSums(sql, population, {
    measures: ["completed"],
    bounds: [shiftDate(today, 1 - DAYS)],
    end: shiftDate(today, 1),
  });
  return new Map(sums.map(({ subject, count }) => [subject, count]));
}

/** Completions of some missions in the last four weeks, in all and day by day; missions without any are left out. */
export async function reportCompletions({ sql, population, definitions, today }: ReportContext, keys: readonly string[]) {
  const ids = new Map(
    keys.flatMap((key) => {
      const mission = definitions.missionsByKey.get(key);
      return mission === undefined ? [] : [[mission.id, key]];
    }),
  );
  const sums = await selectSums(sql, population, {
    measures: ["completed"],
    bounds: Array.from({ length: DAYS }, (_, at) => shiftDate(today, at + 1 - DAYS)),
    end: shiftDate(today, 1),
    subjects: [...ids.keys()],
  });
  return {
    completions: [...Map.groupBy(sums, ({ subject }) => subject)].map(([subject, own]) => {
      const days = Array.from({ length: DAYS }, (_, at) => own.find(({ bucket }) => bucket === at + 1)?.count ?? 0);
      return { key: ids.get(subject)!, count: days.reduce((sum, count) => sum + count, 0), days };
    }),
  };
}
