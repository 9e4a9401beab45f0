import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AttributeDefinition } from "../definitions/compiled.ts";
import { parseJson, writeJson } from "../kernel/json.ts";
import type { AttributeValue } from "../kernel/player.ts";
import { atOnce } from "../kernel/steps.ts";
import type { ScalarType } from "../kernel/values.ts";
import { judgeWrites, resultOf, type Values } from "./writes.ts";

const NOW = Date.UTC(2026, 2, 10, 12);
const attribute = (id: number, key: string, type: ScalarType, active = true): AttributeDefinition => ({ id, key, type, active });
const DEFINED = [
  attribute(1, "text", "String"),
  attribute(2, "number", "Number"),
  attribute(3, "truth", "Boolean"),
  attribute(4, "instant", "DateTime"),
  attribute(5, "off", "String", false),
];
const DAY = 24 * 60 * 60 * 1000;
const attributesByKey = new Map(DEFINED.map((one) => [one.key, one]));
const judge = (values: Values, budget: number | null = null) =>
  atOnce(
    judgeWrites(values, { attributesByKey, budget: { events: null, attributes: budget, room: { definitions: 10, bytes: 10_000 } } }, NOW),
  );
const codesOf = (values: Values, budget?: number) =>
  judge(values, budget).problems.listed.map(({ code }) => code.replace("player_attribute.", ""));

describe("a value", () => {
  const digits = (most: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((some) => some.join(""));
  const plain = (whole: string, fraction: string): string => {
    const [a, b] = [whole.replace(/^0+(?=\d)/, ""), fraction.replace(/(?<!0)0+$/, "")];
    return b === "" ? a : `${a}.${b}`;
  };

  test("is a number of up to 20 and 8 digits, digit for digit, with trailing zeros that do not count", () => {
    fc.assert(
      fc.property(digits(22), digits(12), fc.boolean(), (whole, fraction, isNegative) => {
        const shown = plain(whole, fraction);
        const sent = `${isNegative ? "-" : ""}${shown.split(".")[0]}.${fraction}`;
        const { writes, problems } = judge({ number: parseJson(sent) });
        const [ahead, behind = ""] = shown.split(".");
        if (ahead!.length > 20 || behind.length > 8)
          expect(problems.listed).toMatchObject([{ code: "player_attribute.value_out_of_range" }]);
        else expect(writes.map(({ value }) => writeJson(value))).toEqual([isNegative && shown !== "0" ? `-${shown}` : shown]);
      }),
    );
  });

  test.each<[unknown, string[]]>([
    ["x", ["number", "truth", "instant"]],
    [5, ["text", "truth", "instant"]],
    [true, ["text", "number", "instant"]],
    ["2026-01-31T09:00:00Z", ["number", "truth"]],
    [[1], ["text", "number", "truth", "instant"]],
    [{ value: {} }, ["text", "number", "truth", "instant"]],
  ])("%j is not one of %j", (value, keys) => {
    for (const { key } of DEFINED.slice(0, 4)) expect(codesOf({ [key]: value })).toEqual(keys.includes(key) ? ["type_mismatch"] : []);
  });

  test("counts from its instant, or from now", () => {
    const { writes } = judge({
      text: "a",
      number: { value: 1, occurredAt: null },
      truth: { value: true, occurredAt: "2026-01-31T10:00:00.0009+01:00" },
    });
    expect(writes.map(({ occurredAt }) => occurredAt)).toEqual([NOW, NOW, Date.UTC(2026, 0, 31, 9)]);
  });
});

describe("a request", () => {
  test("has every problem listed, a missing value first", () => {
    const values = { nope: null, off: { value: null, occurredAt: 1 }, text: 1, number: undefined, truth: true };
    expect(judge(values).problems.listed.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["request.invalid", "#/attributes/nope"],
      ["player_attribute.not_found", "#/attributes/nope"],
      ["request.invalid", "#/attributes/off/value"],
      ["player_attribute.inactive", "#/attributes/off"],
      ["player_attribute.occurred_at_invalid", "#/attributes/off"],
      ["player_attribute.type_mismatch", "#/attributes/text"],
      ["request.invalid", "#/attributes/number"],
    ]);
  });

  test("names its key in every message", () => {
    const values = { nope: 1, off: "x", text: null, number: "1", truth: { value: true, occurredAt: "x" }, instant: { occurredAt: null } };
    const { problems } = judge(values);
    expect(problems.listed.map(({ message }) => message.match(/"(\w+)"/)?.[1])).toEqual(Object.keys(values));
  });
});

