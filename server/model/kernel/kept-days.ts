import { DAY } from "./instant.ts";

/** The choices of how long an environment keeps its events, in days since they were received; null is for ever. */
export const EVENT_DAYS = [30, 90, 180, 395, 760] as const;

/** The choices of how long it keeps requests to the API, in days. */
export const REQUEST_DAYS = [1, 7, 30] as const;

export interface RetentionChoice {
  eventDays: (typeof EVENT_DAYS)[number] | null;
  requestDays: (typeof REQUEST_DAYS)[number];
}

export const DEFAULT_REQUEST_DAYS = 7;

/** The bounds of the request log: age, and rows for each environment. Items are kept no longer than requests. */
export const REQUEST_LOG_BOUNDS = {
  requests: { ms: DEFAULT_REQUEST_DAYS * DAY, rows: 100_000 },
  items: { ms: DEFAULT_REQUEST_DAYS * DAY, rows: 10_000 },
} as const;

/** The first UUIDv7 of an instant, epoch milliseconds: ids of requests sort by time. */
export function firstIdAt(instant: number): string {
  const hex = Math.max(0, Math.floor(instant)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}
