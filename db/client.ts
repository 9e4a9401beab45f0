import postgres from "postgres";
import { parseJson } from "../server/model/kernel/json.ts";
import { OperatorError } from "../server/model/kernel/operator-error.ts";
import { driverAddress } from "./connection.ts";
import { behindGate, type PoolUse } from "./gate.ts";
import { parseInstant, writeInstant } from "./instants.ts";
import { noteSpread } from "./scale/parts.ts";
import { watchSockets } from "./sign-of-life.ts";

/**
 * A connection pool's query function, or that of a transaction: stores take either. `unsafe` is planned anew at each call, unless it says
 * `prepare: true`.
 */
export type Sql = postgres.Sql | postgres.TransactionSql;
export type Transaction = postgres.TransactionSql;

/** A connection pool. */
export interface Database {
  sql: postgres.Sql;
  /** The current use of its connections. */
  use(): PoolUse;
  close(): Promise<void>;
}

interface Options {
  connections?: number;
  /** How long a query or a transaction waits for a connection before it fails as unavailable; for ever when left out. */
  waitMs?: number;
  /** Connections idle for this long are closed; kept open when left out. */
  idleSeconds?: number;
  /** How long a connection may be in use before its server must give a sign of life. */
  silentMs?: number;
}

/**
 * Columns come back in camelCase. Numbers are exact: int8 within ±(2^53 − 1) as numbers, json with `Decimal` where a double would not do.
 * Instants (timestamptz) are epoch milliseconds, as rows and as parameters.
 */
export function openDatabase(databaseUrl: string, { connections = 10, waitMs, idleSeconds = 0, silentMs }: Options = {}): Database {
  const { url, options } = driverAddress(databaseUrl);
  const sockets = watchSockets(() => longestMs(), silentMs);
  const pool = postgres(url, {
    ...options,
    max: connections,
    idle_timeout: idleSeconds,
    onnotice: () => {},
    connection: { application_name: "engagement", TimeZone: "UTC", DateStyle: "ISO" },
    types: {
      int8: { to: 20, from: [20], serialize: String, parse: Number },
      json: { to: 114, from: [114, 3802], serialize: String, parse: parseJson },
      instant: { to: 1184, from: [1184], serialize: writeInstant, parse: parseInstant },
    },
    // Columns alone: keys inside json stay as they are.
    transform: { column: { from: postgres.toCamel } },
    socket: sockets.open,
    // Seconds between attempts; the default backs off to 20.
    backoff: () => 0.2,
    // Connection timeout in seconds; the default is 30.
    connect_timeout: 10,
  } as postgres.Options<Record<string, postgres.PostgresType>>);
  const { sql, use, longestMs } = behindGate(pool, waitMs);
  const close = () => sql.end({ timeout: 5 }).finally(() => sockets.end());
  return { sql, use, close };
}

/** Runs a transaction, and retries it after a deadlock or a serialization failure. `run` must have no effects outside the transaction. */
export const transact = async <T>({ sql }: Database, run: (tx: Transaction) => Promise<T>, tries?: number): Promise<T> =>
  retryingConflicts(async () => (await sql.begin(run)) as T, undefined, tries);

/** The statement timeout of read-only work, so that it does not slow down the service. */
const STATEMENT_MS = 4_000;

/**
 * Runs a read-only transaction on one snapshot; the database rejects writes. It takes one connection. A statement that takes too long fails
 * (`isTimeout`).
 */
export async function readOnly<T>({ sql }: Database, run: (tx: Transaction) => Promise<T>, statementMs = STATEMENT_MS): Promise<T> {
  const result = await sql.begin("isolation level repeatable read read only", async (tx) => {
    const isDistributed = await onlyValue(tx<{ isSpread: boolean; timeout: string }[]>`
      select is_spread() as is_spread, set_config('statement_timeout', ${String(statementMs)}, true) as timeout`);
    if (isDistributed) noteSpread(tx);
    return run(tx);
  });
  return result as T;
}

/** The first row of a query; null if there is none. */
export const firstRow = async <Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | null> => (await rows)[0] ?? null;

/** The row of a query that always has one. */
export const onlyRow = async <Row>(rows: PromiseLike<readonly Row[]>): Promise<Row> => (await rows)[0]!;

/** The value in the first row of a query of one column; null if there is no row. */
export async function firstValue<Row extends object>(rows: PromiseLike<readonly Row[]>): Promise<Row[keyof Row] | null> {
  const row = await firstRow(rows);
  return row && (Object.values(row)[0] as Row[keyof Row]);
}

