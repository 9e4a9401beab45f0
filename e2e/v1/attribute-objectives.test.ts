import { afterAll, describe, expect, test } from "vitest";
import { startReceiver } from "../../server/delivery/testing.ts";
import { until } from "../../db/testing/work.ts";
import type { Backend } from "../backend.ts";
import { atLeast, item, mission, points, shop } from "../definitions.ts";
import { exact } from "../http.ts";
import { startService } from "../listening.ts";

const service = await startService();
const COMPLETED = { includeCompleted: true };
const ATTRIBUTES = [
  { key: "tier", name: "Tier", type: "String" },
  { key: "visits", name: "Visits", type: "Number" },
  { key: "debt", name: "Debt", type: "Number" },
  { key: "is_member", name: "Is member", type: "Boolean" },
  { key: "joined_at", name: "Joined at", type: "DateTime" },
];
const cafe = (...missions: object[]) => ({ attributes: ATTRIBUTES, ...shop(...missions) });

/** An objective over an attribute. */
const about = (attribute: string, operator: string, target: unknown) => ({ attribute, operator, target });
const GOLD = about("tier", "EqualTo", "gold");
const MEMBER = about("is_member", "EqualTo", true);
/** Unreachable, so that the mission stays open. */
const NEVER = { event: "friend_invited", operator: "GreaterThanOrEqualTo", target: 99 };
const IN_ORDER = { objectiveOrder: "InOrder" };
const DAILY = { recurrence: { kind: "Calendar", every: "Day" } };

/** A player in a mission of these objectives, which stays open. */
async function entered(objectives: object[], { before = {}, more = {} } = {}) {
  const backend = await service.sandbox(cafe(mission("open", { objectives: [...objectives, NEVER], ...more })));
  await backend.setAttributes("ann", before);
  await backend.missions("ann");
  const read = async (): Promise<any[]> => (await backend.mission("ann", "open")).objectives.slice(0, -1);
  return {
    backend,
    read,
    /** The objectives after attributes were set. */
    async after(attributes: object): Promise<any[]> {
      await backend.setAttributes("ann", attributes);
      return read();
    },
    /** Which are satisfied. */
    satisfied: async () => (await read()).map(({ isSatisfied }) => isSatisfied),
  };
}

const statusOf = async (backend: Backend, missionKey: string, playerId = "ann"): Promise<string | undefined> =>
  (await backend.mission(playerId, missionKey, COMPLETED))?.status;
const number = (value: unknown) => ({ type: "number", value });
const string = (value: string) => ({ type: "string", value });

