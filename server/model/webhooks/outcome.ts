import type { WebhookEvent } from "./contract.ts";
import { HOUR, MINUTE, SECOND } from "../kernel/instant.ts";

/** The outcome of an attempt for its delivery; a pending one is tried again after `waitMs`. */
export type AttemptOutcome = { status: "Delivered" } | { status: "Failed" } | { status: "Pending"; waitMs: number };

/** The result of an attempt; `status` is null when no answer came. `retryAfter` is in milliseconds. */
export interface EndpointAnswer {
  status: number | null;
  retryAfter: number | null;
}

/** The 4xx statuses of temporary failures. */
const RETRIED = [408, 429];

/**
 * Success is 2xx. Any other 4xx is the receiver's last word (a 401 too). Everything else is tried again: 5xx, no answer
 * in time, no connection, and redirects, which are never followed.
 */
export function outcomeOf(number: number, answer: EndpointAnswer, jitter: number): AttemptOutcome {
  const { status } = answer;
  if (status !== null && status >= 200 && status < 300) return { status: "Delivered" };
  if (status !== null && status >= 400 && status < 500 && !RETRIED.includes(status)) return { status: "Failed" };
  const waitMs = waitAfter(number, jitter, answer.retryAfter);
  return waitMs === null ? { status: "Failed" } : { status: "Pending", waitMs };
}

/** The waits after the first, second, … failed attempt; if the attempt after the last wait fails, the delivery is given up. */
const WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

/** Jitter for retries of deliveries that failed together; added, so that no retry is early. */
const JITTER = 0.1;

const MAX_RETRY_AFTER = 24 * HOUR;

/**
 * Milliseconds until the next attempt after attempt `number` (from 1) has failed; null if it was the last. `jitter` is from 0 to 1. A
 * `Retry-After` counts when it is later, up to 24 hours.
 */
export function waitAfter(number: number, jitter: number, retryAfter: number | null): number | null {
  const wait = WAITS[number - 1];
  if (wait === undefined) return null;
  return Math.max(Math.round(wait * (1 + JITTER * jitter)), Math.min(retryAfter ?? 0, MAX_RETRY_AFTER));
}

const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/**
 * The milliseconds a `Retry-After` header asks to wait: seconds or an HTTP date (RFC 9110 10.2.3); null if it is neither. `now` is by
 * the clock of the receiver.
 */
export function readRetryAfter(header: string, now: number): number | null {
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  const date = HTTP_DATE.test(text) ? text : ASCTIME_DATE.test(text) ? `${text} GMT` : null;
  if (date === null) return null;
  const at = Date.parse(date);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Held deliveries are given up after this time. */
export const HELD_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/** The status in a delivery's row. */
type Kept = "Pending" | "Delivered" | "Failed";

export type ShownStatus = Kept | "Held";

/** A pending delivery of an endpoint that is off is held. */
export const shownStatus = (kept: Kept, isOn: boolean): ShownStatus => (kept === "Pending" && !isOn ? "Held" : kept);

/** The events that people may send again: those that make a receiver hand something out. The others only inform. */
export const RESENT: readonly WebhookEvent[] = ["mission.completed", "catalog_item.fulfillment_requested"];

/** Deliveries to resend are counted up to this number, which then means "or more". */
export const MAX_COUNTED = 10_000;

/** Why a delivery of this event cannot be resent; null if it can. */
export const resendProblem = (event: string): string | null =>
  RESENT.some((one) => one === event) ? null : `Only ${RESENT.join(" and ")} can be resent, not ${event}.`;