describe("a request with", () => {
  test("a value dated more than 24 hours ahead is refused; at exactly 24 hours it is accepted", () => {
    const at = (occurredAt: number) => ({ text: { value: "a", occurredAt: new Date(occurredAt).toISOString() } });
    expect(codesOf(at(NOW + DAY))).toEqual([]);
    expect(judge(at(NOW + DAY + 1)).problems.listed).toMatchObject([{ code: "request.invalid", pointer: "#/attributes/text/occurredAt" }]);
  });

  test("of many problems the first hundred are listed and the others counted", () => {
    const { problems } = judge(Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`unknown_${at}`, 1])));
    expect([problems.listed.length, problems.more]).toEqual([100, 199_900]);
  });

  test("very long keys does not get them back in the problems", () => {
    const { problems } = judge({ [`a${"b".repeat(1_000_000)}`]: 1 });
    expect(JSON.stringify(problems.listed).length).toBeLessThan(500);
  });
});

describe("discovery", () => {
  test("discovers undefined attributes, with the type of their value, within the quota", () => {
    const values = { a: "2026-01-31T09:00:00Z", b: { value: 1 }, text: "x", c: false };
    expect(judge(values, 3).found.map(({ key, type }) => `${key} ${type}`)).toEqual(["a String", "b Number", "c Boolean"]);
    expect(codesOf(values, 2)).toEqual(["not_found"]);
    expect(codesOf(values)).toEqual(["not_found", "not_found", "not_found"]);
    expect(judge(values).found).toEqual([]);
  });

  test("rejected values use no quota", () => {
    expect(judge({ a: [], b: Infinity, c: { value: 1, occurredAt: "x" }, Bad: 1, d: null, e: 1 }, 1)).toMatchObject({
      found: [{ key: "e" }],
    });
    expect(codesOf({ a: [], b: Infinity, Bad: 1, d: null }, 9)).toEqual([
      "type_mismatch",
      "value_out_of_range",
      "not_found",
      "request.invalid",
    ]);
  });
});

describe("the result of a write to an existing value", () => {
  const writes = fc.uniqueArray(fc.record({ value: fc.integer({ min: 0, max: 99 }), at: fc.integer({ min: 0, max: 9 }) }), {
    selector: ({ value }) => value,
    maxLength: 12,
  });

  test("of different values the newest wins, in any order of arrival; at one instant, the later write", () => {
    fc.assert(
      fc.property(writes, (all) => {
        let stored: AttributeValue | undefined;
        for (const { value, at } of all) {
          const write = { attribute: DEFINED[1]!, value, occurredAt: at };
          const result = resultOf(stored, write);
          expect(result).toBe(stored !== undefined && at < stored.occurredAt ? "Stale" : "Changed");
          if (result === "Changed") stored = write;
        }
        const newest = Math.max(...all.map(({ at }) => at));
        expect(stored?.value).toBe(all.findLast(({ at }) => at === newest)?.value);
      }),
    );
  });

  test.each<[string, unknown, unknown, number]>([
    ["Unchanged", 100, parseJson("1e2"), 1],
    ["Unchanged", parseJson("12345678901234567890.12345678"), parseJson("12345678901234567890.123456780"), 1],
    ["Changed", parseJson("12345678901234567890.12345678"), parseJson("12345678901234567890.12345679"), 1],
    ["Changed", 0, false, 1],
    ["Changed", "1", 1, 1],
    ["Unchanged", 5, 5, 0],
    ["Stale", 5, 5, -1],
  ])("is %s: %j after %j", (result, before, after, later) => {
    const write = { attribute: DEFINED[1]!, value: after as number, occurredAt: NOW + later };
    expect(resultOf({ value: before as number, occurredAt: NOW }, write)).toBe(result);
  });
});