describe("progress", () => {
  test("toward a target: a number from below, with its share", async () => {
    const { read, after } = await entered([about("visits", "GreaterThanOrEqualTo", 8), about("visits", "GreaterThan", 8)]);
    const [atLeast8, above8] = await read();
    expect(atLeast8).toMatchObject({
      isSatisfied: false,
      progress: { kind: "TowardTarget", actual: null, operator: "GreaterThanOrEqualTo", target: number(8), fraction: null },
    });
    expect(above8.progress).toMatchObject({ kind: "TowardTarget", operator: "GreaterThan" });
    expect((await after({ visits: 3 })).map(({ isSatisfied, progress }) => [isSatisfied, progress.actual, progress.fraction])).toEqual([
      [false, number(3), 0.375],
      [false, number(3), 0.375],
    ]);
    expect((await after({ visits: 8 })).map(({ isSatisfied, progress }) => [isSatisfied, progress.fraction])).toEqual([
      [true, 1],
      [false, 1],
    ]);
    expect((await after({ visits: 100 })).map(({ isSatisfied, progress }) => [isSatisfied, progress.fraction])).toEqual([
      [true, 1],
      [true, 1],
    ]);
    expect((await after({ visits: -5 })).map(({ isSatisfied, progress }) => [isSatisfied, progress.actual, progress.fraction])).toEqual([
      [true, number(-5), 0],
      [true, number(-5), 0],
    ]);
  });

  test("below a threshold: yes or no, satisfied by the first such value, for good", async () => {
    const { read, after } = await entered([about("debt", "LessThanOrEqualTo", 50), about("debt", "LessThan", 50)]);
    expect((await read()).map(({ isSatisfied, progress }) => [isSatisfied, progress])).toEqual(
      ["LessThanOrEqualTo", "LessThan"].map((operator) => [
        false,
        { kind: "Binary", actual: null, operator, target: number(50), fraction: null },
      ]),
    );
    const satisfied = async (debt: number) =>
      (await after({ debt })).map(({ isSatisfied, progress }) => [isSatisfied, progress.actual, progress.fraction]);
    expect(await satisfied(51)).toEqual([
      [false, number(51), null],
      [false, number(51), null],
    ]);
    expect(await satisfied(50)).toEqual([
      [true, number(50), null],
      [false, number(50), null],
    ]);
    expect(await satisfied(20)).toEqual([
      [true, number(20), null],
      [true, number(20), null],
    ]);
    expect(await satisfied(90)).toEqual([
      [true, number(90), null],
      [true, number(90), null],
    ]);
  });

  test("yes or no: any other condition, in the type of the attribute", async () => {
    const objectives = [
      GOLD,
      about("tier", "NotEqualTo", "gold"),
      about("tier", "In", ["gold", "silver"]),
      about("tier", "NotIn", ["gold", "silver"]),
      about("visits", "EqualTo", 5),
      about("is_member", "EqualTo", true),
      about("joined_at", "LessThan", "2026-01-01T01:00:00+01:00"),
    ];
    const { read, after } = await entered(objectives);
    const before = await read();
    for (const { progress } of before) expect(progress).toMatchObject({ kind: "Binary", actual: null, fraction: null });
    // Without a value only NotEqualTo and NotIn hold.
    expect(before.map(({ isSatisfied }) => isSatisfied)).toEqual([false, true, false, true, false, false, false]);
    expect(before.map(({ progress }) => progress.target)).toEqual([
      string("gold"),
      string("gold"),
      { type: "collection", items: [string("gold"), string("silver")] },
      { type: "collection", items: [string("gold"), string("silver")] },
      number(5),
      { type: "boolean", value: true },
      { type: "dateTime", value: "2026-01-01T00:00:00.000Z" },
    ]);
    const values = { tier: "silver", visits: 5, is_member: false, joined_at: "2025-12-31T23:59:59.999Z" };
    const [tier, , among, , visits, isMember, joined] = await after(values);
    expect([tier, among, visits, isMember, joined].map(({ isSatisfied, progress }) => [isSatisfied, progress.actual])).toEqual([
      [false, string("silver")],
      [true, string("silver")],
      [true, number(5)],
      [false, { type: "boolean", value: false }],
      [true, { type: "dateTime", value: "2025-12-31T23:59:59.999Z" }],
    ]);
  });

  test("of a compound objective is not displayable", async () => {
    const { read, after } = await entered([{ all: [GOLD] }, { any: [GOLD, MEMBER] }, { not: GOLD }]);
    const progress = { kind: "NotDisplayable", actual: null, operator: null, target: null, fraction: null };
    expect((await read()).map((one) => [one.isSatisfied, one.progress])).toEqual([
      [false, progress],
      [false, progress],
      [true, progress],
    ]);
    expect((await after({ tier: "gold" })).map(({ isSatisfied }) => isSatisfied)).toEqual([true, true, true]);
  });

  test("is exact, in the comparison and in the share", async () => {
    const target = exact("12345678901234567890.12345678");
    const { backend, after } = await entered([
      about("visits", "GreaterThanOrEqualTo", target),
      about("visits", "EqualTo", target),
      about("visits", "LessThan", target),
    ]);
    await after({ visits: exact("12345678901234567890.12345677") });
    const text = async () => (await backend.post("/v1/missions", { playerId: "ann" })).text;
    expect(await text()).toContain('"actual":{"type":"number","value":12345678901234567890.12345677}');
    const satisfied = (await after({ visits: exact("6172839450617283945.06172839") })).map((one) => [
      one.isSatisfied,
      one.progress.fraction,
    ]);
    expect(satisfied).toEqual([
      [false, 0.5],
      [false, null],
      [true, null],
    ]);
    expect((await after({ visits: target })).map(({ isSatisfied }) => isSatisfied)).toEqual([true, true, true]);
    expect(await text()).toContain('"actual":{"type":"number","value":12345678901234567890.12345678}');
  });

  test("of a target of 0 is whole", async () => {
    const { after } = await entered([about("visits", "GreaterThan", 0)]);
    expect((await after({ visits: -1 })).map(({ progress }) => progress.fraction)).toEqual([1]);
  });
});

