import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile } from "../definitions/compile.ts";
import type { Definitions } from "../definitions/compiled.ts";
import { type Discovered, planDiscovery } from "../definitions/discovery.ts";
import { type DefinitionRow, readStored } from "../definitions/stored.ts";
import { atOnce } from "../kernel/steps.ts";
import { judgeBatch } from "./batch.ts";
import type { JudgedItem } from "./items.ts";

const ENVIRONMENT = { definitionsVersion: 1, timeZone: "UTC", defaultLanguage: "en" };
const NOW = Date.UTC(2026, 1, 1);
const DAY = 24 * 60 * 60 * 1000;
const NONE: ReadonlySet<string> = new Set();

const rowOf = (id: number, parts: Partial<DefinitionRow>): DefinitionRow => ({
  id,
  kind: "events",
  key: "",
  active: true,
  body: {},
  createdAt: 0,
  updatedAt: 0,
  changedAt: 0,
  discovered: false,
  discoveredProperties: [],
  ...parts,
});
const discovered = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);
const name = { default: "en", texts: { en: "A name" } };
const optional = (key: string) => ({ key, type: "Number", required: false });

/** Discovery is on; the quota allows two more properties of `nearly`. */
const ROWS: readonly DefinitionRow[] = [
  rowOf(1, { kind: "settings", key: "environment", body: { discovery: { events: true, attributes: false } } }),
  rowOf(2, { key: "known", body: { name, properties: [optional("a"), { ...optional("b"), type: "String", required: true }] } }),
  rowOf(3, { key: "off", active: false, body: { name } }),
  rowOf(4, { key: "nearly", body: { name, properties: discovered(98).map(optional) }, discoveredProperties: discovered(98) }),
];

/** Without the settings, discovery is off. */
const OFF = ROWS.slice(1);

/** The quota allows two more events than exist at first. */
function definitionsOf(rows: readonly DefinitionRow[]): Definitions {
  const definitions = atOnce(compile(atOnce(readStored(rows)), ENVIRONMENT, []));
  const events = definitions.budget.events === null ? null : 2 + ROWS.length - rows.length;
  return { ...definitions, budget: { ...definitions.budget, events } };
}

/** The rows after the discoveries are written. */
function written(rows: readonly DefinitionRow[], found: Discovered["events"]): DefinitionRow[] {
  const { additions, updates } = planDiscovery({ events: found }, atOnce(readStored(rows)), "en");
  const changed = rows.map((row) => ({ ...row, ...updates.find(({ id }) => id === row.id) }));
  return [...changed, ...additions.map((row, index) => rowOf(rows.length + 1 + index, row))];
}

const judge = (items: readonly unknown[], rows: readonly DefinitionRow[], replays = NONE) =>
  atOnce(judgeBatch(items, definitionsOf(rows), { environmentId: 1, now: NOW, mayHoldBadText: false }, replays));

/** Which items are accepted, including replays of earlier ones. */
function takenOf(judged: readonly JudgedItem[]): boolean[] {
  const ids = new Set<string>();
  return judged.map((one) => {
    if ("errors" in one) return one.replayOf !== null && ids.has(one.replayOf.id);
    if (one.accepted.id !== null) ids.add(one.accepted.id);
    return true;
  });
}

/** Mostly valid values, so that batches have many discoveries and some rejected items. */
const mostly = <T>(sound: T[], unsound: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...sound) }, { weight: 1, arbitrary: fc.constantFrom(...unsound) });
const value = mostly<unknown>([1, 2.5, "1", "text", true, null], [[], {}, Infinity]);
const item = fc.record(
  {
    playerId: mostly(["ann", "bob"], [""]),
    event: mostly(["known", "nearly", "new_one", "new_two", "new_three"], ["off", "Bad"]),
    occurredAt: mostly(["2026-01-31T09:00:00Z"], ["never"]),
    properties: fc.dictionary(mostly(["a", "b", "c", "d1", "x", "y"], ["Bad", "__proto__"]), value, { maxKeys: 3 }),
    idempotencyKey: fc.constantFrom("k", "l"),
  },
  { requiredKeys: ["playerId", "event", "occurredAt"] },
);
const batches = fc.array(item, { maxLength: 12 });

