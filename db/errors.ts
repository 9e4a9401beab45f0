import postgres from "postgres";

/** The driver's own error, which has a code: while migrating, drizzle wraps it in an error without one. */
const driverError = (error: unknown): unknown =>
  error instanceof Error && !("code" in error) && error.cause !== undefined ? driverError(error.cause) : error;

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "");

/** Whether a transaction can simply be retried: a deadlock or a serialization failure. */
export const isConflict = (error: unknown): boolean => ["40P01", "40001"].includes(codeOf(driverError(error)));

/** Thrown in a transaction that depends on one that a crash left unfinished. Callers retry later, as when the database is unavailable. */
export class Postponed extends Error {}

const TRIES = 4;

/** Retries `run` after conflicts; it may have no effects outside the database. Throws `refusal` if the last try conflicts too. */
export async function retryingConflicts<T>(run: () => Promise<T>, refusal: () => Error): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (attempt === TRIES) throw refusal();
    }
  }
}

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
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** Citus's message when a machine of the database is gone; it has no error code of its own (docs/scaling.md). */
const LOST_MACHINE =
  /marked as essential|terminating connection due to|server closed the connection|could not (?:receive|send) data|no connection to the server|connection not open|postmaster was shut down/;

/**
 * Whether the database is unreachable or has no room: connection lost or refused, shutting down, starting, too many clients. A lock wait
 * that timed out (55P03) counts too: it means a long reset of an environment.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Postponed) return true;
  const inner = driverError(error);
  const code = codeOf(inner);
  if (!(inner instanceof postgres.PostgresError)) return LOST_CONNECTION.has(code);
  return /^(08|53|55P03|57P|58)/.test(code) || (code === "XX000" && LOST_MACHINE.test(inner.message));
}

/** Whether the server will be ready soon: it is starting, or recovering from a crash. */
export const isStarting = (error: unknown): boolean => codeOf(driverError(error)) === "57P03";

/** Whether a unique constraint was violated. */
export const isDuplicate = (error: unknown): boolean => codeOf(driverError(error)) === "23505";

/** Whether `statement_timeout` ended a statement. */
export const isTimeout = (error: unknown): boolean => codeOf(driverError(error)) === "57014";
