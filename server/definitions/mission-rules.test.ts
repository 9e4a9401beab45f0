import { describe, expect, test } from "vitest";
import { order, problemsOf, withMission } from "./testing.ts";

const LIMIT = { event: "order_placed", operator: "LessThanOrEqualTo", target: 3 };
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
  ])("%s", (_, objectives, problems) => expect(problemsOf(withMission({ objectives }))).toEqual(problems));
});

describe("a mission that repeats after completion needs an objective that entry cannot satisfy", () => {
  const PROBLEM =
    "/missions/0/recurrence: AfterCompletion needs an objective over events that nobody can satisfy by entering; otherwise the mission could complete again and again";
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
  ])("%s", (_, objectives, isRefused) => {
    const document = withMission({ objectives, recurrence: { kind: "AfterCompletion", cooldownHours: 1 } });
    expect(problemsOf(document)).toEqual(isRefused ? [PROBLEM] : []);
    expect(problemsOf(withMission({ objectives, recurrence: { kind: "Calendar", every: "Day" } }))).toEqual([]);
  });
});