describe("the problems reported for a batch", () => {
  const unknown = (count: number, letters: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${"k".repeat(letters)}${at}`, 1]));
  const wrong = (count: number, letters = 300) => ({
    playerId: "ann",
    event: "known",
    occurredAt: "2026-01-31T09:00:00Z",
    properties: { b: "x", ...unknown(count, letters) },
  });
  const errorsOf = (items: readonly unknown[]) =>
    judge(items, OFF).judged.map((one) => ("errors" in one ? one.errors.map(({ code, message }) => `${code} ${message}`) : []));

  test("include the first hundred of an item, and the number of the others", () => {
    const [errors] = errorsOf([wrong(200_000, 1)]);
    expect(errors).toHaveLength(101);
    expect(errors?.at(-1)).toBe("event.unknown_property And 199,900 more problems.");
    expect(errorsOf([wrong(100)])[0]).toHaveLength(100);
    expect(errorsOf([wrong(101)])[0]?.at(-1)).toBe("event.unknown_property And 1 more problem.");
  });

  test("include the first of every item, and a thousand more in total", () => {
    const errors = errorsOf(Array.from({ length: 1_000 }, () => wrong(100)));
    expect(errors.every((one) => one.length > 0)).toBe(true);
    expect(errors[0]).toHaveLength(100);
    expect(errors.at(-1)?.[1]).toBe("event.unknown_property And 99 more problems.");
    expect(JSON.stringify(errors).length).toBeLessThan(1_000_000);
  });

  test("include an item dated more than 24 hours ahead, but not one at exactly 24 hours", () => {
    const at = (occurredAt: number) => ({ ...wrong(0), occurredAt: new Date(occurredAt).toISOString() });
    expect(errorsOf([at(NOW + DAY), at(NOW + DAY + 1)])).toEqual([
      [],
      [expect.stringMatching(/^event.invalid occurredAt is more than 24 hours/)],
    ]);
  });
});

describe("a batch that discovers", () => {
  test("accepts and defines the same as its items would if sent singly", () => {
    fc.assert(
      fc.property(batches, (items) => {
        let rows = ROWS;
        const seen = new Set<string>();
        const oneByOne = items.map((one) => {
          const { judged, found } = judge([one], rows, seen);
          rows = written(rows, found);
          const [verdict] = judged;
          if (verdict === undefined || "errors" in verdict) return verdict?.replayOf != null && seen.has(verdict.replayOf.id);
          if (verdict.accepted.id !== null) seen.add(verdict.accepted.id);
          return true;
        });
        const { judged, found } = judge(items, ROWS);
        expect(takenOf(judged)).toEqual(oneByOne);
        expect(atOnce(readStored(written(ROWS, found))).lists.events.map(({ shaped }) => shaped)).toEqual(
          atOnce(readStored(rows)).lists.events.map(({ shaped }) => shaped),
        );
      }),
      { numRuns: 200 },
    );
  });

  test("discovers nothing once its discoveries are defined, and gives the same answer", () => {
    fc.assert(
      fc.property(batches, (items) => {
        const first = judge(items, ROWS);
        const second = judge(items, written(ROWS, first.found));
        expect(second.finders).toEqual([]);
        expect(takenOf(second.judged)).toEqual(takenOf(first.judged));
      }),
      { numRuns: 200 },
    );
  });

  test("defines and discovers nothing with discovery off", () => {
    fc.assert(
      fc.property(batches, (items) => {
        const { finders, found } = judge(items, OFF);
        expect([finders, found.size]).toEqual([[], 0]);
      }),
    );
  });
});

test("a misspelt event is answered with the one that was probably meant, for the first ten mistakes of a batch", () => {
  const rows = [rowOf(1, { key: "order_placed", body: { name } })];
  const wrong = (event: string) => ({ playerId: "ann", event, occurredAt: new Date(NOW).toISOString() });
  const messages = (...events: string[]) =>
    judge(events.map(wrong), rows).judged.map((one) =>
      "errors" in one ? one.errors.map(({ code, message }) => `${code}: ${message}`) : [],
    );
  const there = (event: string) => `event.not_found: There is no event "${event}" in this environment.`;
  expect(messages("order_palced", "signed_up")).toEqual([[`${there("order_palced")} Did you mean "order_placed"?`], [there("signed_up")]]);
  const many = Array.from({ length: 12 }, (_, at) => `order_place${at}`);
  expect(messages(...many, many[0]!).filter(([message]) => message!.includes("Did you mean"))).toHaveLength(11);
});

test("properties are stored as sent, without nulls, and instants in UTC", () => {
  const properties = ["String", "Number", "Boolean", "DateTime"].map((type) => ({ key: type.toLowerCase(), type, required: false }));
  const rows = [...ROWS, rowOf(5, { key: "timed", body: { name, properties } })];
  const stored = (sent: object) => {
    const [one] = judge([{ playerId: "ann", event: "timed", occurredAt: "2026-01-31T09:00:00Z", properties: sent }], rows).judged;
    return JSON.stringify("accepted" in one! ? one.accepted.properties : one!.errors);
  };
  expect(stored({ string: "a", number: 1.5, boolean: false })).toBe('{"string":"a","number":1.5,"boolean":false}');
  expect(stored({ string: "a", number: null, boolean: false, datetime: null })).toBe('{"string":"a","boolean":false}');
  expect(stored({ number: 2, datetime: "2026-01-31T09:00:00+01:00", string: "b" })).toBe(
    '{"number":2,"datetime":"2026-01-31T08:00:00.000Z","string":"b"}',
  );
  expect(stored({ string: null })).toBe("{}");
});