describe("a satisfied objective stays satisfied", () => {
  test("when the value falls back, and shows the value as it is", async () => {
    const { after } = await entered([GOLD, about("visits", "GreaterThanOrEqualTo", 4), { all: [GOLD, MEMBER] }]);
    await after({ tier: "gold", visits: 4, is_member: true });
    expect(
      (await after({ tier: "silver", visits: 1, is_member: false })).map(({ isSatisfied, progress }) => [isSatisfied, progress.actual]),
    ).toEqual([
      [true, string("silver")],
      [true, number(1)],
      [true, null],
    ]);
  });

  test("and a mission completes from values of different times", async () => {
    const backend = await service.sandbox(cafe(mission("both", { objectives: [GOLD, MEMBER] })));
    await backend.missions("ann");
    await backend.setAttributes("ann", { tier: "gold" });
    await backend.setAttributes("ann", { tier: "silver" });
    expect(await statusOf(backend, "both")).toBe("InProgress");
    await backend.setAttributes("ann", { is_member: true });
    expect(await statusOf(backend, "both")).toBe("Completed");
  });

  test("while the conditions of `all` have to hold at one time", async () => {
    const backend = await service.sandbox(cafe(mission("both", { objectives: [{ all: [GOLD, MEMBER] }] })));
    await backend.missions("ann");
    await backend.setAttributes("ann", { tier: "gold" });
    await backend.setAttributes("ann", { tier: "silver" });
    await backend.setAttributes("ann", { is_member: true });
    expect(await statusOf(backend, "both")).toBe("InProgress");
    await backend.setAttributes("ann", { tier: "gold" });
    expect(await statusOf(backend, "both")).toBe("Completed");
  });
});

