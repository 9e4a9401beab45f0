import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Mission } from "../model/definitions/compiled.ts";
import { Decimal } from "../model/kernel/decimal.ts";
import type { Fact } from "../model/kernel/facts.ts";
import type { Occurrence, Player } from "../model/kernel/player.ts";
import { decodePartition, encodePartition } from "../model/missions/state.ts";
import type { AttributeCriterion, Objective } from "../model/rules/objective.ts";
import { advance } from "./advance.ts";
import {
  accept,
  definitionsWith,
  entry,
  mission,
  newcomer,
  NOON,
  objective,
  order,
  ORDER,
  RETURN,
  tier,
  TIER,
} from "../model/missions/testing.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const play = (missions: readonly Mission[], facts: readonly Fact[], player = newcomer(), zone = "UTC") =>
  advance(player, definitionsWith(missions, zone), facts);

const live = (player: Player, missionId = 10): readonly Occurrence[] => player.missions.get(ORDER)?.get(missionId)?.live ?? [];
const reading = (player: Player, index = 0, missionId = 10) => live(player, missionId)[0]?.objectives[index]?.counters[0]?.value;
const completions = (effects: ReturnType<typeof play>["effects"]) => effects.filter(({ kind }) => kind === "completion");

describe("which events count", () => {
  const five = mission({ objectives: [objective({ target: 5 })] });

  test("none before the player's entry, by the order of facts and not by the clock", () => {
    const late = order(3, { occurredAt: NOON - 9 * DAY, receivedAt: NOON - 9 * DAY });
    expect(reading(play([five], [order(1), entry(2), late]).player)).toBe(1);
  });

  test("none received before the entry, even if applied after it", () => {
    expect(reading(play([five], [entry(5), order(4), order(6)]).player)).toBe(1);
  });

  test("none of a player whose missions were never read", () => {
    const { player, effects } = play([five], [order(1), order(2)]);
    expect([player.missions.size, effects]).toEqual([0, []]);
  });

  test("none of a manual mission before the accept", () => {
    const manual = mission({ optIn: "Manual", objectives: [objective({ target: 5 })] });
    const offered = play([manual], [entry(1), order(2)]).player;
    expect(live(offered)[0]?.accepted).toBeNull();
    expect(reading(play([manual], [accept(3), order(2), order(4)], offered).player)).toBe(1);
  });

  test("none that happened before the window's start, however late it arrives", () => {
    const windowed = { ...five, window: { startsAt: NOON, endsAt: NOON + HOUR } };
    const facts = [
      entry(1),
      order(2, { occurredAt: NOON - 1 }),
      order(3, { occurredAt: NOON }),
      order(4, { occurredAt: NOON + DAY, receivedAt: NOON + DAY }),
    ];
    expect(reading(play([windowed], facts).player)).toBe(2);
  });

  test("none of a mission that is switched off", () => {
    const entered = play([five], [entry(1)]).player;
    expect(play([{ ...five, active: false }], [order(2)], entered).player).toBe(entered);
  });
});

