import type { Database, Transaction } from "./client.ts";

/** The statement timeout of read-only work, so that it does not get in the way of the service. */
const STATEMENT_MS = 4_000;

/**
 * Runs a read-only transaction on one snapshot; the database rejects writes. It takes one connection. A statement that takes too long fails
 * (`isTimeout`).
 */
export async function readOnly<T>({ sql }: Database, run: (tx: Transaction) => Promise<T>): Promise<T> {
  const result = await sql.begin("isolation level repeatable read read only", async (tx) => {
    await tx`select set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`;
    return run(tx);
  });
  return result as T;
}
