import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSpread } from "../../db/testing.ts";
import type { Backend, Item } from "../backend.ts";
import { atLeast, mission, points, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();

const ATTRIBUTES = [
  { key: "tier", name: "Tier", type: "String" },
  { key: "age", name: "Age", type: "Number" },
  { key: "vegan", name: "Vegan", type: "Boolean" },
  { key: "joined", name: "Joined", type: "DateTime" },
];
const restricted = (rule: object | null, otherwise = "Locked", more: object = {}) =>
  mission("restricted", { audience: { rule, otherwise }, objectives: [atLeast(3)], ...more });
const cafe = (rule: object, otherwise?: string, more: object = {}) => ({
  attributes: ATTRIBUTES,
  ...shop(restricted(rule, otherwise, more)),
});
const GOLD = { attribute: "tier", operator: "EqualTo", value: "gold" };
const orders = (operator: string, value: unknown, more: object = {}) => ({ event: "order_placed", operator, value, ...more });
const sumOf = (property: string) => ({ measure: { kind: "Sum", property } });

const statusOf = async (backend: Backend, playerId: string): Promise<string | undefined> =>
  (await backend.mission(playerId, "restricted"))?.status;
/** Whether a condition holds for a player, by the mission with that audience. */
const holds = async (backend: Backend, playerId: string): Promise<boolean> => (await statusOf(backend, playerId)) === "InProgress";

describe("audiences", () => {
  test("an ineligible player sees the mission locked, or not at all, by its setting", async () => {
    const backend = await service.sandbox({
      attributes: ATTRIBUTES,
      ...shop(restricted(GOLD), mission("hidden", { audience: { rule: GOLD, otherwise: "Hidden" } })),
    });
    const [locked, ...others] = await backend.missions("ann");
    expect(others).toEqual([]);
    expect(locked).toMatchObject({
      missionKey: "restricted",
      status: "Locked",
      isAccepted: false,
      occurrenceNumber: 0,
      startedAtUtc: null,
      acceptedAtUtc: null,
      completedAtUtc: null,
      rewards: [{ kind: "Points", pointsAmount: 10 }],
    });
    expect(locked.objectives).toEqual([
      {
        objectiveId: expect.any(String),
        description: null,
        order: 0,
        isSatisfied: false,
        progress: { kind: "NotDisplayable", actual: null, operator: null, target: null, fraction: null },
      },
    ]);
  });

  test("a player becomes eligible only at the next mission read: events before it do not count", async () => {
    const backend = await service.sandbox(cafe(GOLD));
    expect(await statusOf(backend, "ann")).toBe("Locked");
    await backend.setAttributes("ann", { tier: "gold" });
    await backend.play({ playerId: "ann" });
    expect(await statusOf(backend, "ann")).toBe("InProgress");
    expect(await backend.counterValue("ann", "restricted")).toBe(0);
    await backend.play({ playerId: "ann" });
    expect(await backend.counterValue("ann", "restricted")).toBe(1);
  });

  test("a player who entered stays, even if they no longer qualify", async () => {
    const backend = await service.sandbox(cafe(GOLD));
    await backend.setAttributes("ann", { tier: "gold" });
    expect(await statusOf(backend, "ann")).toBe("InProgress");
    await backend.setAttributes("ann", { tier: "silver" });
    await backend.play({ playerId: "ann" }, { playerId: "ann" }, { playerId: "ann" });
    expect((await backend.points("ann")).balance).toBe(10);
  });

  test("an offer stays open once made; the next occurrence checks again", async () => {
    const daily = { recurrence: { kind: "Calendar", every: "Day" }, optIn: "Manual" };
    const backend = await service.sandbox(cafe(GOLD, "Locked", daily));
    await backend.setAttributes("ann", { tier: "gold" });
    expect(await statusOf(backend, "ann")).toBe("Available");
    await backend.setAttributes("ann", { tier: "silver" });
    expect(await statusOf(backend, "ann")).toBe("Available");
    expect((await backend.accept("ann", "restricted")).status).toBe(204);
    await backend.advance("P1D");
    expect(await backend.mission("ann", "restricted")).toMatchObject({ status: "Locked", occurrenceNumber: 1 });
    expect((await backend.accept("ann", "restricted")).status).toBe(204);
  });

  test("a locked mission was never offered: accepting it is refused", async () => {
    const backend = await service.sandbox(cafe(GOLD, "Locked", { optIn: "Manual" }));
    await backend.missions("ann");
    expect(await backend.accept("ann", "restricted")).toMatchObject({ status: 404, code: "mission.not_locked_in" });
  });

  test("a closed window, a completion and a cooldown show no locked row", async () => {
    const closed = { window: { startsAt: "2020-01-01T00:00:00Z", endsAt: "2021-01-01T00:00:00Z" } };
    expect(await statusOf(await service.sandbox(cafe(GOLD, "Locked", closed)), "ann")).toBeUndefined();
    for (const recurrence of [{ kind: "None" }, { kind: "AfterCompletion", cooldownHours: 1 }]) {
      const backend = await service.sandbox(cafe(GOLD, "Locked", { recurrence }));
      await backend.setAttributes("ann", { tier: "gold" });
      await backend.missions("ann");
      await backend.setAttributes("ann", { tier: "silver" });
      await backend.play({ playerId: "ann" }, { playerId: "ann" }, { playerId: "ann" });
      expect(await statusOf(backend, "ann")).toBeUndefined();
      await backend.advance("PT2H");
      expect(await statusOf(backend, "ann")).toBe(recurrence.kind === "None" ? undefined : "Locked");
    }
  });

  test("locked missions come after available and completed ones, also when `take` cuts", async () => {
    const backend = await service.sandbox({
      attributes: ATTRIBUTES,
      ...shop(restricted(GOLD), mission("done"), mission("going", { objectives: [atLeast(9)] }), mission("offered", { optIn: "Manual" })),
    });
    await backend.missions("ann");
    await backend.play({ playerId: "ann" });
    const keys = async (more: object) => (await backend.missions("ann", more)).map(({ missionKey }) => missionKey);
    expect(await keys({})).toEqual(["going", "offered", "restricted"]);
    expect(await keys({ includeCompleted: true })).toEqual(["going", "offered", "done", "restricted"]);
    expect(await keys({ includeCompleted: true, take: 3 })).toEqual(["going", "offered", "done"]);
    expect(await keys({ take: 2 })).toEqual(["going", "offered"]);
  });

  test("an edit of the audience applies from the next read on", async () => {
    const backend = await service.sandbox(cafe(GOLD));
    expect(await statusOf(backend, "ann")).toBe("Locked");
    await backend.define(cafe({ not: GOLD }));
    expect(await statusOf(backend, "ann")).toBe("InProgress");
  });
});

describe("a condition", () => {
  test("on an attribute compares by its type; without a value only NotEqualTo and NotIn hold", async () => {
    const cases: [object, boolean, boolean][] = [
      [GOLD, true, false],
      [{ attribute: "tier", operator: "NotEqualTo", value: "gold" }, false, true],
      [{ attribute: "tier", operator: "In", value: ["silver", "gold"] }, true, false],
      [{ attribute: "tier", operator: "NotIn", value: ["silver", "gold"] }, false, true],
      [{ attribute: "age", operator: "GreaterThanOrEqualTo", value: 18 }, true, false],
      [{ attribute: "age", operator: "LessThan", value: 18 }, false, false],
      [{ attribute: "vegan", operator: "EqualTo", value: false }, true, false],
      [{ attribute: "joined", operator: "LessThan", value: "2030-01-01T00:00:00+01:00" }, true, false],
      [{ not: { attribute: "age", operator: "LessThan", value: 18 } }, true, true],
    ];
    for (const [rule, known, unknown] of cases) {
      const backend = await service.sandbox(cafe(rule));
      await backend.setAttributes("ann", { tier: "gold", age: 18, vegan: false, joined: "2029-12-31T22:59:59.999Z" });
      expect([await holds(backend, "ann"), await holds(backend, "bob")], JSON.stringify(rule)).toEqual([known, unknown]);
    }
  });

  test("all, any and not combine, through segments too", async () => {
    const adult = { attribute: "age", operator: "GreaterThanOrEqualTo", value: 18 };
    const backend = await service.sandbox({
      segments: [
        { key: "adult", name: "Adults", rule: adult },
        { key: "vip", name: "VIP", rule: { all: [{ segment: "adult" }, { any: [GOLD, { not: { segment: "adult" } }] }] } },
      ],
      ...cafe({ segment: "vip" }),
    });
    await backend.setAttributes("child", { tier: "gold", age: 17 });
    await backend.setAttributes("adult", { tier: "silver", age: 18 });
    await backend.setAttributes("vip", { tier: "gold", age: 18 });
    expect(await Promise.all(["child", "adult", "vip"].map((player) => holds(backend, player)))).toEqual([false, false, true]);
  });

  test("on points uses the current balance, including what this read grants", async () => {
    const rich = { points: "Balance", operator: "GreaterThanOrEqualTo", value: 50 };
    const backend = await service.sandbox(cafe(rich));
    expect(await holds(backend, "ann")).toBe(false);
    await backend.adjust("ann", 49);
    expect(await holds(backend, "ann")).toBe(false);
    await backend.adjust("ann", 1);
    expect(await holds(backend, "ann")).toBe(true);

    const welcome = mission("welcome", {
      objectives: [{ attribute: "tier", operator: "NotEqualTo", target: "blocked" }],
      rewards: [points(50)],
    });
    const chain = await service.sandbox({ attributes: ATTRIBUTES, ...shop(restricted(rich), welcome) });
    expect(await holds(chain, "ann")).toBe(true);
  });

  test("on a share of players goes by their hash, with the salt of the mission or segment, and keeps its members when it is raised", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `player-${at}`);
    const under = (percent: number, salt: string) =>
      names.filter((name) => {
        const start = createHash("sha256").update(`${salt}\0${name}`).digest().readBigUInt64BE();
        return start * 100n < BigInt(percent) << 64n;
      });
    const eligible = async (backend: Backend) => {
      const found = await Promise.all(names.map(async (name) => ((await holds(backend, name)) ? [name] : [])));
      return found.flat();
    };
    const backend = await service.sandbox(cafe({ share: 30 }));
    const first = under(30, "missions:restricted");
    expect(first.length).toBeGreaterThan(0);
    expect(await eligible(backend)).toEqual(first);
    await backend.define(cafe({ share: 60.0 }));
    expect(await eligible(backend)).toEqual(under(60, "missions:restricted"));
    const segments = [{ key: "half", name: "Half", rule: { share: 50 } }];
    const bySegment = await service.sandbox({ segments, ...cafe({ segment: "half" }) });
    expect(await eligible(bySegment)).toEqual(under(50, "segments:half"));
    const bySalt = await service.sandbox(cafe({ not: { share: 50, salt: "spring" } }));
    expect(await eligible(bySalt)).toEqual(names.filter((name) => !under(50, "spring").includes(name)));
  });

  test("on a completed mission is met from its first completion on, repeating or not", async () => {
    for (const recurrence of [{ kind: "None" }, { kind: "Calendar", every: "Day" }, { kind: "AfterCompletion" }]) {
      const first = mission("first", { recurrence });
      const backend = await service.sandbox(shop(first, restricted({ missionCompleted: "first" })));
      expect(await holds(backend, "ann")).toBe(false);
      await backend.play({ playerId: "ann" });
      await backend.advance("P40D");
      expect(await holds(backend, "ann"), recurrence.kind).toBe(true);
    }
  });

  test("on history sees all of it, also from before the condition was written", async () => {
    const backend = await service.sandbox({ attributes: ATTRIBUTES, ...shop() });
    await backend.play({ playerId: "ann", properties: { amount: 3 } }, { playerId: "ann", properties: { amount: 4 } });
    await backend.define(cafe(orders("GreaterThan", 7, sumOf("amount"))));
    expect(await holds(backend, "ann")).toBe(false);
    await backend.play({ playerId: "ann", properties: { amount: 0.00000001 } });
    expect(await holds(backend, "ann")).toBe(true);
    expect(await holds(backend, "bob")).toBe(false);
  });

  test("on history sees only events that have been applied", async () => {
    const backend = await service.sandbox(cafe(orders("GreaterThanOrEqualTo", 1)));
    await backend.missions("ann");
    await service.pause();
    await backend.send({ playerId: "ann" });
    expect(await holds(backend, "ann")).toBe(false);
    service.resume();
    await backend.applied();
    expect(await holds(backend, "ann")).toBe(true);
  });

  test("on the last days counts the player's today and the days before it", async () => {
    const backend = await service.sandbox(
      cafe(orders("EqualTo", 1, { lastDays: 7 }), "Locked", { recurrence: { kind: "Calendar", every: "Day" } }),
      {
        timeZone: "Europe/Amsterdam",
      },
    );
    await backend.post("/v1/players", { playerId: "ny", timeZoneId: "America/New_York" });
    await backend.moveTo("2031-03-25T12:00:00Z");
    const at = "2031-03-25T22:30:00Z"; // 23:30 in Amsterdam, 18:30 in New York
    for (const playerId of ["ams", "ny"]) await backend.play({ playerId, occurredAt: at });
    await backend.moveTo("2031-03-31T12:00:00Z"); // across the change to summer time
    expect([await statusOf(backend, "ams"), await statusOf(backend, "ny")]).toEqual(["InProgress", "InProgress"]);
    await backend.moveTo("2031-03-31T22:30:00Z"); // the 8th day in Amsterdam, still the 7th in New York
    expect([await statusOf(backend, "ams"), await statusOf(backend, "ny")]).toEqual(["Locked", "InProgress"]);
  });

  test("that is removed and added again is counted again, without the time between", async () => {
    const rule = orders("GreaterThanOrEqualTo", 3);
    const backend = await service.sandbox(cafe(rule));
    await backend.play({ playerId: "ann" });
    expect(await holds(backend, "ann")).toBe(false);
    await backend.define(cafe(GOLD));
    await backend.play({ playerId: "ann" });
    await backend.define(cafe(rule));
    await backend.play({ playerId: "ann" });
    expect(await holds(backend, "ann")).toBe(true);
  });
});

