import type postgres from "postgres";

type Transaction = postgres.TransactionSql;
type Sql = postgres.Sql | Transaction;

/**
 * Transactions of a distributed database: those that only read, and those that hold an environment or a lane
 * (server/engine/store/locks.ts).
 */
const spread = new WeakSet<Sql>();

/** Marks a transaction of a distributed database: in it `ofParts` and `inParts` return conditions. */
export const noteSpread = (tx: Transaction) => void spread.add(tx);

export const isSpread = (sql: Sql): boolean => spread.has(sql);

/** A savepoint that inherits the transaction's mark of a distributed database. */
export const savepoint = <Result>(tx: Transaction, run: (inner: Transaction) => Promise<Result>) =>
  tx.savepoint((inner) => {
    if (isSpread(tx)) noteSpread(inner);
    return run(inner);
  });

type OfPart = { part: number } | number;

const partsOf = (rows: readonly OfPart[]): number[] => [...new Set(rows.map((row) => (typeof row === "number" ? row : row.part)))];

/**
 * The condition that the rows of `table` (its name in the statement) have one of these parts. The statement implies it already, by a join
 * with its own rows, but only an explicit condition lets a distributed database send the statement to the shards of these parts alone.
 * Empty on one server. `any` by itself would become a condition of the index in PostgreSQL 15, to be tried for each part.
 */
export function ofParts(sql: Sql, table: string, rows: readonly OfPart[]) {
  if (!spread.has(sql)) return sql``;
  const parts = partsOf(rows);
  return sql`and (${sql(table)}.part = ${parts[0] ?? null}::smallint or ${sql(table)}.part = any(${parts}::smallint[]))`;
}

/** The same as text, for statements that are not prepared. */
export const inParts = (sql: Sql, table: string, rows: readonly OfPart[]): string =>
  spread.has(sql) && rows.length > 0 ? `and ${table}.part in (${partsOf(rows).join(", ")})` : "";
