import { expect, test } from "vitest";
import { writeJson } from "../server/model/kernel/json.ts";
import { parseInstant, writeInstant } from "./instants.ts";
import { testDatabase } from "./testing.ts";

const { sql } = await testDatabase();

test.each([
  ["2026-01-31 09:00:00+00", "2026-01-31T09:00:00Z"],
  ["2026-01-31 09:00:00.1+00", "2026-01-31T09:00:00.100Z"],
  ["2026-01-31 09:00:00.123499+00", "2026-01-31T09:00:00.123Z"],
  ["2026-01-31 09:00:00.1235+00", "2026-01-31T09:00:00.124Z"],
  ["2026-01-31 09:00:59.9996+00", "2026-01-31T09:01:00Z"],
  ["1969-12-31 23:59:59.999+00", "1969-12-31T23:59:59.999Z"],
  ["0001-01-01 00:00:00+00", "0001-01-01T00:00:00Z"],
  ["2026-01-31 14:30:00.5+05:30", "2026-01-31T09:00:00.500Z"],
  ["2026-01-31 06:00:00-03", "2026-01-31T09:00:00Z"],
  ["0001-12-31 10:00:00+00 BC", "+000000-12-31T10:00:00Z"],
  ["10000-01-01 00:00:00+00", "+010000-01-01T00:00:00Z"],
])("%s is read", (text, expected) => {
  expect(parseInstant(text)).toBe(Date.parse(expected));
});

test.each(["2026-01-31 09:00:00", "2026-01-31", ""])("%j is rejected", (text) => {
  expect(() => parseInstant(text)).toThrow(RangeError);
});

test("an instant is read back unchanged, also before the year 1 and in an array", async () => {
  const instants = ["-000044-03-15T12:00:00Z", "+000000-12-31T10:00:00Z", "0001-01-01T00:00:00Z", "0099-05-05T05:05:05.005Z"]
    .concat(["1969-12-31T23:59:59.999Z", "2026-01-31T09:00:00.123Z", "9999-12-31T23:59:59.999Z", "+010000-01-01T12:00:00Z"])
    .map(Date.parse);
  for (const at of [...instants, Infinity, -Infinity]) {
    const [row] = await sql<{ at: number; isSame: boolean }[]>`
      select ${at}::timestamptz as at, ${writeInstant(at)}::text::timestamptz = ${at} as is_same`;
    expect(row).toEqual({ at, isSame: true });
  }
  const [row] = await sql`select ${instants}::timestamptz[] as instants, null::timestamptz as no_instant`;
  expect(row).toEqual({ instants, noInstant: null });
});

test("an instant is rounded as a column of milliseconds rounds it", async () => {
  const rows = await sql<{ at: number; stored: number }[]>`
    select at, at::timestamptz(3) as stored from generate_series('2026-01-31 09:00Z'::timestamptz, '2026-01-31 09:00:00.01Z', '97 microseconds') at`;
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ at, stored }) => at !== stored)).toEqual([]);
});

test("columns are read in camelCase, and keys inside json unchanged", async () => {
  const [row] = await sql`select 1 as points_spent, ${writeJson({ points_spent: 1 })}::text::json as some_json`;
  expect(row).toEqual({ pointsSpent: 1, someJson: { points_spent: 1 } });
});
