import { describe, expect, test } from "vitest";
import type { Mission } from "./definition.ts";
import type { WordsWithObjectives } from "../definitions/words.ts";
import { accept, criterion, definitionsWith, entry, mission, newcomer, NOON, objective, order, RETURN, tier, TIER } from "./testing.ts";
import { advance } from "../../engine/advance.ts";
import type { Fact } from "../kernel/facts.ts";
import { type Filter, filterReason } from "../rules/filter.ts";
import type { Recurrence } from "../rules/schedule.ts";
import { explainAttribute, explainObjectives, explainOpening } from "./explain.ts";

const WORDS: WordsWithObjectives = { zone: "UTC", nameOf: (id) => `#${id}`, objectivesOf: () => ["First", "Second"] };
const DAY = 24 * 3_600_000;

const amount = (operator: "GreaterThan" | "LessThanOrEqualTo", value: number): Filter => ({
  property: "amount",
  type: "Number",
  operator,
  value,
});
const drink = (operator: "EqualTo" | "In", value: string | string[]): Filter => ({ property: "drink", type: "String", operator, value });

/** The explanation of an event, objective by objective, for a player to whom these facts have happened. */
function said(one: Mission, before: readonly Fact[], fact = order(9)): (string | null)[] {
  const { player } = advance(newcomer(), definitionsWith([one]), before);
  const [occurrence] = player.missions.get(one.partitionId)?.get(one.id)?.live ?? [];
  if (occurrence === undefined) throw new Error("The player is not in the mission.");
  return explainObjectives(player, one, occurrence, fact, WORDS, "UTC").map(({ reason }) => reason);
}

const open = objective({ target: 5 });
const max = objective({ measure: { kind: "Max", property: "amount" }, target: 50 });
const distinct = objective({ measure: { kind: "DistinctCount", property: "drink", of: "String" }, target: 5 });
const days = objective({ measure: { kind: "DistinctDays" }, target: 5 });
const over10 = objective({ where: amount("GreaterThan", 10), target: 5 });
const limit = objective({ operator: "LessThan", target: 3 });
const daily: Partial<Mission> = { recurrence: { kind: "Calendar", every: "Day" } };

test.each<[string, Partial<Mission>, Fact[], ReturnType<typeof order>, (string | null)[]]>([
  ["counts", { objectives: [open] }, [entry(1)], order(9), [null]],
  ["is of another event", { objectives: [open] }, [entry(1)], order(9, { definitionId: RETURN }), []],
  ["too small", { objectives: [over10] }, [entry(1)], order(9, { properties: { amount: 8 } }), ["amount is 8, needs to be more than 10"]],
  ["lacks the property", { objectives: [over10] }, [entry(1)], order(9), ["amount is missing, needs to be more than 10"]],
  ["came before", { objectives: [open] }, [entry(10)], order(9), ["received before the player's entry (10 Mar 2026, 12:00)"]],
  ["is offered alone", { objectives: [open], optIn: "Manual" }, [entry(1)], order(9), ["the player has not opted in"]],
  ["is accepted", { objectives: [open], optIn: "Manual" }, [entry(1), accept(2)], order(9), [null]],
  [
    "is too early",
    { objectives: [open], window: { startsAt: NOON, endsAt: null } },
    [entry(1)],
    order(9, { occurredAt: NOON - 1 }),
    ["happened before the mission opens (10 Mar 2026, 12:00)"],
  ],
  [
    "is of yesterday",
    { objectives: [open], ...daily },
    [entry(1)],
    order(9, { occurredAt: NOON - DAY }),
    ["other period: this one is from 10 Mar 2026, 00:00 to 11 Mar 2026, 00:00"],
  ],
  [
    "comes too late",
    { objectives: [open], ...daily },
    [entry(1)],
    order(9, { receivedAt: NOON + 2 * DAY }),
    ["received more than a day after the period ended"],
  ],
  [
    "waits in order",
    { objectives: [over10, open], objectiveOrder: "InOrder" },
    [entry(1)],
    order(9, { properties: { amount: 20 } }),
    [null, "in order: it waits for “First”"],
  ],
  [
    "is past in order",
    { objectives: [objective(), open], objectiveOrder: "InOrder" },
    [entry(1), order(2)],
    order(9),
    ["in order: this objective is done", null],
  ],
  ["a limit has no turn", { objectives: [open, limit], objectiveOrder: "InOrder" }, [entry(1)], order(9), [null, null]],
  [
    "is not higher",
    { objectives: [max] },
    [entry(1), order(2, { properties: { amount: 9 } })],
    order(9, { properties: { amount: 8 } }),
    ["8 is not above the highest so far, 9"],
  ],
  ["has no number", { objectives: [max] }, [entry(1)], order(9), ["it has no amount"]],
  [
    "was seen",
    { objectives: [distinct] },
    [entry(1), order(2, { properties: { drink: "tea" } })],
    order(9, { properties: { drink: "tea" } }),
    ["drink tea has counted already"],
  ],
  ["is the same day", { objectives: [days] }, [entry(1), order(2)], order(9), ["this day has counted already"]],
  [
    "counts for one of two",
    { objectives: [{ ...over10, criteria: [criterion({ where: amount("GreaterThan", 10) }), criterion()], expression: { any: [0, 1] } }] },
    [entry(1)],
    order(9, { properties: { amount: 8 } }),
    [null],
  ],
])("an event that %s", (_, parts, before, fact, expected) => {
  expect(said(mission(parts), before, fact)).toEqual(expected);
});

