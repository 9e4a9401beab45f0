import { waitAfter } from "./schedule.ts";

/** The outcome of an attempt for its delivery; a pending one is tried again after `waitMs`. */
export type Outcome = { status: "Delivered" } | { status: "Failed" } | { status: "Pending"; waitMs: number };

/** The result of an attempt; `status` is null when no answer came. `retryAfter` is in milliseconds. */
export interface Answer {
  status: number | null;
  retryAfter: number | null;
}

/** The 4xx answers that say "not now" rather than "no". */
const RETRIED = [408, 429];

/**
 * Success is 2xx. Any other 4xx is the receiver's last word (a 401 too). Everything else is tried again: 5xx, no answer
 * in time, no connection, and redirects, which are never followed.
 */
export function outcomeOf(number: number, answer: Answer, jitter: number): Outcome {
  const { status } = answer;
  if (status !== null && status >= 200 && status < 300) return { status: "Delivered" };
  if (status !== null && status >= 400 && status < 500 && !RETRIED.includes(status)) return { status: "Failed" };
  const waitMs = waitAfter(number, jitter, answer.retryAfter);
  return waitMs === null ? { status: "Failed" } : { status: "Pending", waitMs };
}
