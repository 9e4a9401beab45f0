const HOUR_MS = 60 * 60 * 1000;

/** How long the log is kept, and how much of an environment. */
export const KEPT = {
  requests: { ms: 7 * 24 * HOUR_MS, rows: 100_000 },
  items: { ms: 24 * HOUR_MS, rows: 10_000 },
} as const;

/** The first UUIDv7 of an instant, epoch milliseconds: ids of requests sort by time. */
export function firstIdAt(instant: number): string {
  const hex = Math.max(0, Math.floor(instant)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}
