import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Mission } from "./definition.ts";
import { advance } from "../../engine/advance.ts";
import { accept, definitionsWith, entry, mission, newcomer, NOON, objective, order, RETURN, tier, TIER } from "./testing.ts";
import { simulate } from "../../engine/simulate.ts";
import type { Fact } from "../kernel/facts.ts";
import type { Occurrence, Player } from "../kernel/player.ts";
import type { Condition } from "../rules/condition.ts";
import type { AttributeCriterion } from "../rules/objective.ts";
import { decodePartition, encodePartition } from "./state.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The midnights after NOON. */
const MIDNIGHT = NOON + 12 * HOUR;
const NEXT_NOON = NOON + DAY;

const five = { objectives: [objective({ target: 5 })] };
const daily = mission({ recurrence: { kind: "Calendar", every: "Day" }, createdAt: NOON, ...five });
const gold: Condition = { kind: "attribute", attributeId: TIER, operator: "EqualTo", value: "gold" };
const rich: Condition = { kind: "balance", operator: "GreaterThanOrEqualTo", value: 10 };
const only = (rule: Condition): Partial<Mission> => ({ audience: { rule, otherwise: "Locked" } });
const being = (value: string) => newcomer({ attributes: new Map([[TIER, { value, occurredAt: 0 }]]) });

const play = (missions: Mission | readonly Mission[], facts: readonly Fact[], player: Player = newcomer()) =>
  advance(player, definitionsWith([missions].flat()), facts);
const live = (player: Player, one: Mission = daily): readonly Occurrence[] => player.missions.get(one.partitionId)?.get(one.id)?.live ?? [];
/** The days of a player's live occurrences, with the reading of the first objective. */
const days = (player: Player, one: Mission = daily) =>
  live(player, one).map(({ period, objectives }) => [period?.start, objectives[0]?.counters[0]?.value]);
const at = (seq: number, instant: number, more: object = {}) => order(seq, { occurredAt: instant, receivedAt: instant, ...more });
const completions = ({ effects }: ReturnType<typeof play>) => effects.flatMap((one) => (one.kind === "completion" ? [one] : []));

describe("an automatic calendar mission continues by itself", () => {
  const entered = play(daily, [entry(1), at(2, NOON)]).player;

  test("with the first event of the new period, which counts; it starts as of its receipt", () => {
    const { player } = play(daily, [at(3, NEXT_NOON), at(4, NEXT_NOON + 1)], entered);
    expect(days(player)).toEqual([
      ["2026-03-10", 1],
      ["2026-03-11", 2],
    ]);
    expect(live(player)[1]).toMatchObject({ number: 1, startedAt: NEXT_NOON, accepted: { at: NEXT_NOON } });
  });

  test("with an event of its objectives, even one that its filter excludes", () => {
    const filtered = {
      ...daily,
      objectives: [objective({ target: 5, where: { property: "drink", type: "String", operator: "EqualTo", value: "tea" } })],
    };
    const before = play(filtered, [entry(1)]).player;
    expect(days(play(filtered, [at(2, NEXT_NOON)], before).player, filtered)).toEqual([
      ["2026-03-10", 0],
      ["2026-03-11", 0],
    ]);
    expect(play(filtered, [at(2, NEXT_NOON, { definitionId: RETURN })], before).player).toBe(before);
  });

  test("when its last period was completed, and when days have passed without any event", () => {
    const done = play(
      daily,
      [1, 2, 3, 4].map((place) => at(place + 2, NOON)),
      entered,
    ).player;
    expect(days(done)).toEqual([]);
    expect(days(play(daily, [at(7, NEXT_NOON)], done).player)).toEqual([["2026-03-11", 1]]);
    expect(days(play(daily, [at(7, NOON + 9 * DAY)], entered).player)).toEqual([["2026-03-19", 1]]);
  });

  test("once a period, however often it is completed in it", () => {
    const one = { ...daily, objectives: [objective({ target: 1 })] };
    const before = play(one, [entry(1)]).player;
    const played = play(one, [at(2, NEXT_NOON), at(3, NEXT_NOON), entry(4, { receivedAt: NEXT_NOON }), at(5, NEXT_NOON)], before);
    expect(completions(played)).toMatchObject([{ occurrenceNumber: 1 }]);
  });

  test("as of the event's receipt, however late the event is applied", () => {
    expect(days(play(daily, [at(3, MIDNIGHT - 1), at(4, MIDNIGHT)], entered).player)).toEqual([
      ["2026-03-10", 2],
      ["2026-03-11", 1],
    ]);
  });

  test("with a change of an attribute that its objectives name: it is entered as it was just before, and then judged", () => {
    const criterion: AttributeCriterion = { source: "Attribute", definitionId: TIER, type: "String", operator: "EqualTo", target: "gold" };
    const beGold = {
      ...daily,
      partitionId: TIER,
      objectives: [{ ...objective(), criteria: [criterion], progressKind: "Binary" as const }],
    };
    const before = play(beGold, [entry(1)]).player;
    const late = { occurredAt: NOON, receivedAt: NEXT_NOON };
    const now = { occurredAt: NEXT_NOON, receivedAt: NEXT_NOON };
    expect(completions(play(beGold, [tier(2, "gold", now)], before))).toMatchObject([{ occurrenceNumber: 1, completedAt: NEXT_NOON }]);
    expect(completions(play(beGold, [tier(2, "gold", late)], before))).toMatchObject([{ occurrenceNumber: 0 }]);
    const yesterday = play(beGold, [tier(2, "gold")], before).player;
    expect(completions(play(beGold, [tier(3, "silver", now)], yesterday))).toMatchObject([{ occurrenceNumber: 1 }]);
  });

  test("by weeks and months in the player's zone", () => {
    for (const [every, instant] of [
      ["Week", Date.UTC(2026, 2, 15, 15)],
      ["Month", Date.UTC(2026, 2, 31, 15)],
    ] as const) {
      const one = { ...daily, recurrence: { kind: "Calendar" as const, every } };
      const tokyo = play(one, [entry(1)], newcomer({ timeZone: "Asia/Tokyo" })).player;
      expect(live(play(one, [at(2, instant - 1)], tokyo).player, one)).toHaveLength(1);
      expect(live(play(one, [at(2, instant)], tokyo).player, one).map(({ number }) => number)).toEqual([0, 1]);
    }
  });
});

