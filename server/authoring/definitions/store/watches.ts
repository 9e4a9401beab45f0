import { execute, type Transaction } from "#db/client.ts";

/**
 * Moves a definition's alerts and budgets to its successor under the same key, which would otherwise have none. They begin anew: a check
 * of the old definition that is still running is void, a breach ends, and nothing is used.
 */
export async function moveWatches(tx: Transaction, from: number, to: number): Promise<void> {
  await execute(tx`
    update alerts set subject = ${to}::int, revision = revision + 1, breached_at = null, checked_at = null, value = null, bound = null
    where subject = ${from}::int`);
  await execute(tx`
    update budgets set subject = ${to}::int, revision = revision + 1, told80_for = null, told100_for = null, checked_at = null, used = null
    where subject = ${from}::int`);
}
