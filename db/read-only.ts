import type { Database, Transaction } from "./client.ts";

/** The longest that one statement may take of what only looks: it must not be in the way of what counts. */
const STATEMENT_MS = 4_000;

/**
 * Runs what reads alone, at one instant of the database, which itself refuses to write anything. It takes one connection. A statement that
 * takes too long fails (`isTimeout`).
 */
export async function readOnly<T>({ sql }: Database, run: (tx: Transaction) => Promise<T>): Promise<T> {
  const result = await sql.begin("isolation level repeatable read read only", async (tx) => {
    await tx`select set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`;
    return run(tx);
  });
  return result as T;
}
