import { describe, expect, test } from "vitest";
import { order, problemsOf, withMission } from "./testing.ts";

const LIMIT = { event: "order_placed", operator: "LessThanOrEqualTo", target: 3 };
const young = { attribute: "age", operator: "LessThan", target: 18 };
const gold = { attribute: "tier", operator: "EqualTo", target: "gold" };
const highest = (operator: string, target: unknown) => ({
  event: "order_placed",
  measure: { kind: "Max", property: "amount" },
  operator,
  target,
});

describe("a mission needs an objective that is not a limit", () => {
  const PROBLEM =
    "/missions/0/objectives: needs an objective that is not a limit: limits are satisfied from the start, so the mission would be completed at once";
  const lateIs = (operator: string) => ({
    event: "order_placed",
    measure: { kind: "Latest", property: "pickup_at" },
    operator,
    target: "2026-01-01T00:00:00Z",
  });

  test.each<[what: string, objectives: object[], problems: string[]]>([
    ["limits alone", [LIMIT, highest("LessThan", 5)], [PROBLEM]],
    ["a limit and a count", [LIMIT, order], []],
    ["a limit in a compound, which is none", [{ all: [LIMIT] }], []],
    ["an instant below, which is none", [lateIs("LessThan")], []],
    ["an attribute below", [young, LIMIT], [PROBLEM]],
    ["an attribute below and another above", [young, { ...young, operator: "GreaterThan" }], []],
    ["attributes that are no numbers", [{ attribute: "joined_at", operator: "LessThan", target: "2026-01-01T00:00:00Z" }], []],
    ["a compound of limits, which is none", [{ any: [young, LIMIT] }], []],
  ])("%s", (_, objectives, problems) => expect(problemsOf(withMission({ objectives }))).toEqual(problems));
});

describe("a mission that repeats after completion needs an objective that entry cannot satisfy", () => {
  const PROBLEM =
    "/missions/0/recurrence: AfterCompletion needs an objective over events or metrics that nobody can satisfy by entering; otherwise the mission could complete again and again";
  test.each<[what: string, objectives: object[], isRefused: boolean]>([
    ["a count from 1", [order], false],
    ["a count from 0", [{ ...order, target: 0 }], true],
    ["a sum other than 5", [{ ...order, measure: { kind: "Sum", property: "amount" }, operator: "NotEqualTo", target: 5 }], true],
    ["a maximum above nothing", [highest("GreaterThanOrEqualTo", -5)], false],
    ["no such maximum", [highest("NotIn", [1])], true],
    ["a limit besides what entry satisfies", [LIMIT, highest("NotEqualTo", 1)], true],
    ["a limit besides a count", [LIMIT, order], false],
    ["not yet an order", [{ not: order }], true],
    ["any of which one is satisfied", [{ any: [order, LIMIT] }], true],
    ["all of which one is not", [{ all: [order, LIMIT] }], false],
    ["an attribute alone", [gold], true],
    ["an attribute besides a count", [gold, order], false],
    ["a limit on an attribute besides a count", [young, order], false],
    ["an attribute and a count", [{ all: [gold, order] }], false],
    ["an attribute or a count", [{ any: [gold, order] }], true],
    ["not both an attribute and a count", [{ not: { all: [gold, order] } }], true],
    ["neither an attribute nor no count", [{ not: { any: [gold, { not: order }] } }], false],
    ["no count, and an attribute besides", [{ not: order }, gold], true],
    ["an attribute or what entry denies", [{ any: [{ all: [gold, order] }, highest("GreaterThan", 0)] }], false],
  ])("%s", (_, objectives, isRefused) => {
    const document = withMission({ objectives, recurrence: { kind: "AfterCompletion", cooldownHours: 1 } });
    expect(problemsOf(document)).toEqual(isRefused ? [PROBLEM] : []);
    expect(problemsOf(withMission({ objectives, recurrence: { kind: "Calendar", every: "Day" } }))).toEqual([]);
  });
});
