import type { Listing } from "./definition.ts";
import { periodAt, periodsBetween } from "../kernel/time.ts";

/** The round that stock and limits of a listing count against. */
export interface Round {
  /** From 0, for display; an edit of the sale's start may change it. */
  number: number;
  /** The local start of its period, empty for a listing without recurrence. It identifies the round, whatever is edited. */
  start: string;
}

const ONLY_ROUND: Round = { number: 0, start: "" };

/**
 * The round of a listing that runs at `now`, in the project's zone, which players share: the number is how
 * many calendar boundaries were crossed since the start of the sale, or else since the listing was made.
 */
export function roundAt({ recurrence, onSale, createdAt }: Listing, now: number, projectZone: string): Round {
  if (recurrence.kind === "None") return ONLY_ROUND;
  const { start } = periodAt(now, projectZone, recurrence.every);
  const first = periodAt(onSale.startsAt ?? createdAt, projectZone, recurrence.every);
  return { number: periodsBetween(recurrence.every, first.start, start), start };
}