describe("measures", () => {
  const measured = (measure: Parameters<typeof objective>[0], facts: Fact[]) =>
    reading(play([mission({ objectives: [objective({ operator: "EqualTo", target: -1, ...measure })] })], [entry(1), ...facts]).player);
  const amounts = (...values: (number | Decimal)[]) => values.map((amount, index) => order(index + 2, { properties: { amount } }));

  test.each([
    ["Sum", [1, 2.5, 3], 6.5],
    ["Max", [1, 3, 2], 3],
    ["Min", [2, 1, 3], 1],
    ["Latest", [2, 1, 3], 3],
    ["DistinctCount", [2, 1, 2, 1], 2],
  ] as const)("%s of %j is %d", (kind, values, expected) => {
    expect(measured({ measure: { kind, property: "amount", of: "Number" } }, amounts(...values))).toBe(expected);
  });

  test.each([
    ["Sum", 0],
    ["DistinctCount", 0],
    ["Max", null],
    ["Min", null],
    ["Latest", null],
  ] as const)("%s reads %s before the first event, and after one that has no value for it", (kind, expected) => {
    expect(measured({ measure: { kind, property: "amount", of: "Number" } }, [])).toBe(expected);
    expect(measured({ measure: { kind, property: "amount", of: "Number" } }, [order(2)])).toBe(expected);
  });

  test("a sum is exact beyond the range of a double", () => {
    const wide = Decimal.of(Decimal.parse("12345678901234567890.12345678") ?? 0);
    expect(String(measured({ measure: { kind: "Sum", property: "amount" } }, amounts(wide, 0.1, 0.2)))).toBe(
      "12345678901234567890.42345678",
    );
  });

  test("Latest takes the newest by occurredAt; of two at one instant, the one received later", () => {
    const at = (seq: number, occurredAt: number, amount: number) => order(seq, { occurredAt, properties: { amount } });
    const latest = { measure: { kind: "Latest", property: "amount" } } as const;
    expect(measured(latest, [at(2, NOON, 1), at(3, NOON - 1, 2)])).toBe(1);
    expect(measured(latest, [at(2, NOON, 1), at(3, NOON, 2)])).toBe(2);
  });

  test("DistinctDays counts days of the player's zone", () => {
    const days = mission({ objectives: [objective({ target: 9, measure: { kind: "DistinctDays" } })] });
    const facts = [entry(1), order(2, { occurredAt: Date.UTC(2026, 2, 10, 22) }), order(3, { occurredAt: Date.UTC(2026, 2, 10, 23, 30) })];
    expect(reading(play([days], facts).player)).toBe(1);
    expect(reading(play([days], facts, newcomer({ timeZone: "Europe/Amsterdam" })).player)).toBe(2);
  });

  test("a filter lets only its events through; without a value only NotEqualTo and NotIn hold", () => {
    const where = (operator: "EqualTo" | "NotEqualTo" | "In" | "NotIn", value: string | string[]) =>
      measured({ where: { property: "drink", type: "String", operator, value } }, [
        order(2, { properties: { drink: "latte" } }),
        order(3, { properties: { drink: "mocha" } }),
        order(4),
      ]);
    expect(where("EqualTo", "latte")).toBe(1);
    expect(where("NotEqualTo", "latte")).toBe(2);
    expect(where("In", ["latte", "mocha"])).toBe(2);
    expect(where("NotIn", ["latte"])).toBe(2);
  });
});

describe("satisfaction", () => {
  test("latches: a Latest that falls back stays satisfied", () => {
    const both = mission({
      objectives: [
        objective({ measure: { kind: "Latest", property: "amount" }, target: 5 }),
        objective({ definitionId: RETURN, target: 9 }),
      ],
    });
    const { player } = play([both], [entry(1), order(2, { properties: { amount: 7 } }), order(3, { properties: { amount: 1 } })]);
    expect(live(player)[0]?.objectives[0]).toEqual({ isSatisfied: true, counters: [{ value: 1, at: NOON + 3 }] });
  });

  test("a limit is satisfied from the start and stays so when it is broken", () => {
    const limited = mission({
      objectives: [objective({ target: 9 }), objective({ definitionId: RETURN, operator: "LessThan", target: 1 })],
    });
    const { player } = play([limited], [entry(1), order(2, { definitionId: RETURN })]);
    expect(live(player)[0]?.objectives[1]).toEqual({ isSatisfied: true, counters: [{ value: 1 }] });
  });

  test("entry judges every objective by its reading without events, and may complete the mission", () => {
    const none = mission({ objectives: [objective({ operator: "NotEqualTo", target: 3, progressKind: "Binary" })] });
    expect(completions(play([none], [entry(1)]).effects)).toMatchObject([{ completedAt: NOON + 1, occurrenceNumber: 0 }]);
    expect(completions(play([{ ...none, optIn: "Manual" }], [entry(1)]).effects)).toEqual([]);
    expect(completions(play([{ ...none, optIn: "Manual" }], [entry(1), accept(2)]).effects)).toHaveLength(1);
  });

  test("compound objectives combine their criteria", () => {
    const [orders, returns] = [objective({ target: 2 }), objective({ definitionId: RETURN, target: 1 })];
    const compound = (expression: Mission["objectives"][number]["expression"]) =>
      mission({
        objectives: [{ ...orders, criteria: [...orders.criteria, ...returns.criteria], expression, progressKind: "NotDisplayable" }],
      });
    const facts = [entry(1), order(2), order(3)];
    expect(completions(play([compound({ any: [0, 1] })], facts).effects)).toHaveLength(1);
    expect(completions(play([compound({ all: [0, 1] })], facts).effects)).toHaveLength(0);
    expect(completions(play([compound({ all: [0, { not: 1 }] })], facts).effects)).toHaveLength(1);
  });
});