describe("an automatic calendar mission does not continue", () => {
  const entered = play(daily, [entry(1), at(2, NOON)]).player;

  test("before it has once been returned to the player", () => {
    expect(play(daily, [at(1, NOON), at(2, NEXT_NOON)]).player.missions.size).toBe(0);
  });

  test("if it is manual: a read offers it, and each period is accepted", () => {
    const manual = { ...daily, optIn: "Manual" as const };
    const accepted = play(manual, [entry(1), accept(2), at(3, NOON)]).player;
    expect(days(play(manual, [at(4, NEXT_NOON)], accepted).player)).toEqual([["2026-03-10", 1]]);
  });

  test("with a late event of an earlier period, or an event of a future one", () => {
    const before = play(daily, [at(3, NOON + 3 * DAY)], entered).player;
    const late = at(4, NOON + 3 * DAY, { occurredAt: NOON + 2 * DAY });
    const early = at(5, NOON + 3 * DAY, { occurredAt: NOON + 4 * DAY });
    expect(play(daily, [late, early], before).player).toBe(before);
  });

  test("if it is inactive or its window is over; once active again, it continues", () => {
    const windowed = { ...daily, window: { startsAt: NOON, endsAt: NEXT_NOON } };
    const off = play({ ...daily, active: false }, [at(3, NEXT_NOON)], entered).player;
    expect(off).toBe(entered);
    expect(days(play(daily, [at(4, NEXT_NOON)], off).player)).toHaveLength(2);
    expect(days(play(windowed, [at(3, NEXT_NOON - 1)], entered).player)).toHaveLength(2);
    expect(days(play(windowed, [at(3, NEXT_NOON)], entered).player)).toHaveLength(1);
  });

  test("if the player is not in the audience at that time: by attributes, and by points of an earlier event", () => {
    const forGold = { ...daily, ...only(gold) };
    const before = play(forGold, [entry(1)], being("gold")).player;
    expect(days(play(forGold, [at(2, NEXT_NOON)], before).player)).toHaveLength(2);
    const silver = { ...before, attributes: being("silver").attributes };
    expect(play(forGold, [at(2, NEXT_NOON)], silver).player).toBe(silver);

    const paying = mission({ id: 11, key: "paying", objectives: [objective({ target: 2 })] });
    const forRich = { ...daily, ...only(rich) };
    const poor = play([paying, forRich], [entry(1), entry(1, { missionId: 11 })], newcomer({ balance: 10 })).player;
    const played = play(
      [paying, forRich],
      [1, 2, 3].map((place) => at(place + 1, NEXT_NOON)),
      { ...poor, balance: 0 },
    );
    // The second event pays; the third is the first that finds the player in the audience.
    expect(days(played.player, forRich)).toEqual([
      ["2026-03-10", 0],
      ["2026-03-11", 1],
    ]);
  });
});

