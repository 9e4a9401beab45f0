import { shiftDate } from "#server/model/kernel/time.ts";
import type { AnalyticsReports } from "../../contract.dashboard.ts";
import { selectSums } from "../../store/sums.ts";
import { namesOf, type ReportContext } from "./context.ts";

/** Today and the days before it that count. */
const DAYS = 28;

/** Completions per mission in the last four weeks; missions without any are left out. */
export async function reportCompletions(context: ReportContext): Promise<AnalyticsReports["completions"]> {
  const { sql, population, today } = context;
  const [sums, names] = await Promise.all([
    selectSums(sql, population, { measures: ["completed"], bounds: [shiftDate(today, 1 - DAYS)], end: shiftDate(today, 1) }),
    namesOf(context, "missions"),
  ]);
  return {
    completions: sums.flatMap(({ subject, count }) => {
      const { key } = names.subject(subject);
      return key === null ? [] : [{ key, count }];
    }),
  };
}
