import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testDatabase } from "./testing.ts";
import { readStatements, type Shape, type Statement } from "./testing/statements.ts";

/**
 * Statements type their rows by hand: `sql<{ id: string }[]>`…``. This test asks PostgreSQL about every statement of the code: its columns
 * must be those of the type, and each value must have the type it comes back as.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const database = await testDatabase();
const statements = readStatements(ROOT);

/** By the OID of a PostgreSQL type: the type that the driver returns (db/client.ts). */
const SHAPES = new Map<number, Shape>([
  ...[16].map((oid) => [oid, "boolean"] as const),
  ...[20, 21, 23, 26, 700, 701, 1184].map((oid) => [oid, "number"] as const),
  ...[18, 19, 25, 1042, 1043, 1700, 2950].map((oid) => [oid, "string"] as const),
  ...[1082, 1114].map((oid) => [oid, "Date"] as const),
]);
/** Columns that no code reads: the results of functions called for their effects. */
const DONE = /^([?]column[?]|setConfig|holdPlayers|pgAdvisory\w+)$/;
/** Columns that are nullable in their table, but not in the rows of the statement. */
const NEVER_NULL_THERE = new Set<string>([
  "delivery/store/endpoints.ts reason",
  "delivery/store/endpoints.ts failingSince",
  "delivery/store/endpoints.ts disabledAt",
  "insight/alerts/store.ts checkedAt",
  "engine/store/locks.ts name",
  "operations/worker/floor.ts name",
  "engine/store/scores.ts members",
  "operations/integrity/check-scores.ts seq",
  "game/leaderboards/store/periods.ts settledAt",
  "game/leaderboards/store/settling.ts tier",
  "game/leaderboards/store/settling.ts groupNumber",
]);
const VOID = 2278;

/** "table/number" of the nullable columns. */
const nullable = new Set(
  (
    await database.sql<{ name: string }[]>`
      select attrelid || '/' || attnum as name from pg_attribute where attnum > 0 and not attnotnull`
  ).map(({ name }) => name),
);

test("the statements of the code are found, with and without row types", () => {
  expect(statements.length).toBeGreaterThan(250);
  expect(statements.filter(({ row }) => row !== null).length).toBeGreaterThan(130);
});

test("the rows of every statement have their declared type", async () => {
  const found = await Promise.all(statements.map(async (one) => (await differences(one)).map((words) => `${one.at} ${words}`)));
  expect(found.flat()).toEqual([]);
});

async function differences({ at, text, row }: Statement): Promise<string[]> {
  const described = await database.sql
    .unsafe(text)
    .describe()
    .catch((error: Error) => error);
  if (described instanceof Error) return [`cannot be described: ${described.message}`];
  const columns = described.columns.filter(({ type, name }) => type !== VOID && !DONE.test(name));
  if (row === null) return columns.length === 0 ? [] : [`gives its rows no type: ${columns.map(({ name }) => name).join(", ")}`];
  const names = new Set(columns.map(({ name }) => name));
  return [
    ...columns.filter(({ name }) => !row.has(name)).map(({ name }) => `reads ${name}, which its type does not have`),
    ...[...row.keys()].filter((name) => !names.has(name)).map((name) => `has no column ${name}`),
    ...columns.flatMap(({ name, type }) => {
      const allowed = row.get(name);
      const shape = SHAPES.get(type) ?? "json";
      return allowed === undefined || allowed.has(shape) || (shape === "json" && !allowed.has("Date"))
        ? []
        : [`${name} is ${shape} (${type}) and typed as ${[...allowed].join(" | ")}`];
    }),
    ...columns
      .filter(({ name, table, number }) => nullable.has(`${table}/${number}`) && row.get(name)?.has("null") === false && !isKnown(at, name))
      .map(({ name }) => `may find null in ${name}, which its type does not allow`),
  ];
}

const isKnown = (at: string, name: string): boolean => NEVER_NULL_THERE.has(`${at.replace(/^server[/]|:\d+$/g, "")} ${name}`);