describe("a value set before the player is in the mission", () => {
  test("counts at entry: a completion by it is returned by that read only with includeCompleted", async () => {
    const backend = await service.sandbox(cafe(mission("gold", { objectives: [GOLD], rewards: [points(30)] })));
    await backend.setAttributes("ann", { tier: "gold" });
    expect(await backend.points("ann")).toMatchObject({ balance: 0 });
    expect(await backend.missions("ann")).toEqual([]);
    const [row] = await backend.missions("ann", COMPLETED);
    expect(row).toMatchObject({ status: "Completed", isAccepted: true, occurrenceNumber: 0 });
    expect([row.acceptedAtUtc, row.completedAtUtc]).toEqual([row.startedAtUtc, row.startedAtUtc]);
    expect(row.objectives[0]).toMatchObject({ isSatisfied: true, progress: { kind: "Binary", actual: string("gold") } });
    expect(await backend.points("ann")).toMatchObject({ balance: 30, totalGranted: 30 });
  });

  test("counts as it is then, not as it was", async () => {
    const { satisfied, backend, after } = await entered([GOLD], { before: { tier: "gold" } });
    expect(await satisfied()).toEqual([true]);
    await backend.setAttributes("bob", { tier: "gold" });
    await backend.setAttributes("bob", { tier: "silver" });
    const [objective] = (await backend.mission("bob", "open")).objectives;
    expect(objective).toMatchObject({ isSatisfied: false, progress: { actual: string("silver") } });
    expect((await after({ tier: "silver" }))[0].isSatisfied).toBe(true);
  });

  test("in a mission that was made later too; and without a value NotEqualTo and NotIn complete it", async () => {
    const backend = await service.sandbox(cafe());
    await backend.setAttributes("ann", { visits: 9 });
    const make = (key: string, ...objectives: object[]) => mission(key, { objectives });
    await backend.define({
      missions: [
        make("visits", about("visits", "GreaterThanOrEqualTo", 9)),
        make("not_gold", about("tier", "NotEqualTo", "gold")),
        make("none_of", about("tier", "NotIn", ["gold"])),
        make("gold", GOLD),
        make("not_member", { not: MEMBER }),
      ],
    });
    const rows = await backend.missions("ann", COMPLETED);
    expect(Object.fromEntries(rows.map(({ missionKey, status }) => [missionKey, status]))).toEqual({
      visits: "Completed",
      not_gold: "Completed",
      none_of: "Completed",
      gold: "InProgress",
      not_member: "Completed",
    });
    expect(await backend.points("ann")).toMatchObject({ balance: 40 });
  });

  test("does not advance a player whose missions were never read", async () => {
    const backend = await service.sandbox(cafe(mission("gold", { objectives: [GOLD] })));
    await backend.setAttributes("ann", { tier: "gold" });
    await backend.setAttributes("ann", { tier: "silver" });
    expect(await statusOf(backend, "gold")).toBe("InProgress");
    expect(await backend.points("ann")).toMatchObject({ balance: 0 });
  });
});

