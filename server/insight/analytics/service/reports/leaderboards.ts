import { formatInstant } from "#server/model/kernel/time.ts";
import type { AnalyticsReports } from "../../contract.dashboard.ts";
import { selectBoardPeriods, selectScoreRanges, type ScoreRange } from "../../store/boards.ts";
import { namesOf, type ReportContext } from "./context.ts";

/** The most ranges of scores that are shown. */
const MOST_RANGES = 40;

/** Who takes part in which period, and how scores lie. Boards keep these counts themselves, for ranks. */
export async function reportLeaderboards(context: ReportContext): Promise<AnalyticsReports["leaderboards"]> {
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

/** The scores of boards with the highest first are kept negated. */
const mirrored = ({ lower, upper, count }: ScoreRange): ScoreRange => ({ lower: negated(upper), upper: negated(lower), count });

const negated = (text: string | null): string | null =>
  text === null || /^0(\.0*)?$/.test(text) ? text : text.startsWith("-") ? text.slice(1) : `-${text}`;

/** Neighbours together, until there are few enough to be shown. */
function fewer(ranges: readonly ScoreRange[]): { from: string | null; to: string | null; count: number }[] {
  const size = Math.ceil(ranges.length / MOST_RANGES);
  const joined: { from: string | null; to: string | null; count: number }[] = [];
  for (let at = 0; at < ranges.length; at += size) {
    const some = ranges.slice(at, at + size);
    joined.push({ from: some[0]!.lower, to: some.at(-1)!.upper, count: some.reduce((sum, { count }) => sum + count, 0) });
  }
  return joined;
}
