import { formatInstant } from "#server/model/kernel/time.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import { type Orders, pageOf, type TableView } from "#server/model/analytics/table.ts";
import { type BoardPeriod, selectBoardPeriods, selectScoreRanges, type ScoreRange } from "../../store/boards.ts";
import { choicesOf, type Names, namesOf, type ReportContext } from "./context.ts";

/** The most score ranges that are shown. */
const MAX_RANGES = 40;

interface Listed {
  board: Leaderboard;
  names: Names;
  /** The newest two; only for sorting by them. */
  periods: readonly BoardPeriod[];
}

const ranksOf = ({ teamAttributeId }: Leaderboard) => (teamAttributeId === null ? ("Players" as const) : ("Teams" as const));

/** What each column of the table sorts by. */
const ORDERS: Orders<Listed> = {
  board: ({ board, names }) => names.name(board.id),
  ranks: ({ board }) => ranksOf(board),
  now: ({ periods }) => periods[0]?.participants ?? null,
  before: ({ periods }) => periods[1]?.participants ?? null,
};

/**
 * Participation by period, and the distribution of scores: of the board with a key, or else the first; of all boards a page at a time,
 * with the last two periods. Boards keep these counts themselves, for ranks.
 */
export async function reportLeaderboards(context: ReportContext, { of: key, table }: { of: string | null; table: TableView }) {
  const { sql, definitions } = context;
  const names = await namesOf(context, "leaderboards");
  const { chosen, choices } = choicesOf(definitions.leaderboards, names, key);
  const isByPeriods = table.sort === "now" || table.sort === "before";
  const sorting = isByPeriods
    ? await selectBoardPeriods(
        sql,
        definitions.leaderboards.map(({ id }) => id),
        2,
      )
    : null;
  const listed = definitions.leaderboards.map((board) => ({ board, names, periods: sorting?.get(board.id) ?? [] }));
  const page = pageOf(listed, table, ORDERS);
  const shown = new Set(page.rows.map(({ board }) => board.id));
  if (chosen !== null) shown.add(chosen.id);
  const periods = await selectBoardPeriods(sql, [...shown]);
  return {
    choices,
    table: {
      ...page,
      rows: page.rows.map(({ board }) => {
        const own = periods.get(board.id) ?? [];
        return {
          subject: names.subject(board.id),
          ranks: ranksOf(board),
          now: own[0]?.participants ?? null,
          before: own[1]?.participants ?? null,
          movement: own.find(({ movement }) => movement !== null)?.movement ?? null,
        };
      }),
    },
    row: chosen && (await rowOf(context, chosen, names, periods.get(chosen.id) ?? [])),
  };
}

async function rowOf({ sql }: ReportContext, board: Leaderboard, names: Names, own: readonly BoardPeriod[]) {
  const newest = own.find(({ participants }) => participants > 0);
  const ranges = newest === undefined ? [] : await selectScoreRanges(sql, newest.id);
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
    scores: fewer(board.rankOrder === "HighestFirst" ? ranges.map(mirrored).reverse() : [...ranges]),
  };
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
