import { setTimeout as delay } from "node:timers/promises";
import type postgres from "postgres";
import { OperatorError } from "../server/model/kernel/operator-error.ts";
import { isConflict, isLockTimeout } from "./client.ts";

/** A file of `db/migrations`. */
export interface Migration {
  statements: readonly string[];
  hash: string;
  /** In Unix milliseconds: the order of migrations. */
  createdAt: number;
}

/** A statement that waits for a lock blocks everything queued behind it: it gives up after this time and lets the others pass. */
const LOCK_MS = 2_000;
const REST_MS = 1_000;
/** A process that freezes in its transaction blocks everything that needs the same tables: the server ends its session after this time. */
const FROZEN_MS = 5_000;

/**
 * Applies one migration and records it. Ordinary ones run in a transaction. A migration that builds an index concurrently or changes rows
 * in slices runs statement by statement; after a crash it starts again and skips finished work.
 */
export async function applyMigration(
  sql: postgres.Sql,
  { statements, hash, createdAt }: Migration,
  onChange: (message: string) => void = () => {},
): Promise<void> {
  const isStepwise = statements.map((statement) => isInSlices(statement) || indexOf(statement) !== null);
  if (isStepwise.includes(true) && isStepwise.includes(false))
    throw new OperatorError("A migration has statements with steps of their own among others. Put them into a file of their own.");
  const note = (tx: postgres.TransactionSql) =>
    tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${createdAt})`;
  if (!isStepwise.includes(true)) {
    await briefly(
      sql,
      async (tx) => {
        for (const statement of statements) await tx.unsafe(statement);
        await note(tx);
      },
      onChange,
    );
    return;
  }
  for (const statement of statements) await (isInSlices(statement) ? inSlices(sql, statement, onChange) : buildIndex(sql, statement));
  await briefly(sql, note, onChange);
}

/** Runs a transaction with a short lock timeout, and retries until it gets all locks. */
export async function briefly<T>(
  sql: postgres.Sql,
  work: (tx: postgres.TransactionSql) => Promise<T>,
  onChange: (message: string) => void = () => {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await sql.begin(async (tx) => {
        await tx`select set_config('lock_timeout', ${String(LOCK_MS)}, true),
          set_config('idle_in_transaction_session_timeout', ${String(FROZEN_MS)}, true)`;
        return work(tx);
      })) as T;
    } catch (error) {
      if (!isConflict(error) && !isLockTimeout(error)) throw error;
      if (attempt === 1) onChange("A migration waits for a table that others use; it tries again until it gets it.");
      await delay(REST_MS);
    }
  }
}

/** A statement below the comment `-- in slices` changes a limited number of rows per run: it repeats until no rows are left to change. */
export const isInSlices = (statement: string): boolean => /^\s*-- in slices\b/.test(statement);

async function inSlices(sql: postgres.Sql, statement: string, onChange: (message: string) => void): Promise<void> {
  while ((await briefly(sql, (tx) => tx.unsafe(statement), onChange)).count > 0);
}

/** The name of the index that a statement builds concurrently; null for other statements. */
export const indexOf = (statement: string): string | null =>
  /^(?:\s*--[^\n]*\n)*\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/i.exec(statement)?.[1] ?? null;

/** An interrupted build leaves an invalid index, which is dropped first. A valid one stays. */
async function buildIndex(sql: postgres.Sql, statement: string): Promise<void> {
  const name = indexOf(statement)!;
  const [there] = await sql<{ isValid: boolean }[]>`
    select i.indisvalid as "isValid" from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname = ${name} and c.relnamespace = 'public'::regnamespace`;
  if (there?.isValid) return;
  if (there) await sql.unsafe(`drop index concurrently "${name}"`);
  await sql.unsafe(statement);
}
