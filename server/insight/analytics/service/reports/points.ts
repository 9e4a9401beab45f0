import { Decimal, type Numeric } from "#server/model/kernel/decimal.ts";
import { formatInstant, parseInstant, periodFrom } from "#server/model/kernel/time.ts";
import { balanceBucket, countMembersBalances, selectSnapshot } from "../../store/snapshots.ts";
import { selectValuations, sumBefore } from "../../store/sums.ts";
import { type Figure, type Series, type Sums, subtract, subtractFigure, mainPart, totalOf } from "#server/model/analytics/sums.ts";
import { type Orders, pageOf, type TableView } from "#server/model/analytics/table.ts";
import { type Names, type ReportRange, type ReportContext, namesOf, rangeFrame, shownFrame, sumsByPeriod, sumsOfRange } from "./context.ts";

const MEASURES = ["points.granted", "points.spent", "points.refunded", "points.credited", "points.debited"] as const;
/** Whether a movement adds points or takes them. */
const SIGNS = { "points.granted": 1, "points.spent": -1, "points.refunded": 1, "points.credited": 1, "points.debited": -1 } as const;

/** In the order of their words in the table: leaderboard prize, mission, purchase, streak milestone. */
const SOURCES = ["Leaderboard", "Mission", "MarketplacePurchase", "StreakMilestone"] as const;

interface Source {
  type: (typeof SOURCES)[number];
  id: number;
  sums: Sums;
  names: Names;
}

const isUse = ({ type }: Source): boolean => type === "MarketplacePurchase";

/** The points of a source; those of a use are net of refunds. */
function pointsOf(source: Source): Figure {
  const of = (measure: (typeof MEASURES)[number]) => source.sums.figure({ measure, subject: source.id, detail: source.type }, "amount");
  return isUse(source) ? subtractFigure(of("points.spent"), of("points.refunded")) : of("points.granted");
}

const transactionsOf = (source: Source): Figure =>
  source.sums.figure({ measure: isUse(source) ? "points.spent" : "points.granted", subject: source.id, detail: source.type });

/** What each column of the table sorts by. */
const ORDERS: Orders<Source> = {
  type: ({ type }) => SOURCES.indexOf(type),
  name: ({ id, names }) => names.name(id),
  points: (source) => (isUse(source) ? -1 : 1) * pointsOf(source).value,
  transactions: (source) => transactionsOf(source).value,
};

/** Sources and uses of points, a page at a time, and what players hold. */
export async function reportPoints(context: ReportContext, { table, ...range }: ReportRange & { table: TableView }) {
  const frame = rangeFrame(range);
  const { sql, environment, population } = context;
  const [shown, sums, bySource, held, names, valuations, balances] = await Promise.all([
    shownFrame(context, frame),
    sumsByPeriod(context, frame, { measures: MEASURES, isSummed: true }),
    sumsOfRange(context, frame, { measures: ["points.granted", "points.spent", "points.refunded"], withDetail: true }),
    sumBefore(sql, population, MEASURES, frame.before.from),
    namesOf(context, "missions", "streaks", "leaderboards", "marketplaceItems"),
    selectValuations(sql, environment.id),
    balancesOf(context),
  ]);
  const series = (measure: (typeof MEASURES)[number]): Series => sums.series({ measure }, "amount");
  const [gross, refunded] = [series("points.spent"), series("points.refunded")];
  const flows = { granted: series("points.granted"), spent: subtract(gross, refunded), gross, refunded };
  const byHand = { credited: series("points.credited"), debited: series("points.debited") };
  const before = MEASURES.reduce((sum, measure) => sum + SIGNS[measure] * plain(held.get(measure) ?? 0), 0);
  const outstanding = runningSum(
    before,
    MEASURES.map((measure) => ({ sign: SIGNS[measure], ...series(measure) })),
  );
  const sources = SOURCES.flatMap((type) => subjectsOf(bySource, type).map((id): Source => ({ type, id, sums: bySource, names })));
  const page = pageOf(sources, table, ORDERS, (source) => pointsOf(source).value);
  const granted = totalOf(flows.granted);
  const main = mainPart(
    granted,
    sources.filter((source) => !isUse(source)),
    pointsOf,
  );
  const subjectOf = ({ id }: Source) => (id === 0 ? null : names.subject(id));
  return {
    frame: shown,
    ...flows,
    ...byHand,
    outstanding,
    totals: {
      granted,
      spent: totalOf(flows.spent),
      gross: totalOf(gross),
      refunded: totalOf(refunded),
      credited: totalOf(byHand.credited),
      debited: totalOf(byHand.debited),
      outstanding: { value: outstanding.values.at(-1) ?? 0, before: outstanding.before.at(-1) ?? 0 },
    },
    main: main && { type: main.type, subject: subjectOf(main), figure: pointsOf(main) },
    table: {
      ...page,
      rows: page.rows.map((source) => ({
        type: source.type,
        subject: subjectOf(source),
        points: pointsOf(source),
        transactions: transactionsOf(source),
      })),
    },
    valuation: inEffect(valuations, Math.min(context.now, periodFrom(frame.to, "Day", environment.timeZone).endsAt - 1)),
    balances,
  };
}

/** The balances of all players as counted once a day, those of a segment as they are now. */
async function balancesOf({ sql, environment, population: { segment }, now }: ReportContext): ReturnType<typeof selectSnapshot> {
  if (segment === null) return selectSnapshot(sql, environment.id, "Balances", 0);
  const counted = await countMembersBalances(sql, segment);
  return { takenAt: formatInstant(now), buckets: counted.map(balanceBucket) };
}

/** The definitions with points of a source type: granted, or spent and refunded. */
const subjectsOf = (sums: Sums, type: (typeof SOURCES)[number]): number[] => {
  const measures = type === "MarketplacePurchase" ? ["points.spent", "points.refunded"] : ["points.granted"];
  const found = measures.flatMap((measure) => sums.rows(measure).flatMap(({ detail, subject }) => (detail === type ? [subject] : [])));
  return [...new Set(found)].sort((a, b) => a - b);
};

const plain = (value: Numeric): number => (typeof value === "number" ? value : Decimal.of(value).toNumber());

/** The balance at the end of each period, from the balance before the first. */
function runningSum(before: number, flows: readonly (Series & { sign: number })[]): Series {
  let held = before;
  const add = (side: keyof Series) =>
    flows[0]![side].map((_, at) => (held += flows.reduce((sum, flow) => sum + flow.sign * flow[side][at]!, 0)));
  const earlier = add("before");
  return { before: earlier, values: add("values") };
}

/** The last valuation that had taken effect by an instant. */
function inEffect(valuations: Awaited<ReturnType<typeof selectValuations>>, at: number) {
  const dated = valuations.flatMap((one) => {
    const from = parseInstant(one.effectiveFrom);
    return from === null || from > at ? [] : [{ ...one, from }];
  });
  const last = dated.sort((a, b) => a.from - b.from).at(-1);
  return last === undefined
    ? null
    : { points: last.points, amount: last.amount, currency: last.currency, effectiveFrom: formatInstant(last.from) };
}