describe("objectives in order", () => {
  const steps = mission({
    objectiveOrder: "InOrder",
    objectives: [
      objective({ target: 2 }),
      objective({ target: 1 }),
      objective({ definitionId: RETURN, operator: "LessThanOrEqualTo", target: 5 }),
    ],
  });

  test("an event counts only for the first that is not satisfied", () => {
    const { player, effects } = play([steps], [entry(1), order(2), order(3)]);
    expect([reading(player, 0), reading(player, 1), completions(effects)]).toEqual([2, 0, []]);
    expect(completions(play([steps], [order(4)], player).effects)).toHaveLength(1);
  });

  test("a limit holds from the start and blocks no other objective", () => {
    expect(reading(play([steps], [entry(1), order(2, { definitionId: RETURN })]).player, 2)).toBe(1);
  });
});

describe("completion", () => {
  const paying = mission({
    rewards: [
      { kind: "Points", points: 10 },
      { kind: "CatalogItem", catalogItemId: 1, catalogItemKey: "coffee", valueType: "Number", value: 2 },
    ],
  });

  test("pays every reward once, as of the receipt of the event that completed it, and is never entered again", () => {
    const { player, effects } = play([paying], [entry(1), order(2), order(3), entry(4), order(5)]);
    expect(effects.map(({ kind }) => kind)).toEqual(["completion", "grant", "owedItem"]);
    expect(effects[0]).toMatchObject({ completedAt: NOON + 2, startedAt: NOON + 1 });
    expect(effects.slice(1)).toMatchObject([
      { ordinal: 0, points: 10 },
      { ordinal: 1, value: 2 },
    ]);
    const sources = effects.map((effect) => ("sourceId" in effect ? effect.sourceId : "occurrenceId" in effect && effect.occurrenceId));
    expect(new Set(sources).size).toBe(1);
    expect([player.completedMissions.has(10), live(player)]).toEqual([true, []]);
  });
});

