import { longDate } from "./dates.ts";

/** Notes since when some figures are counted, where the range begins earlier. */
export function sinceWords(what: string, since: string | null, { from }: { from: string }): string | undefined {
  if (since === null) return `${what} have not been counted yet.`;
  return since > from ? `${what} are counted since ${longDate(since)}.` : undefined;
}

/** What the steps of a mission count. */
export const FUNNEL_WORDS =
  "Offered to Completed: of the times it was offered in this range, how many came that far by now. Completions: those in this range, whenever offered.";

/** Shown where a report filtered by segment leaves these out. */
export const NO_STEPS = "Offers, accepts and progress are not kept by player, so they cannot be shown for a segment.";