describe("a write", () => {
  test("completes a mission immediately: points, ledger and instant", async () => {
    const backend = await service.sandbox(
      cafe(mission("gold", { objectives: [GOLD, about("debt", "LessThan", 5)], rewards: [points(30)] })),
    );
    await backend.missions("ann");
    await backend.setAttributes("ann", { tier: "gold", debt: 0 });
    expect(await backend.points("ann")).toMatchObject({ balance: 30, totalGranted: 30 });
    const [row] = await backend.missions("ann", COMPLETED);
    const [grant] = await backend.transactions("ann");
    expect(row.status).toBe("Completed");
    expect(grant).toMatchObject({ type: "Grant", amount: 30, sourceType: "Mission", occurredAtUtc: row.completedAtUtc });
    expect(row.completedAtUtc >= row.startedAtUtc).toBe(true);
  });

  test("that is Stale or Unchanged moves nothing", async () => {
    const { after, satisfied } = await entered([GOLD, about("visits", "EqualTo", 3)]);
    await after({
      tier: { value: "silver", occurredAt: "2026-01-02T00:00:00Z" },
      visits: { value: 4, occurredAt: "2026-01-02T00:00:00Z" },
    });
    await after({ tier: { value: "gold", occurredAt: "2026-01-01T00:00:00Z" }, visits: 4 });
    expect(await satisfied()).toEqual([false, false]);
    expect((await after({ visits: { value: 3, occurredAt: "2026-01-02T00:00:00Z" } })).map(({ isSatisfied }) => isSatisfied)).toEqual([
      false,
      true,
    ]);
  });

  test("of several attributes sets all of them, and advances every mission that names one of them", async () => {
    const backend = await service.sandbox(
      cafe(
        mission("all", { objectives: [{ all: [GOLD, MEMBER, about("visits", "GreaterThan", 1)] }] }),
        mission("gold", { objectives: [GOLD] }),
        mission("in_order", { objectives: [MEMBER, GOLD, about("visits", "GreaterThan", 1)], ...IN_ORDER }),
        mission("other", { objectives: [about("debt", "GreaterThan", 1)] }),
        mission("off", { objectives: [GOLD], active: false }),
      ),
    );
    await backend.missions("ann");
    await backend.setAttributes("ann", { visits: 2, tier: "gold", is_member: true });
    const rows = await backend.missions("ann", COMPLETED);
    expect(rows.map(({ missionKey, status }) => `${missionKey} ${status}`).sort()).toEqual([
      "all Completed",
      "gold Completed",
      "in_order Completed",
      "other InProgress",
    ]);
    expect(await backend.points("ann")).toMatchObject({ balance: 30 });
  });

  test("does not advance an inactive mission; active again, it continues where it was", async () => {
    const gold = mission("gold", { objectives: [GOLD, MEMBER] });
    const backend = await service.sandbox(cafe(gold));
    await backend.missions("ann");
    await backend.setAttributes("ann", { is_member: true });
    await backend.define({ missions: [{ ...gold, active: false }] });
    await backend.setAttributes("ann", { tier: "gold" });
    expect([await backend.missions("ann", COMPLETED), await backend.points("ann")]).toMatchObject([[], { balance: 0 }]);
    await backend.setAttributes("ann", { tier: "silver", is_member: false });
    await backend.define({ missions: [gold] });
    expect(await statusOf(backend, "gold")).toBe("InProgress");
    await backend.setAttributes("ann", { tier: "gold" });
    expect(await statusOf(backend, "gold")).toBe("Completed");
  });

  test("of an inactive mission is known when it is active again: an event does not count by the old value", async () => {
    const both = [atLeast(1), GOLD];
    const missions = [mission("in_order", { objectives: both, ...IN_ORDER }), mission("at_once", { objectives: [{ all: both }] })];
    const backend = await service.sandbox(cafe(...missions));
    for (const [playerId, tier] of [
      ["ann", "gold"],
      ["bob", "silver"],
    ] as const) {
      await backend.setAttributes(playerId, { tier });
      await backend.missions(playerId);
    }
    await backend.define({ missions: missions.map((one) => ({ ...one, active: false })) });
    await backend.setAttributes("ann", { tier: "silver" });
    await backend.setAttributes("bob", { tier: "gold" });
    await backend.define({ missions });
    expect((await backend.mission("ann", "in_order")).objectives[1]).toMatchObject({
      isSatisfied: false,
      progress: { actual: string("silver") },
    });
    await backend.play({ playerId: "ann" }, { playerId: "bob" });
    expect([await statusOf(backend, "in_order"), await statusOf(backend, "at_once")]).toEqual(["InProgress", "InProgress"]);
    expect([await statusOf(backend, "in_order", "bob"), await statusOf(backend, "at_once", "bob")]).toEqual(["Completed", "Completed"]);
  });
});

describe("events and attributes in one mission", () => {
  test("each objective is satisfied by its own input, in any order", async () => {
    const backend = await service.sandbox(cafe(mission("mixed", { objectives: [atLeast(2), GOLD] })));
    for (const playerId of ["ann", "bob"]) await backend.missions(playerId);
    await backend.setAttributes("ann", { tier: "gold" });
    await backend.play({ playerId: "ann" }, { playerId: "ann" });
    await backend.play({ playerId: "bob" }, { playerId: "bob" });
    expect(await statusOf(backend, "mixed", "bob")).toBe("InProgress");
    await backend.setAttributes("bob", { tier: "gold" });
    expect([await statusOf(backend, "mixed", "ann"), await statusOf(backend, "mixed", "bob")]).toEqual(["Completed", "Completed"]);
  });

  test("in one objective: all, any and not of both", async () => {
    const { after, backend, satisfied } = await entered([
      { all: [atLeast(2), GOLD] },
      { any: [atLeast(3), MEMBER] },
      { all: [atLeast(1), { not: GOLD }] },
      { any: [{ all: [atLeast(1), { any: [GOLD, MEMBER] }] }, about("debt", "GreaterThan", 100)] },
    ]);
    expect(await satisfied()).toEqual([false, false, false, false]);
    await after({ tier: "gold" });
    await backend.play({ playerId: "ann" });
    expect(await satisfied()).toEqual([false, false, false, true]);
    await after({ tier: "silver" });
    expect(await satisfied()).toEqual([false, false, true, true]);
    await backend.play({ playerId: "ann" });
    expect(await satisfied()).toEqual([false, false, true, true]);
    await after({ tier: "gold" });
    expect(await satisfied()).toEqual([true, false, true, true]);
    await after({ is_member: true });
    expect(await satisfied()).toEqual([true, true, true, true]);
  });
});