describe("an event of the next period", () => {
  const entered = play(daily, [entry(1), at(2, NOON)]).player;
  const ahead = (before: number, occurredAt: number) => order(3, { receivedAt: MIDNIGHT - before, occurredAt });

  test.each([
    ["five minutes before it begins", 5 * MINUTE, MIDNIGHT, true],
    ["a moment before it begins, of its last moment", 1, MIDNIGHT + DAY - 1, true],
    ["earlier", 5 * MINUTE + 1, MIDNIGHT, false],
    ["of the period after it", 1, MIDNIGHT + DAY, false],
  ])("received %s opens it or not", (_, before, occurredAt, opens) => {
    const { player } = play(daily, [ahead(before, occurredAt)], entered);
    expect(days(player).map(([start]) => start)).toEqual(opens ? ["2026-03-10", "2026-03-11"] : ["2026-03-10"]);
  });

  test("opens the running period first where that is not open yet, so that its events still count", () => {
    const { player } = play(daily, [ahead(1, MIDNIGHT), at(4, MIDNIGHT - 1)], play(daily, [entry(1, { receivedAt: NOON - DAY })]).player);
    expect(days(player)).toEqual([
      ["2026-03-09", 0],
      ["2026-03-10", 1],
      ["2026-03-11", 1],
    ]);
  });

  test("opens nothing after the end of the window, and does not count for the period that is still running", () => {
    const closing = { ...daily, window: { startsAt: null, endsAt: MIDNIGHT } };
    expect(days(play(closing, [ahead(1, MIDNIGHT)], entered).player)).toEqual([["2026-03-10", 1]]);
    const { player } = play(daily, [ahead(1, MIDNIGHT), at(4, MIDNIGHT - 1)], entered);
    expect(days(player)).toEqual([
      ["2026-03-10", 2],
      ["2026-03-11", 1],
    ]);
  });
});

describe("in the order of facts", () => {
  const entered = play(daily, [entry(1)]).player;

  test("an event with an earlier position that is applied later counts too, and moves the entry back", () => {
    const { player } = play(daily, [at(9, NEXT_NOON + 9), at(7, NEXT_NOON + 7), at(8, NEXT_NOON + 8)], entered);
    expect(days(player)).toEqual([
      ["2026-03-10", 0],
      ["2026-03-11", 3],
    ]);
    expect(live(player)[1]).toMatchObject({ startedAt: NEXT_NOON + 7, accepted: { at: NEXT_NOON + 7 } });
  });

  test("an earlier event moves back the entry of a read too, but never before the first entry", () => {
    const read = entry(9, { receivedAt: NEXT_NOON });
    expect(days(play(daily, [read, at(8, NEXT_NOON)], entered).player)[1]).toEqual(["2026-03-11", 1]);
    expect(days(play(daily, [read, at(8, NEXT_NOON)]).player)).toEqual([["2026-03-11", 0]]);
  });

  test("facts received before the period began do not count in it", () => {
    const { player } = play(daily, [at(9, NEXT_NOON), order(8, { receivedAt: NOON, occurredAt: NEXT_NOON })], entered);
    expect(days(player)[1]).toEqual(["2026-03-11", 1]);
  });
});

