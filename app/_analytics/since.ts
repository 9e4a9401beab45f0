import { longDate } from "./dates.ts";

/** Says since when some figures are counted, where the range begins before that. */
export function sinceWords(what: string, since: string | null, { from }: { from: string }): string | undefined {
  if (since === null) return `${what} have not been counted yet.`;
  return since > from ? `${what} are counted since ${longDate(since)}.` : undefined;
}