describe("in order", () => {
  test("an attribute first: events count once it is satisfied, and still do when its value falls", async () => {
    const { after, backend, read } = await entered([GOLD, atLeast(2)], { more: IN_ORDER });
    const state = async () => (await read()).map(({ isSatisfied, progress }) => [isSatisfied, progress.actual?.value ?? null]);
    await backend.play({ playerId: "ann" });
    expect(await state()).toEqual([
      [false, null],
      [false, 0],
    ]);
    await after({ tier: "gold" });
    await after({ tier: "silver" });
    await backend.play({ playerId: "ann" });
    expect(await state()).toEqual([
      [true, "silver"],
      [false, 1],
    ]);
    await backend.play({ playerId: "ann" });
    expect(await state()).toEqual([
      [true, "silver"],
      [true, 2],
    ]);
  });

  test("an attribute second is judged in its turn, by the value at that time", async () => {
    const { backend, satisfied } = await entered([atLeast(1), GOLD], { more: IN_ORDER });
    const [lost, kept] = ["bob", "cid"];
    const read = async (playerId: string) =>
      (await backend.mission(playerId, "open")).objectives.slice(0, 2).map((one: any) => one.isSatisfied);
    for (const playerId of [lost, kept]) {
      await backend.missions(playerId);
      await backend.setAttributes(playerId, { tier: "gold" });
      expect(await read(playerId)).toEqual([false, false]);
    }
    await backend.setAttributes(lost, { tier: "silver" });
    await backend.play({ playerId: lost }, { playerId: kept }, { playerId: "ann" });
    expect([await read(lost), await read(kept), await satisfied()]).toEqual([
      [true, false],
      [true, true],
      [true, false],
    ]);
    await backend.setAttributes(lost, { tier: "gold" });
    await backend.setAttributes("ann", { tier: "gold" });
    expect([await read(lost), await satisfied()]).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  test("in last place it completes the mission with the event before it", async () => {
    const backend = await service.sandbox(cafe(mission("last", { objectives: [atLeast(1), GOLD], ...IN_ORDER })));
    await backend.setAttributes("ann", { tier: "gold" });
    expect(await statusOf(backend, "last")).toBe("InProgress");
    await backend.play({ playerId: "ann" });
    expect(await statusOf(backend, "last")).toBe("Completed");
    expect(await backend.points("ann")).toMatchObject({ balance: 10 });
  });

  test("an attribute below a threshold waits for its turn like any other: it is no limit", async () => {
    const { backend, after, satisfied } = await entered([about("debt", "LessThan", 10), atLeast(1), about("debt", "LessThan", 5), GOLD], {
      more: IN_ORDER,
    });
    await backend.play({ playerId: "ann" });
    expect(await satisfied()).toEqual([false, false, false, false]);
    await after({ debt: 7 });
    await backend.play({ playerId: "ann" });
    expect(await satisfied()).toEqual([true, true, false, false]);
    await after({ debt: 3 });
    expect(await satisfied()).toEqual([true, true, true, false]);
  });

  test("a compound in second place counts its events from its turn on, and reads its attributes as they are", async () => {
    const { backend, after, satisfied } = await entered([MEMBER, { all: [atLeast(1), GOLD] }], { more: IN_ORDER });
    await after({ tier: "gold" });
    await backend.play({ playerId: "ann" });
    await after({ is_member: true });
    expect(await satisfied()).toEqual([true, false]);
    await backend.play({ playerId: "ann" });
    expect(await satisfied()).toEqual([true, true]);
  });
});

describe("a manual mission", () => {
  const manual = (more: object = {}) => mission("manual", { optIn: "Manual", objectives: [GOLD, MEMBER], ...more });

  test("has no progress before it is accepted, and is judged by the values at that time", async () => {
    const backend = await service.sandbox(cafe(manual()));
    await backend.setAttributes("ann", { tier: "gold" });
    const [offer] = await backend.missions("ann");
    expect(offer.status).toBe("Available");
    for (const { isSatisfied, progress } of offer.objectives) expect([isSatisfied, progress.actual]).toEqual([false, null]);
    await backend.setAttributes("ann", { is_member: true });
    expect(await backend.missions("ann")).toEqual([offer]);
    await backend.setAttributes("ann", { is_member: false });
    expect((await backend.accept("ann", "manual")).status).toBe(204);
    const [accepted] = await backend.missions("ann");
    expect(accepted.objectives.map(({ isSatisfied, progress }: any) => [isSatisfied, progress.actual.value])).toEqual([
      [true, "gold"],
      [false, false],
    ]);
    await backend.setAttributes("ann", { is_member: true });
    expect(await statusOf(backend, "manual")).toBe("Completed");
  });

  test("may be completed by the accept itself, once", async () => {
    const backend = await service.sandbox(cafe(manual()));
    await backend.setAttributes("ann", { tier: "gold", is_member: true });
    await backend.missions("ann");
    expect(await backend.points("ann")).toMatchObject({ balance: 0 });
    for (let time = 0; time < 2; time++) expect((await backend.accept("ann", "manual")).status).toBe(204);
    const [row] = await backend.missions("ann", COMPLETED);
    expect([row.status, row.completedAtUtc]).toEqual(["Completed", row.acceptedAtUtc]);
    expect(await backend.points("ann")).toMatchObject({ balance: 10 });
  });
});

describe("a mission that repeats", () => {
  test("by the calendar: while the value holds, each period is completed by its first read", async () => {
    const backend = await service.sandbox(cafe(mission("daily", { objectives: [GOLD], ...DAILY })));
    await backend.moveTo("2031-05-10T12:00:00Z");
    await backend.missions("ann");
    await backend.setAttributes("ann", { tier: "gold" });
    expect(await backend.points("ann")).toMatchObject({ balance: 10 });
    await backend.missions("ann");
    await backend.moveTo("2031-05-11T12:00:00Z");
    await backend.setAttributes("ann", { visits: 1 });
    expect(await backend.points("ann")).toMatchObject({ balance: 10 });
    await backend.missions("ann");
    await backend.missions("ann");
    const rows = await backend.missions("ann", COMPLETED);
    expect(rows.map(({ status }) => status)).toEqual(["Completed", "Completed"]);
    expect(rows[0].occurrenceNumber - rows[1].occurrenceNumber).toBe(1);
    expect(await backend.points("ann")).toMatchObject({ balance: 20 });
  });

  test("by the calendar: for a day, an ended period takes values from before its end, and nothing else", async () => {
    const backend = await service.sandbox(cafe(mission("daily", { objectives: [GOLD], ...DAILY })));
    await backend.moveTo("2031-05-10T12:00:00Z");
    for (const playerId of ["late", "next", "too_late"]) await backend.missions(playerId);
    await backend.moveTo("2031-05-11T12:00:00Z");
    await backend.setAttributes("next", { tier: "gold" });
    await backend.setAttributes("late", { tier: { value: "gold", occurredAt: "2031-05-10T23:59:59.999Z" } });
    expect([await backend.points("late"), await backend.points("next")]).toMatchObject([{ balance: 10 }, { balance: 10 }]);
    const completed = async (playerId: string) =>
      (await backend.missions(playerId, COMPLETED)).map(({ completedAtUtc, startedAtUtc }) => [completedAtUtc, startedAtUtc.slice(0, 10)]);
    // A value of the new day belongs to it: the mission has continued.
    expect((await completed("next")).map(([, day]) => day)).toEqual(["2031-05-11"]);
    await backend.moveTo("2031-05-12T00:00:01Z");
    await backend.setAttributes("too_late", { tier: { value: "gold", occurredAt: "2031-05-10T23:59:59.999Z" } });
    expect(await backend.points("too_late")).toMatchObject({ balance: 0 });
    expect((await backend.missions("too_late", COMPLETED)).map(({ occurrenceNumber, status }) => [occurrenceNumber, status])).toHaveLength(
      1,
    );
    expect(await backend.points("too_late")).toMatchObject({ balance: 10 });
  });

  test("after completion: the value is read anew at each entry", async () => {
    const again = mission("again", { objectives: [atLeast(1), GOLD], recurrence: { kind: "AfterCompletion" } });
    const backend = await service.sandbox(cafe(again));
    await backend.missions("ann");
    await backend.setAttributes("ann", { tier: "gold" });
    await backend.play({ playerId: "ann" });
    const [next] = await backend.missions("ann");
    expect([next.occurrenceNumber, next.objectives.map(({ isSatisfied }: any) => isSatisfied)]).toEqual([1, [false, true]]);
    await backend.play({ playerId: "ann" });
    await backend.setAttributes("ann", { tier: "silver" });
    const [third] = await backend.missions("ann");
    expect([third.occurrenceNumber, third.objectives.map(({ isSatisfied }: any) => isSatisfied)]).toEqual([2, [false, false]]);
    expect(await backend.points("ann")).toMatchObject({ balance: 20 });
  });
});

describe("a completion by a write is paid and announced once", () => {
  const receivers: { close(): Promise<void> }[] = [];
  afterAll(() => Promise.all(receivers.map((one) => one.close())));

  test("24 concurrent identical writes, beside reads and events", async () => {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const rewards = [points(30), item("free_coffee", 2)];
    const backend = await service.sandbox(
      cafe(mission("gold", { objectives: [GOLD], rewards }), mission("mixed", { objectives: [{ all: [GOLD, atLeast(1)] }], rewards })),
    );
    await backend.subscribe(receiver.url);
    await backend.missions("ann");
    const at = new Date().toISOString();
    await Promise.all([
      ...Array.from({ length: 18 }, () => backend.setAttributes("ann", { tier: { value: "gold", occurredAt: at } })),
      ...Array.from({ length: 3 }, () => backend.missions("ann", COMPLETED)),
      ...Array.from({ length: 3 }, () => backend.send({ playerId: "ann", idempotencyKey: "k" })),
    ]);
    await backend.applied();
    expect(await backend.points("ann")).toMatchObject({ balance: 60, totalGranted: 60 });
    expect(await backend.transactions("ann")).toHaveLength(2);
    await until(() => receiver.received.length >= 4);
    const envelopes = receiver.received.map(({ body }) => JSON.parse(body));
    expect(envelopes.map(({ event, data }) => `${event} ${data.missionKey ?? data.catalogItemKey}`).sort()).toEqual([
      "catalog_item.fulfillment_requested free_coffee",
      "catalog_item.fulfillment_requested free_coffee",
      "mission.completed gold",
      "mission.completed mixed",
    ]);
    expect(new Set(envelopes.map(({ deliveryId }) => deliveryId)).size).toBe(4);
  });

  test("values that change back and forth do not complete it again", async () => {
    const backend = await service.sandbox(cafe(mission("gold", { objectives: [GOLD] })));
    await backend.missions("ann");
    for (const tier of ["gold", "silver", "gold", "silver", "gold"]) await backend.setAttributes("ann", { tier });
    expect(await backend.missions("ann")).toEqual([]);
    expect(await backend.points("ann")).toMatchObject({ balance: 10 });
  });
});