describe("calendar missions", () => {
  const daily = mission({ recurrence: { kind: "Calendar", every: "Day" }, objectives: [objective({ target: 2 })], createdAt: NOON });

  test("an event counts in the period it happened in, for 24 hours after its end", () => {
    const inDay = (seq: number, receivedAt: number) => order(seq, { occurredAt: NOON + HOUR, receivedAt });
    const midnight = Date.UTC(2026, 2, 11);
    const entered = play([daily], [entry(1), inDay(2, NOON + HOUR)]).player;
    expect(completions(play([daily], [inDay(3, midnight + DAY - 1)], entered).effects)).toHaveLength(1);
    expect(completions(play([daily], [inDay(3, midnight + DAY)], entered).effects)).toHaveLength(0);
    expect(reading(play([daily], [order(3, { occurredAt: midnight, receivedAt: midnight })], entered).player)).toBe(1);
  });

  test("the next read enters the next period, numbered by the boundaries crossed since creation", () => {
    const { player } = play([daily], [entry(1), entry(2), entry(3, { receivedAt: NOON + 3 * DAY })]);
    expect(live(player).map(({ number, period }) => [number, period?.start])).toEqual([[3, "2026-03-13"]]);
  });

  test("the previous period still counts its late events, alongside the new one", () => {
    const { player } = play([daily], [entry(1), entry(2, { receivedAt: NOON + DAY })]);
    expect(live(player).map(({ number }) => number)).toEqual([0, 1]);
    const late = [order(3, { occurredAt: NOON, receivedAt: NOON + DAY }), order(4, { occurredAt: NOON, receivedAt: NOON + DAY })];
    expect(completions(play([daily], late, player).effects)).toMatchObject([{ occurrenceNumber: 0 }]);
  });

  test("a change of zone cannot open a period twice", () => {
    const evening = Date.UTC(2026, 2, 10, 23, 30);
    const tokyo = play([daily], [entry(1, { receivedAt: evening })], newcomer({ timeZone: "Asia/Tokyo" })).player;
    expect(live(tokyo).map(({ period }) => period?.start)).toEqual(["2026-03-11"]);
    const moved = play([daily], [entry(2, { receivedAt: evening }), entry(3, { receivedAt: evening + 6 * HOUR })], {
      ...tokyo,
      timeZone: "America/New_York",
    }).player;
    expect(live(moved).map(({ period }) => period?.start)).toEqual(["2026-03-11"]);
  });
});

describe("missions that return after completion", () => {
  const again = mission({ recurrence: { kind: "AfterCompletion", cooldownMs: HOUR, maxOccurrences: 2 } });

  test("not before the cooldown, not beyond the maximum", () => {
    const first = play([again], [entry(1), order(2)]).player;
    expect(live(play([again], [entry(3, { receivedAt: NOON + 2 + HOUR - 1 })], first).player)).toHaveLength(0);
    const second = play([again], [entry(3, { receivedAt: NOON + 2 + HOUR }), order(4, { receivedAt: NOON + 2 * HOUR })], first);
    expect(completions(second.effects)).toMatchObject([{ occurrenceNumber: 1 }]);
    expect(live(play([again], [entry(5, { receivedAt: NOON + 9 * HOUR })], second.player).player)).toHaveLength(0);
  });
});

describe("folding", () => {
  const missions = [
    mission({ id: 10, objectives: [objective({ target: 3 }), objective({ definitionId: RETURN, operator: "LessThan", target: 2 })] }),
    mission({
      id: 11,
      key: "b",
      optIn: "Manual",
      objectiveOrder: "InOrder",
      objectives: [
        objective({ target: 2 }),
        objective({ measure: { kind: "DistinctCount", property: "amount", of: "Number" }, target: 2 }),
      ],
    }),
    mission({
      id: 12,
      key: "c",
      recurrence: { kind: "AfterCompletion", cooldownMs: 2, maxOccurrences: null },
      objectives: [objective({ measure: { kind: "Sum", property: "amount" }, target: 4 })],
    }),
    mission({
      id: 13,
      key: "d",
      recurrence: { kind: "Calendar", every: "Day" },
      objectives: [objective({ measure: { kind: "DistinctDays" }, target: 1 })],
    }),
  ];
  const anyFact = fc.record({
    kind: fc.constantFrom("order", "return", "entry", "accept"),
    missionId: fc.constantFrom(10, 11, 12, 13),
    amount: fc.integer({ min: 0, max: 3 }),
    late: fc.integer({ min: 0, max: 2 }),
  });
  const facts = fc.array(anyFact, { maxLength: 60 }).map((many) =>
    many.map(({ kind, missionId, amount, late }, index): Fact => {
      const at = { receivedAt: NOON + index * 5 * HOUR };
      if (kind === "entry") return entry(index + 1, { missionId, ...at });
      if (kind === "accept") return accept(index + 1, { missionId, ...at });
      return order(index + 1, {
        ...at,
        occurredAt: at.receivedAt - late * 7 * HOUR,
        definitionId: kind === "order" ? ORDER : RETURN,
        properties: { amount },
      });
    }),
  );

  test("in slices is the same as in one go, also through the stored form", () => {
    fc.assert(
      fc.property(facts, fc.nat(60), (all, cut) => {
        const whole = play(missions, all);
        const first = play(missions, all.slice(0, cut));
        const stored = new Map([...first.player.missions].map(([id, partition]) => [id, decodePartition(encodePartition(partition))]));
        const second = play(missions, all.slice(cut), { ...first.player, missions: stored });
        expect([...first.effects, ...second.effects]).toEqual(whole.effects);
        expect(second.player.missions).toEqual(whole.player.missions);
      }),
    );
  });

  test("completes no occurrence twice and leaves the player it was given alone", () => {
    fc.assert(
      fc.property(facts, (all) => {
        const before = newcomer();
        const { effects } = play(missions, all, before);
        const ids = effects.flatMap((effect) => (effect.kind === "completion" ? [effect.occurrenceId] : []));
        expect(new Set(ids).size).toBe(ids.length);
        expect(before).toEqual(newcomer());
      }),
    );
  });
});