/** History by its definition: all events of the log, one by one. */
function byHand(items: readonly Sent[], { kind, property, minimum, lastDays, today }: Asked): number | string | null {
  const read = items.filter(
    ({ day, amount }) => (minimum === null || amount >= minimum) && (lastDays === null || (day <= today && day > today - lastDays)),
  );
  const values = read.map((one) => one[property]);
  switch (kind) {
    case "Count":
      return read.length;
    case "Sum":
      return values.reduce<number>((sum, value) => sum + Number(value), 0);
    case "Max":
      return values.length === 0 ? null : Math.max(...values.map(Number));
    case "Min":
      return values.length === 0 ? null : Math.min(...values.map(Number));
    case "Latest":
      return read.toSorted((a, b) => a.day - b.day).at(-1)?.[property] ?? null;
    case "DistinctCount":
      return new Set(values).size;
    case "DistinctDays":
      return new Set(read.map(({ day }) => day)).size;
  }
}

interface Sent {
  day: number;
  amount: number;
  drink: string;
}
interface Asked {
  kind: "Count" | "Sum" | "Max" | "Min" | "Latest" | "DistinctCount" | "DistinctDays";
  property: "amount" | "drink";
  minimum: number | null;
  lastDays: number | null;
  today: number;
}

test("history is the sum of its events, whenever it is first queried", async () => {
  const sent = fc.record({
    day: fc.integer({ min: 0, max: 11 }),
    amount: fc.integer({ min: 0, max: 9 }),
    drink: fc.constantFrom("tea", "coffee", "water"),
  });
  const asked = fc.record({
    kind: fc.constantFrom<Asked["kind"]>("Count", "Sum", "Max", "Min", "Latest", "DistinctCount", "DistinctDays"),
    minimum: fc.option(fc.integer({ min: 0, max: 9 })),
    lastDays: fc.option(fc.integer({ min: 1, max: 9 })),
  });
  const day = (number: number) => Date.UTC(2031, 4, 1 + number, 12);
  await fc.assert(
    fc.asyncProperty(
      fc.array(sent, { maxLength: 12 }),
      fc.array(sent, { maxLength: 12 }),
      // Each run needs a project of its own, so several conditions share it.
      fc.array(asked, { minLength: 5, maxLength: 5 }),
      async (before, after, conditions) => {
        const itemsOf = (all: readonly Sent[], from: number): Item[] =>
          all.map((one, index) => ({
            playerId: "ann",
            // Of two at the same instant the later one counts: here all are apart, in the order sent.
            occurredAt: new Date(day(one.day) + from + index).toISOString(),
            properties: { amount: one.amount, drink: one.drink },
          }));
        const probes = conditions.map(({ kind, minimum, lastDays }, at) => {
          const property = kind === "DistinctCount" ? "drink" : "amount";
          const measure = kind === "Count" || kind === "DistinctDays" ? { kind } : { kind, property };
          const where = minimum === null ? null : { property: "amount", operator: "GreaterThanOrEqualTo", value: minimum };
          const expected = byHand([...before, ...after], { kind, property, minimum, lastDays, today: 10 });
          const rule = { event: "order_placed", where, measure, operator: "EqualTo", value: expected ?? 0, lastDays };
          const probe = (operator: string, key: string) =>
            mission(`${key}_${at}`, { audience: { rule: { ...rule, operator }, otherwise: "Hidden" } });
          return {
            first: probe("GreaterThan", "first"),
            later: [probe("EqualTo", "equal"), probe("NotEqualTo", "unequal")],
            shown: `${expected === null ? "unequal" : "equal"}_${at}`,
          };
        });
        const first = probes.map((one) => one.first);
        const backend = await service.sandbox(shop(...first));
        // The eleventh day is in the future, less than 24 hours ahead.
        await backend.moveTo(new Date(day(10) + 11 * 3_600_000).toISOString());
        if (before.length > 0) await backend.play(...itemsOf(before, 0));
        await backend.missions("ann");
        if (after.length > 0) await backend.play(...itemsOf(after, 100));
        await backend.define(shop(...first, ...probes.flatMap(({ later }) => later)));
        const keys = (await backend.missions("ann")).map(({ missionKey }) => missionKey).filter((key) => !key.startsWith("first"));
        expect(keys.sort()).toEqual(probes.map(({ shown }) => shown).sort());
      },
    ),
    { numRuns: isSpread() ? 4 : 12 },
  );
});
