import postgres from "postgres";

/** The driver's own error: drizzle wraps it in one that has no code. */
const driverError = (error: unknown): unknown =>
  error instanceof Error && !("code" in error) && error.cause !== undefined ? driverError(error.cause) : error;

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "");

/** Whether a transaction lost against another and may simply be run again: a deadlock or a serialization failure. */
export const isConflict = (error: unknown): boolean => ["40P01", "40001"].includes(codeOf(driverError(error)));

const LOST_CONNECTION = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "CONNECTION_WAIT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
]);

/**
 * Whether the database is out of reach or has no room: connection lost or not to be had, shutting down, starting, too many clients; or
 * whether somebody held a lock for longer than one waits (55P03), which is a long reset of an environment.
 */
export function isUnavailable(error: unknown): boolean {
  const inner = driverError(error);
  const code = codeOf(inner);
  return inner instanceof postgres.PostgresError ? /^(08|53|55P03|57P|58)/.test(code) : LOST_CONNECTION.has(code);
}

/** Whether the server is there and will be ready: it starts, or recovers from a crash. */
export const isStarting = (error: unknown): boolean => codeOf(driverError(error)) === "57P03";

/** Whether a row would be there twice that may be there once. */
export const isDuplicate = (error: unknown): boolean => codeOf(driverError(error)) === "23505";

/** Whether a statement was cut off because it took longer than `statement_timeout`. */
export const isTimeout = (error: unknown): boolean => codeOf(driverError(error)) === "57014";