describe("objectives over attributes", () => {
  const criterion: AttributeCriterion = { source: "Attribute", definitionId: TIER, type: "String", operator: "EqualTo", target: "gold" };
  const gold: Objective = { ...objective(), criteria: [criterion], progressKind: "Binary" };
  const has = (value: string) => newcomer({ attributes: new Map([[TIER, { value, occurredAt: NOON }]]) });
  const both = mission({ objectives: [gold, objective({ target: 2 })] });

  test("are judged at entry by the value that the player has then", () => {
    const alone = mission({ objectives: [gold], partitionId: TIER });
    expect(completions(play([alone], [entry(1)], has("gold")).effects)).toHaveLength(1);
    expect(completions(play([alone], [entry(1)], has("silver")).effects)).toHaveLength(0);
    expect(completions(play([alone], [entry(1)]).effects)).toHaveLength(0);
  });

  test("are judged again when the attribute changes, and stay satisfied when it changes back", () => {
    const { player } = play([both], [entry(1), tier(2, "gold"), tier(3, "silver")]);
    expect(live(player)[0]?.objectives[0]).toMatchObject({ isSatisfied: true, counters: [{ value: "silver" }] });
    expect(player.attributes.get(TIER)?.value).toBe("silver");
    expect(completions(play([both], [order(4), order(5)], player).effects)).toHaveLength(1);
  });

  test("do not move an offer that was not accepted", () => {
    const manual = { ...both, optIn: "Manual" as const };
    expect(live(play([manual], [entry(1), tier(2, "gold")]).player)[0]?.objectives).toEqual([]);
  });

  test("in order wait for their predecessors, and are judged by the value of that moment", () => {
    const ordered = mission({ objectiveOrder: "InOrder", objectives: [objective({ target: 1 }), gold] });
    const waiting = play([ordered], [entry(1), tier(2, "gold")]).player;
    expect(live(waiting)[0]?.objectives.map(({ isSatisfied }) => isSatisfied)).toEqual([false, false]);
    expect(completions(play([ordered], [order(3)], waiting).effects)).toHaveLength(1);
    expect(completions(play([ordered], [tier(3, "silver"), order(4)], waiting).effects)).toHaveLength(0);
  });

  test("of a calendar day sees the value before its end, for 24 hours afterwards", () => {
    const daily = mission({ objectives: [gold, objective({ target: 9 })], recurrence: { kind: "Calendar", every: "Day" } });
    const entered = play([daily], [entry(1)]).player;
    const after = (occurredAt: number, receivedAt: number) =>
      live(play([daily], [tier(2, "gold", { occurredAt, receivedAt })], entered).player)[0]?.objectives[0]?.isSatisfied ?? null;
    const end = NOON + 12 * HOUR;
    expect(after(NOON - 9 * DAY, end - 1)).toBe(true);
    expect(after(end - 1, end)).toBe(true);
    expect(after(end, end)).toBe(false);
    expect(after(end - 1, end + DAY)).toBe(false);
  });
});
