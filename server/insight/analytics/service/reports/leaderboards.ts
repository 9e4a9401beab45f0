import { formatInstant } from "#server/model/kernel/time.ts";
import { selectBoardPeriods, selectScoreRanges, type ScoreRange } from "../../store/boards.ts";
import { namesOf, type ReportContext } from "./context.ts";

/** The most score ranges that are shown. */
const MAX_RANGES = 40;

/** Participation by period, and the distribution of scores. Boards keep these counts themselves, for ranks. */
export async function reportLeaderboards(context: ReportContext) {
  const { sql, environment, definitions } = context;
  const [periods, names] = await Promise.all([selectBoardPeriods(sql, environment.id), namesOf(context, "leaderboards")]);
  const rows = definitions.leaderboards.map(async ({ id, rankOrder, teamAttributeId, league }) => {
    const own = periods.get(id) ?? [];
    const newest = own.find(({ participants }) => participants > 0);
    const ranges = newest === undefined ? [] : await selectScoreRanges(sql, newest.id);
    return {
      subject: names.subject(id),
      isLeague: league !== null,
      ranks: teamAttributeId === null ? ("Players" as const) : ("Teams" as const),
      periods: own.map(({ number, start, startsAt, endsAt, isSettled, participants, movement }) => ({
        number,
        start: start === "" ? null : start,
        startsAt: startsAt === null ? null : formatInstant(startsAt),
        endsAt: endsAt === null ? null : formatInstant(endsAt),
        isSettled,
        participants,
        movement,
      })),
      scores: fewer(rankOrder === "HighestFirst" ? ranges.map(mirrored).reverse() : [...ranges]),
    };
  });
  return { rows: await Promise.all(rows) };
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
