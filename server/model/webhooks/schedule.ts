const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits after the first, second, … failed attempt; after the one that follows the last wait the delivery is given up. */
const WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

/** Jitter for retries of deliveries that failed together; added, so that no retry is early. */
const JITTER = 0.1;

const MAX_RETRY_AFTER = 24 * HOUR;

/**
 * Milliseconds until the next attempt after attempt `number` (from 1) has failed, or null when it was the last
 *. `jitter` is from 0 to 1. A `Retry-After` counts when it is later, up to 24 hours.
 */
export function waitAfter(number: number, jitter: number, retryAfter: number | null): number | null {
  const wait = WAITS[number - 1];
  if (wait === undefined) return null;
  return Math.max(Math.round(wait * (1 + JITTER * jitter)), Math.min(retryAfter ?? 0, MAX_RETRY_AFTER));
}

const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** The milliseconds a `Retry-After` header asks to wait: seconds or an HTTP date (RFC 9110 10.2.3); null if it is neither. `now` is real time. */
export function readRetryAfter(header: string, now: number): number | null {
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  const date = HTTP_DATE.test(text) ? text : ASCTIME_DATE.test(text) ? `${text} GMT` : null;
  if (date === null) return null;
  const at = Date.parse(date);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
