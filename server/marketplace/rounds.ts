import type { Listing } from "./definition.ts";
import { periodAt, periodsBetween } from "../kernel/time.ts";

/** What stock and limits of a listing count against. */
export interface Round {
  /** From 0. What is shown; an edit of the start of the sale may give another one. */
  number: number;
  /** The local start of its period, empty where the listing does not repeat: what makes it one and the same, whatever is edited. */
  start: string;
}

const ONLY_ROUND: Round = { number: 0, start: "" };

/**
 * The round of a listing that runs at `now`, in the project's zone, which players share (decisions.md 2.3): the number is how
 * many calendar boundaries were crossed since the start of the sale, or else since the listing was made.
 */
export function roundAt({ recurrence, onSale, createdAt }: Listing, now: number, projectZone: string): Round {
  if (recurrence.kind === "None") return ONLY_ROUND;
  const { start } = periodAt(now, projectZone, recurrence.every);
  const first = periodAt(onSale.startsAt ?? createdAt, projectZone, recurrence.every);
  return { number: periodsBetween(recurrence.every, first.start, start), start };
}
