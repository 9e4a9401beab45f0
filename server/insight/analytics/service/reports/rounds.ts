import { type Calendar, formatDay, nextStart, parseDay } from "#server/model/kernel/calendar.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { shiftDate } from "#server/model/kernel/time.ts";
import { roundAt } from "#server/model/marketplace/eligibility.ts";
import { type SoldRound, selectRoundsOf } from "../../store/shop.ts";
import { selectSums } from "../../store/sums.ts";
import { countingProgress, type ReportContext } from "./context.ts";

interface Page {
  key: string;
  /** The start of the period before this page; null for the first page. */
  cursor: string | null;
  limit: number;
}

const FIRST_DAY = "-infinity";
const LAST_DAY = "infinity";

/**
 * The periods of a listing, the newest first, including the current one before its first sale. Throws OperatorError for an unknown listing.
 */
export async function reportRounds(context: ReportContext, { key, cursor, limit }: Page) {
  const { sql, population, definitions, now } = context;
  const listing = definitions.listingsByKey.get(key);
  if (listing === undefined) throw new OperatorError("There is no such listing.");
  const { recurrence } = listing;
  const current = roundAt(listing, now, definitions.timeZone).start;
  const found = await selectRoundsOf(sql, listing.id, cursor, limit + 1);
  const all = cursor === null ? withCurrent(found, current, listing.stock) : found;
  const shown = all.slice(0, limit);
  const oldest = shown.at(-1)?.start ?? "";
  const [sums, progress] = await Promise.all([
    // A purchase is made within its period, and may be reversed later.
    selectSums(sql, population, {
      measures: ["purchased", "reversed"],
      bounds: [oldest === "" ? FIRST_DAY : shiftDate(oldest, -1)],
      end: LAST_DAY,
      withDetail: true,
      subjects: [listing.id],
    }),
    countingProgress(context),
  ]);
  const total = (measure: "purchased" | "reversed", round: string, field: "count" | "amount"): number =>
    sums.filter((sum) => sum.measure === measure && sum.detail === round).reduce((added, sum) => added + Number(sum[field]), 0);
  const row = ({ start, sold, stock }: Round) => {
    const isCurrent = start === current;
    return {
      start: start === "" ? null : start,
      end: start === "" || recurrence.kind === "None" ? null : lastDayOf(start, recurrence.every),
      isCurrent,
      sold,
      stock,
      revenue: total("purchased", start, "amount") - total("reversed", start, "amount"),
      reversedUnits: total("reversed", start, "count"),
    };
  };
  return { rounds: shown.map(row), next: all.length > limit ? oldest : null, progress };
}

type Round = Omit<SoldRound, "listingId">;

/** A listing's newest periods with the current one, also before its first sale, and its present stock. */
export function withCurrent(found: readonly Round[], current: string, stock: number | null): Round[] {
  const sold = found.find(({ start }) => start === current)?.sold ?? 0;
  const others = found.filter(({ start }) => start !== current);
  return [{ start: current, sold, stock }, ...others].sort((a, b) => (a.start < b.start ? 1 : -1));
}

const lastDayOf = (start: string, every: Calendar): string => formatDay(nextStart(every, parseDay(start)) - 1);
