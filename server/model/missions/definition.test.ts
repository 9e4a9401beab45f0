import { describe, expect, test } from "vitest";
import { order, problemsOf, withMission } from "../definitions/testing/in-memory.ts";

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
    "/missions/0/objectives: needs an objective that is not a limit: limits are satisfied from the start, so the mission would be completed immediately";
  const lateIs = (operator: string) => ({
    event: "order_placed",
    measure: { kind: "Latest", property: "pickup_at" },
    operator,
    target: "2026-01-01T00:00:00Z",
  });

  test.each<[what: string, objectives: object[], problems: string[]]>([
    ["limits alone", [LIMIT, highest("LessThan", 5)], [PROBLEM]],
    ["a limit and a count", [LIMIT, order], []],
    ["an instant below, which is none", [lateIs("LessThan")], []],
    ["a lowest value below, which is none", [{ ...highest("LessThan", 60), measure: { kind: "Min", property: "amount" } }], []],
    ["a latest value below, which is none", [{ ...highest("LessThan", 60), measure: { kind: "Latest", property: "amount" } }], []],
    ["an attribute below, which is none", [young], []],
    ["attributes that are no numbers", [{ attribute: "joined_at", operator: "LessThan", target: "2026-01-01T00:00:00Z" }], []],
    ["a compound with an attribute, which is none", [{ any: [young, LIMIT] }], []],
  ])("%s", (_, objectives, problems) => expect(problemsOf(withMission({ objectives }))).toEqual(problems));
});

describe("an objective over events or metrics that is satisfied without any is refused", () => {
  const WITHOUT = "would be satisfied as soon as a player enters, without any event or metric event;";
  const single = (at: number) => [`/missions/0/objectives/${at}/target: ${WITHOUT} ask for events, such as at least 1`];
  const compound = [`/missions/0/objectives/0: ${WITHOUT} change it so that only events can satisfy it`];
  const is = (operator: string, target: unknown, measure: object = { kind: "Count" }) => ({
    event: "order_placed",
    measure,
    operator,
    target,
  });
  const amount = (kind: string) => ({ kind, property: "amount" });

  test.each<[what: string, objectives: object[], problems: string[]]>([
    ["at least 0", [is("GreaterThanOrEqualTo", 0)], single(0)],
    ["more than -1", [is("GreaterThan", -1)], single(0)],
    ["at least 0 days", [is("GreaterThanOrEqualTo", 0, { kind: "DistinctDays" })], single(0)],
    ["just 0", [is("EqualTo", 0)], single(0)],
    ["0 or 3", [is("In", [3, 0])], single(0)],
    ["none but 5", [is("NotEqualTo", 5)], single(0)],
    ["not 5 in sum", [is("NotIn", [5], amount("Sum"))], single(0)],
    ["a highest value that is not 5, without any", [is("NotEqualTo", 5, amount("Max"))], single(0)],
    ["one of several", [order, is("GreaterThanOrEqualTo", 0)], single(1)],
    ["not yet an order", [{ not: order }], compound],
    ["limits alone, in a compound", [{ all: [LIMIT] }], compound],
    ["any of which one is satisfied", [{ any: [order, LIMIT] }], compound],
    ["at least 1", [order], []],
    ["just 5", [is("EqualTo", 5)], []],
    ["other than 0", [is("NotEqualTo", 0)], []],
    ["a highest value of at least 0", [is("GreaterThanOrEqualTo", 0, amount("Max"))], []],
    ["a limit besides an order", [LIMIT, order], []],
    ["a limit and an order, in a compound", [{ all: [LIMIT, order] }], []],
    ["what depends on an attribute", [{ any: [gold, { not: order }] }], []],
    ["an attribute", [{ not: gold }], []],
  ])("%s", (_, objectives, problems) => {
    for (const recurrence of [{ kind: "None" }, { kind: "Calendar", every: "Week" }, { kind: "AfterCompletion" }]) {
      const found = problemsOf(withMission({ objectives, recurrence }));
      if (recurrence.kind !== "AfterCompletion" || problems.length > 0) expect(found).toEqual(problems);
    }
  });
});

describe("a mission that repeats after completion needs an objective that entry cannot satisfy", () => {
  const PROBLEM =
    "/missions/0/recurrence: AfterCompletion needs an objective over events or metrics that no player can satisfy by entering; otherwise the mission could complete again and again";
  test.each<[what: string, objectives: object[], isRefused: boolean]>([
    ["a count from 1", [order], false],
    ["a maximum above nothing", [highest("GreaterThanOrEqualTo", -5)], false],
    ["a limit besides what an attribute satisfies", [LIMIT, gold], true],
    ["a limit besides a count", [LIMIT, order], false],
    ["all of which one is not", [{ all: [order, LIMIT] }], false],
    ["an attribute alone", [gold], true],
    ["an attribute besides a count", [gold, order], false],
    ["an attribute below something besides a count", [young, order], false],
    ["an attribute and a count", [{ all: [gold, order] }], false],
    ["an attribute or a count", [{ any: [gold, order] }], true],
    ["not both an attribute and a count", [{ not: { all: [gold, order] } }], true],
    ["neither an attribute nor no count", [{ not: { any: [gold, { not: order }] } }], false],
    ["an attribute or what entry denies", [{ any: [{ all: [gold, order] }, highest("GreaterThan", 0)] }], false],
  ])("%s", (_, objectives, isRefused) => {
    const document = withMission({ objectives, recurrence: { kind: "AfterCompletion", cooldownHours: 1 } });
    expect(problemsOf(document)).toEqual(isRefused ? [PROBLEM] : []);
    expect(problemsOf(withMission({ objectives, recurrence: { kind: "Calendar", every: "Day" } }))).toEqual([]);
  });
});