/** The value in the row of a query of one column that always has one. */
export const onlyValue = async <Row extends object>(rows: PromiseLike<readonly Row[]>): Promise<Row[keyof Row]> =>
  Object.values(await onlyRow(rows))[0] as Row[keyof Row];

/** The values of a query of one column. */
export const allValues = async <Row extends object>(rows: PromiseLike<readonly Row[]>): Promise<Row[keyof Row][]> =>
  (await rows).map((row) => Object.values(row)[0] as Row[keyof Row]);

/** Whether a query has a row. */
export const hasRow = async (rows: PromiseLike<readonly unknown[]>): Promise<boolean> => (await rows).length > 0;

/** Runs a statement for its effect. */
export const execute = async (statement: PromiseLike<unknown>): Promise<void> => void (await statement);

export const affected = async (statement: PromiseLike<{ count: number }>): Promise<number> => (await statement).count;

export const affectsRow = async (statement: PromiseLike<{ count: number }>): Promise<boolean> => (await statement).count > 0;

/** The database's clock, epoch milliseconds. */
export const selectNow = (sql: Sql): Promise<number> => onlyValue(sql<{ now: number }[]>`select clock_timestamp() as now`);

/** The driver's own error, which has a code: while migrating, drizzle wraps it in an error without one. */
const driverError = (error: unknown): unknown =>
  error instanceof Error && !("code" in error) && error.cause !== undefined ? driverError(error.cause) : error;

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "");

/** Whether a transaction can simply be retried: a deadlock or a serialization failure. */
export const isConflict = (error: unknown): boolean => ["40P01", "40001"].includes(codeOf(driverError(error)));

/** Thrown in a transaction that depends on one that a crash left unfinished. Callers retry later, as when the database is unavailable. */
export class Postponed extends Error {}

/** Retries `run` after conflicts; it may have no effects outside the database. If the last try conflicts too, throws `refusal`, if any. */
export async function retryingConflicts<T>(run: () => Promise<T>, refusal?: () => Error, tries = 4): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (attempt === tries) throw refusal?.() ?? error;
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
 * Whether the database is unreachable or has no room: connection lost or refused, shutting down, starting, too many clients. A database
 * that refuses to write (25006) is a standby, or its operator protects a full disk. The server ends a session whose transaction stood still
 * (25P03) or took too long (25P04). A lock wait that timed out (55P03) counts too: a reset takes long, or another session holds a row. So
 * does whatever opens no session or ends it (FATAL).
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Postponed || isRefused(error)) return true;
  const inner = driverError(error);
  if (!(inner instanceof postgres.PostgresError)) return LOST_CONNECTION.has(codeOf(inner));
  const { code, message, severity } = inner;
  return severity === "FATAL" || /^(08|25006|25P0[34]|53|55P03|57P|58)/.test(code) || (code === "XX000" && LOST_MACHINE.test(message));
}

/** The codes of a refused login, database, parameter or feature. */
const REFUSED = /^(0A|22|28|3D|42|55)/;

/** The codes of a TLS connection that failed, such as CERT_HAS_EXPIRED. */
const UNTRUSTED = /CERT|LEAF_SIGNATURE|^ERR_(TLS|SSL)_/;

/**
 * Whether no session can be opened until the operator acts: the server refuses the login, the database or a parameter, or its certificate
 * is not trusted. It may happen while the service runs, when a password is changed or a certificate expires.
 */
export function isRefused(error: unknown): boolean {
  const inner = driverError(error);
  return inner instanceof postgres.PostgresError ? inner.severity === "FATAL" && REFUSED.test(inner.code) : UNTRUSTED.test(codeOf(inner));
}

/** Whether the server will be ready soon: it is starting, or recovering from a crash. */
export const isStarting = (error: unknown): boolean => codeOf(driverError(error)) === "57P03";

/** Whether a wait for a lock timed out: another session held the lock for too long. */
export const isLockTimeout = (error: unknown): boolean => codeOf(driverError(error)) === "55P03";

/** Whether a unique constraint was violated. */
export const isDuplicate = (error: unknown): boolean => codeOf(driverError(error)) === "23505";

/** Whether `statement_timeout` ended a statement. */
export const isTimeout = (error: unknown): boolean => codeOf(driverError(error)) === "57014";

/** Fails with an OperatorError of these words if `statement_timeout` ended the work. */
export const inTime = <T>(work: Promise<T>, words: string): Promise<T> =>
  work.catch((error: unknown) => {
    throw isTimeout(error) ? new OperatorError(words) : error;
  });