test.each<[Filter, object, string]>([
  [amount("GreaterThan", 10), { amount: 8 }, "amount is 8, needs to be more than 10"],
  [drink("In", ["tea", "latte"]), { drink: "water" }, "drink is water, needs to be tea or latte"],
  [{ all: [amount("GreaterThan", 10), drink("EqualTo", "tea")] }, { amount: 20, drink: "water" }, "drink is water, needs to be tea"],
  [
    { all: [amount("GreaterThan", 10), drink("EqualTo", "tea")] },
    {},
    "amount is missing, needs to be more than 10, and drink is missing, needs to be tea",
  ],
  [
    { any: [amount("GreaterThan", 10), drink("EqualTo", "tea")] },
    { amount: 1 },
    "amount is 1, needs to be more than 10; or drink is missing, needs to be tea",
  ],
  [
    { not: { all: [amount("LessThanOrEqualTo", 10), drink("EqualTo", "tea")] } },
    { amount: 1, drink: "tea" },
    "must not be: amount is at most 10 and drink is tea",
  ],
])("why %j does not let %j through", (filter, properties, expected) => {
  expect(filterReason(filter, { properties: properties as never, occurredAt: NOON }, WORDS.zone, WORDS.zone)).toBe(expected);
});

describe("reasons for not entering a mission", () => {
  const repeating: Recurrence = { kind: "AfterCompletion", cooldownMs: DAY, maxOccurrences: 2 };
  test.each<[Partial<Mission>, Fact[], string | null]>([
    [{}, [], null],
    [{}, [entry(1), order(2)], "already completed, and it does not repeat"],
    [{ active: false }, [], "the mission is switched off"],
    [{ window: { startsAt: NOON + DAY, endsAt: null } }, [], "the mission opens at 11 Mar 2026, 12:00"],
    [{ window: { startsAt: null, endsAt: NOON - DAY } }, [], "the mission closed at 9 Mar 2026, 12:00"],
    [{ recurrence: repeating }, [entry(1), order(2)], "it opens again at 11 Mar 2026, 12:00"],
    [{ recurrence: { ...repeating, cooldownMs: 0 } }, [entry(1), order(2), entry(3), order(4)], "already completed as often as it repeats"],
    [{ ...daily }, [entry(1), order(2)], "already completed today"],
    [
      { audience: { rule: { kind: "balance", operator: "GreaterThan", value: 100 }, otherwise: "Hidden" } },
      [],
      "the player is not in the audience",
    ],
  ])("%j after %j", (parts, facts, expected) => {
    const one = mission(parts);
    const definitions = definitionsWith([one]);
    const { player } = advance(newcomer(), definitions, facts);
    expect(explainOpening(player, one, NOON + 60_000, WORDS, definitions)).toBe(expected);
  });
});

test("a day that ended in the previous time zone, without a completion, is not called completed", () => {
  const one = mission({ ...daily });
  const definitions = definitionsWith([one]);
  const { player } = advance(newcomer(), definitions, [entry(1)]);
  const moved = { ...player, timeZone: "America/Los_Angeles" };
  const midnight = NOON + DAY / 2;
  expect(explainOpening(moved, one, midnight + 60_000, WORDS, definitions)).toBe("today has already ended in the previous time zone");
  expect(explainOpening(moved, one, midnight + DAY / 2, WORDS, definitions)).toBeNull();
});

test("an attribute counts for the objectives that read it, once the player is in the mission", () => {
  const reads = {
    ...open,
    criteria: [{ source: "Attribute", definitionId: TIER, type: "String", operator: "EqualTo", target: "gold" } as const],
  };
  const one = mission({ objectives: [open, reads], optIn: "Manual" });
  const at = (facts: Fact[]) => {
    const { player } = advance(newcomer(), definitionsWith([one]), facts);
    return explainAttribute(one, player.missions.get(one.partitionId)!.get(one.id)!.live[0]!, tier(9, "gold") as never);
  };
  expect(at([entry(1)])).toEqual([{ objective: 1, reason: "the player has not opted in" }]);
  expect(at([entry(1), accept(2)])).toEqual([{ objective: 1, reason: null }]);
});
