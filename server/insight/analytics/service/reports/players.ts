import { nextStart, formatDay, parseDay } from "#server/model/kernel/calendar.ts";
import type { Frame } from "#server/model/analytics/frame.ts";
import { selectSums } from "../../store/sums.ts";
import { subtract, MAX_COHORT_WEEKS, totalOf } from "#server/model/analytics/sums.ts";
import { type ReportRange, rangeFrame, type ReportContext, shownFrame, sumsByPeriod } from "./context.ts";

const ACTIVE = { Day: "active.day", Week: "active.week", Month: "active.month" } as const;

/** Active players, new and returning, and weekly retention. */
export async function reportPlayers(context: ReportContext, range: ReportRange) {
  const frame = rangeFrame(range);
  const measure = ACTIVE[range.by];
  const [shown, sums, cohorts] = await Promise.all([
    shownFrame(context, frame),
    sumsByPeriod(context, frame, { measures: [measure, "new"] }),
    cohortsOf(context, frame),
  ]);
  const active = sums.series({ measure });
  const fresh = sums.series({ measure: "new" });
  return { frame: shown, active, new: fresh, returning: subtract(active, fresh), totals: { new: totalOf(fresh) }, cohorts };
}

/**
 * By first week within the range: active players in it and in each later week, up to the current one. A square of the last weeks, since a
 * range of months has decades, and each week of them would have a count for each later one.
 */
async function cohortsOf({ sql, population, today }: ReportContext, { from, to }: Frame) {
  const firsts = weeksFrom(from, to < today ? to : today)
    .filter((week) => week >= from)
    .slice(-MAX_COHORT_WEEKS);
  if (firsts.length === 0) return [];
  const last = parseDay(firsts.at(-1)!) + (MAX_COHORT_WEEKS - 1) * 7;
  const weeks = weeksFrom(firsts[0]!, formatDay(Math.min(last, parseDay(today))));
  const end = formatDay(parseDay(weeks.at(-1)!) + 7);
  const rows = await selectSums(sql, population, { measures: ["retention"], bounds: weeks, end, withDetail: true, details: firsts });
  const counts = new Map(rows.map(({ detail, bucket, count }) => [`${detail} ${weeks[bucket - 1]}`, count]));
  return firsts
    .map((week, at) => ({
      week,
      counts: weeks.slice(at, at + MAX_COHORT_WEEKS).map((later) => counts.get(`${week} ${later}`) ?? 0),
    }))
    .filter((cohort) => cohort.counts[0]! > 0);
}

/** The Mondays of the weeks of a range. */
function weeksFrom(from: string, to: string): string[] {
  const weeks: string[] = [];
  // The Monday of the week: three days off a multiple of seven since 1970-01-01, a Thursday.
  for (let week = Math.floor((parseDay(from) + 3) / 7) * 7 - 3; week <= parseDay(to); week = nextStart("Week", week))
    weeks.push(formatDay(week));
  return weeks;
}