describe("where a change of zone makes two periods overlap", () => {
  const HONOLULU = "Pacific/Honolulu";
  const AUCKLAND = "Pacific/Auckland";
  const west = play(daily, [entry(1), at(2, NOON)], newcomer({ timeZone: HONOLULU })).player;

  test("an instant belongs to the later one, from the event that opens it", () => {
    const east = { ...west, timeZone: AUCKLAND };
    const { player } = play(daily, [at(3, NOON + HOUR), at(4, NOON + HOUR), at(5, NOON)], east);
    expect(days(west)).toEqual([["2026-03-10", 1]]);
    // In Auckland the 11th has begun at 11:00 UTC; in Honolulu the 10th would last until 10:00 UTC of the next day.
    expect(days(player)).toEqual([
      ["2026-03-10", 1],
      ["2026-03-11", 3],
    ]);
    expect(live(player)[0]?.period?.endsAt).toBe(live(player)[1]?.period?.startsAt);
  });

  test("an instant belongs to the later one even if that is completed", () => {
    const one = { ...daily, objectives: [objective({ target: 2 })] };
    const before = play(one, [entry(1)], newcomer({ timeZone: HONOLULU })).player;
    const { player } = play(one, [at(3, NOON + HOUR), at(4, NOON + HOUR), at(5, NOON + HOUR)], { ...before, timeZone: AUCKLAND });
    expect(days(player)).toEqual([["2026-03-10", 0]]);
  });

  test("a period that the player left by moving west is not opened again", () => {
    const east = play(daily, [entry(1), at(2, NOON)], newcomer({ timeZone: AUCKLAND })).player;
    expect(days(east)).toEqual([["2026-03-11", 1]]);
    const moved = { ...east, timeZone: HONOLULU };
    // There the 11th continues after it was over in Auckland: it was entered once, and takes nothing more.
    const again = play(daily, [at(3, NEXT_NOON + 5 * HOUR)], moved).player;
    expect(days(again)).toEqual([["2026-03-11", 1]]);
    expect(days(play(daily, [at(4, NOON + 2 * DAY)], again).player)).toEqual([["2026-03-12", 1]]);
  });

  test("an event counts for at most one occurrence, for any zones, reads and delays", () => {
    const zones = fc.constantFrom(HONOLULU, AUCKLAND, "UTC", "Pacific/Kiritimati", "America/Santiago", null);
    const step = fc.record({
      zone: zones,
      reads: fc.boolean(),
      late: fc.integer({ min: -8, max: 30 }),
      hours: fc.integer({ min: 0, max: 14 }),
    });
    const never = { ...daily, objectives: [objective({ target: 1_000 })] };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let [player, now] = [newcomer(), NOON];
        for (const [place, { zone, reads, late, hours }] of steps.entries()) {
          now += hours * HOUR;
          player = { ...player, timeZone: zone };
          if (reads) player = play(never, [entry(2 * place + 1, { receivedAt: now })], player).player;
          const before = live(player, never).map(({ period, objectives }) => [period?.start, objectives[0]?.counters[0]?.value]);
          const had = new Map(before as [string, number][]);
          player = play(never, [order(2 * place + 2, { receivedAt: now, occurredAt: now - late * HOUR })], player).player;
          const moved = live(player, never).filter(
            ({ period, objectives }) => objectives[0]?.counters[0]?.value !== (had.get(period!.start) ?? 0),
          );
          expect(moved.length).toBeLessThanOrEqual(1);
          const starts = live(player, never).map(({ period }) => period!.start);
          expect([...new Set(starts)].sort()).toEqual(starts);
        }
      }),
    );
  });
});

test("automatic continuation equals a read just before each event, one fact or many at a time, also through the stored form", () => {
  const missions = [
    daily,
    mission({ ...daily, id: 11, key: "one", objectives: [objective({ target: 1 })] }),
    mission({ ...daily, id: 12, key: "rich", ...only(rich), objectives: [objective({ target: 2 })] }),
    mission({ ...daily, id: 13, key: "gold", ...only(gold), recurrence: { kind: "Calendar", every: "Week" } }),
  ];
  const definitions = definitionsWith(missions);
  const facts = fc
    .array(fc.record({ hours: fc.integer({ min: 0, max: 20 }), kind: fc.constantFrom("order", "gold", "silver") }), { maxLength: 25 })
    .map((many) => {
      let now = NOON;
      return many.map(({ hours, kind }, index): Fact => {
        now += hours * HOUR;
        const when = { occurredAt: now, receivedAt: now };
        return kind === "order" ? order(index + 10, when) : tier(index + 10, kind, when);
      });
    });
  fc.assert(
    fc.property(facts, fc.nat(25), (all, cut) => {
      const start = play(
        missions,
        missions.map(({ id }) => entry(1, { missionId: id })),
        { ...being("gold"), balance: 10 },
      ).player;
      const whole = advance(start, definitions, all);
      const first = advance(start, definitions, all.slice(0, cut));
      const stored = new Map([...first.player.missions].map(([id, partition]) => [id, decodePartition(encodePartition(partition))]));
      const second = advance({ ...first.player, missions: stored }, definitions, all.slice(cut));
      expect([...first.effects, ...second.effects]).toEqual(whole.effects);
      expect(second.player.missions).toEqual(whole.player.missions);
      // A simulation lists each step, with the same result.
      const steps = simulate(start, definitions, all);
      expect(steps.flatMap(({ effects }) => effects)).toEqual(whole.effects);
      expect(steps.at(-1)?.after.missions ?? start.missions).toEqual(whole.player.missions);
    }),
  );
});
