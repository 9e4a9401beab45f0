import { addressOf, type StateOf } from "../../client/address.ts";

const version = (text: string): string | null => (/^\d{1,9}$/.test(text) ? text : null);

/** View state of a history in its URL: the page of the list (versions below `before`; by default the newest), and the compared versions. */
export const HISTORY = addressOf({ before: version, from: version, to: version });

export type HistoryView = StateOf<typeof HISTORY>;

/** The two versions to compare: from the address, or the newest and its predecessor. 0 is before the first. */
export function pairOf({ from, to }: HistoryView, newest: number): { from: number; to: number } {
  const last = to === null ? newest : Number(to);
  return { from: from === null ? last - 1 : Number(from), to: last };
}
