import postgres from "postgres";

/** The driver's own error: while migrating, drizzle wraps it in one that has no code. */
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
 * Whether the database is out of reach or has no room: connection lost or refused, shutting down, starting, too many clients. A lock wait
 * that timed out (55P03) counts too: it is a long reset of an environment.
 */
export function isUnavailable(error: unknown): boolean {
  const inner = driverError(error);
  const code = codeOf(inner);
  return inner instanceof postgres.PostgresError ? /^(08|53|55P03|57P|58)/.test(code) : LOST_CONNECTION.has(code);
}

/** Whether the server will be ready soon: it starts, or recovers from a crash. */
export const isStarting = (error: unknown): boolean => codeOf(driverError(error)) === "57P03";

/** Whether a unique row would exist twice. */
export const isDuplicate = (error: unknown): boolean => codeOf(driverError(error)) === "23505";

/** Whether `statement_timeout` ended a statement. */
export const isTimeout = (error: unknown): boolean => codeOf(driverError(error)) === "57014";
