import type { Sql } from "#db/client.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import { type Orders, pageOf, type TableView } from "#server/model/analytics/table.ts";
import { type BoardPeriod, selectBoardPeriods, selectScoreRanges, selectScores, type ScoreRange } from "../../store/boards.ts";
import { choicesOf, type Names, namesOf, type ReportContext } from "./context.ts";

/** The most score ranges that are shown. */
const MAX_RANGES = 40;
/** Up to this many scores are read one by one: the stored ranges, which are for ranks, hold 250 each and would be too few. */
const MAX_SCORES = 10_000;
const MAX_GROUPS = 20;

interface Listed {
  board: Leaderboard;
  names: Names;
  /** The newest two; empty unless the table is sorted by them. */
  periods: readonly BoardPeriod[];
  now: number;
}

/** The participants of the running period and of the one before it; null without one. A period that has ended may not have settled yet. */
function participantsOf({ periods, now }: Pick<Listed, "periods" | "now">) {
  const [newest, second] = periods;
  const isRunning = newest !== undefined && (newest.endsAt === null || newest.endsAt > now);
  const [current, before] = isRunning ? [newest, second] : [undefined, newest];
  return { now: current?.participants ?? null, before: before?.participants ?? null };
}

const ranksOf = ({ teamAttributeId }: Leaderboard) => (teamAttributeId === null ? ("Players" as const) : ("Teams" as const));

/** What each column of the table sorts by. */
const ORDERS: Orders<Listed> = {
  board: ({ board, names }) => names.name(board.id),
  ranks: ({ board }) => ranksOf(board),
  now: (listed) => participantsOf(listed).now,
  before: (listed) => participantsOf(listed).before,
};

/**
 * Participation by period, and the distribution of scores: of the board with a key, or else the first; of all boards a page at a time,
 * with the last two periods. Boards keep these counts themselves, for ranks.
 */
export async function reportLeaderboards(context: ReportContext, { of: key, table }: { of: string | null; table: TableView }) {
  const { sql, definitions, now } = context;
  const names = await namesOf(context, "leaderboards");
  const { chosen, choices } = choicesOf(definitions.leaderboards, names, key);
  const isByPeriods = table.sort === "now" || table.sort === "before";
  const sorting = isByPeriods
    ? await selectBoardPeriods(
        sql,
        definitions.leaderboards.map(({ id }) => id),
        now,
        2,
      )
    : null;
  const listed = definitions.leaderboards.map((board) => ({ board, names, now, periods: sorting?.get(board.id) ?? [] }));
  const page = pageOf(listed, table, ORDERS);
  const shown = new Set(page.rows.map(({ board }) => board.id));
  if (chosen !== null) shown.add(chosen.id);
  const periods = await selectBoardPeriods(sql, [...shown], now);
  return {
    choices,
    table: {
      ...page,
      rows: page.rows.map(({ board }) => {
        const own = periods.get(board.id) ?? [];
        return {
          subject: names.subject(board.id),
          ranks: ranksOf(board),
          ...participantsOf({ periods: own, now }),
          movement: own.find(({ movement }) => movement !== null)?.movement ?? null,
        };
      }),
    },
    row: chosen && (await rowOf(context, chosen, names, periods.get(chosen.id) ?? [])),
  };
}

async function rowOf({ sql }: ReportContext, board: Leaderboard, names: Names, own: readonly BoardPeriod[]) {
  const newest = own.find(({ participants }) => participants > 0);
  const isHighestFirst = board.rankOrder === "HighestFirst";
  return {
    subject: names.subject(board.id),
    isLeague: board.league !== null,
    ranks: ranksOf(board),
    periods: own.map(({ number, start, startsAt, endsAt, isSettled, participants, movement }) => ({
      number,
      start: start === "" ? null : start,
      startsAt: startsAt === null ? null : formatInstant(startsAt),
      endsAt: endsAt === null ? null : formatInstant(endsAt),
      isSettled,
      participants,
      movement,
    })),
    scores: newest === undefined ? [] : await scoresOf(sql, newest, isHighestFirst),
  };
}

async function scoresOf(sql: Sql, { id, participants }: BoardPeriod, isHighestFirst: boolean) {
  if (participants <= MAX_SCORES) {
    const scores = await selectScores(sql, id);
    return groups(isHighestFirst ? scores.map(({ score, count }) => ({ score: negated(score)!, count })).reverse() : scores);
  }
  const ranges = await selectScoreRanges(sql, id);
  return fewer(isHighestFirst ? ranges.map(mirrored).reverse() : ranges);
}

/** Groups scores, in ascending order, by equal steps from the least to the greatest; a group is named by the scores in it. */
function groups(scores: readonly { score: string; count: number }[]): { from: string; to: string; count: number }[] {
  const [least, greatest] = [Number(scores[0]?.score), Number(scores.at(-1)?.score)];
  const groupOf = (score: string, at: number): number =>
    scores.length <= MAX_GROUPS ? at : Math.min(MAX_GROUPS - 1, Math.floor(((Number(score) - least) / (greatest - least)) * MAX_GROUPS));
  const grouped = Map.groupBy(scores.entries(), ([at, { score }]) => groupOf(score, at));
  return [...grouped.values()].map((own) => ({
    from: own[0]![1].score,
    to: own.at(-1)![1].score,
    count: own.reduce((sum, [, { count }]) => sum + count, 0),
  }));
}

/** Boards that rank the highest first store negated scores. */
const mirrored = ({ lower, upper, count }: ScoreRange): ScoreRange => ({ lower: negated(upper), upper: negated(lower), count });

const negated = (text: string | null): string | null =>
  text === null || /^0(\.0*)?$/.test(text) ? text : text.startsWith("-") ? text.slice(1) : `-${text}`;

/** Merges neighbouring ranges until few enough can be shown. */
function fewer(ranges: readonly ScoreRange[]): { from: string | null; to: string | null; count: number }[] {
  const size = Math.ceil(ranges.length / MAX_RANGES);
  const joined: { from: string | null; to: string | null; count: number }[] = [];
  for (let at = 0; at < ranges.length; at += size) {
    const some = ranges.slice(at, at + size);
    joined.push({ from: some[0]!.lower, to: some.at(-1)!.upper, count: some.reduce((sum, { count }) => sum + count, 0) });
  }
  return joined;
}
