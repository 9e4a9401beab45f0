import { describe, expect, test } from "vitest";
import { startReceiver } from "../../server/work/testing.ts";
import type { Backend } from "../backend.ts";
import { item, mission, points, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();

const daily = (more: object = {}) => ({ key: "daily", name: "Daily coffee", event: "order_placed", cadence: "Day", ...more });
const withStreaks = (...streaks: object[]) => ({ ...shop(), streaks });
const streaksOf = async (backend: Backend, playerId: string, more = ""): Promise<any[]> =>
  (await backend.get(`/v1/streaks?PlayerId=${encodeURIComponent(playerId)}${more}`)).json;
const streakOf = async (backend: Backend, playerId: string): Promise<any> => (await streaksOf(backend, playerId))[0];
const on = (...instants: string[]) => instants.map((occurredAt) => ({ playerId: "ann", occurredAt }));

describe("a streak", () => {
  test("shows the live run, the longest one and when the run ends; every field is there", async () => {
    const backend = await service.sandbox(withStreaks(daily({ milestones: [{ length: 3, rewards: [points(30)] }] })), {
      timeZone: "Europe/Amsterdam",
    });
    await backend.moveTo("2031-03-28T12:00:00Z");
    await backend.play(...on("2031-03-28T12:00:00Z"));
    await backend.moveTo("2031-03-29T22:30:00Z");
    await backend.play(...on("2031-03-29T22:30:00Z"));
    expect(await streakOf(backend, "ann")).toEqual({
      streakKey: "daily",
      name: "Daily coffee",
      description: null,
      images: {},
      cadence: "Day",
      currentLength: 2,
      longestLength: 2,
      startedAtUtc: "2031-03-27T23:00:00.000Z",
      // The end of the 30th, on which clocks go forward.
      endsAtUtc: "2031-03-30T22:00:00.000Z",
      isQualifiedThisPeriod: true,
      freezesAvailable: 0,
      nextMilestone: 3,
    });
    await backend.moveTo("2031-03-30T22:00:00Z");
    expect(await streakOf(backend, "ann")).toMatchObject({
      currentLength: 0,
      longestLength: 2,
      startedAtUtc: null,
      endsAtUtc: null,
      nextMilestone: 3,
    });
  });

  test("of an unknown player is at zero, and nobody is created", async () => {
    const backend = await service.sandbox(withStreaks(daily(), daily({ key: "off", active: false })));
    expect(await streaksOf(backend, "nobody")).toEqual([
      expect.objectContaining({
        streakKey: "daily",
        currentLength: 0,
        longestLength: 0,
        startedAtUtc: null,
        endsAtUtc: null,
        nextMilestone: null,
      }),
    ]);
    const [row] = await service.database.sql`select count(*) from players where environment_id = ${backend.environment.id}`;
    expect(row?.count).toBe(0);
  });

  test("needs a player id, and comes in the language asked for", async () => {
    const backend = await service.sandbox(withStreaks(daily({ name: { default: "en", texts: { en: "Daily", nl: "Dagelijks" } } })));
    expect(await backend.get("/v1/streaks")).toMatchObject({ status: 400, code: "player.external_id_missing" });
    expect((await streaksOf(backend, "ann", "&LanguageCode=nl-BE"))[0].name).toBe("Dagelijks");
  });

  test("counts days in the zone of the player, weeks from Monday, months by the calendar", async () => {
    const backend = await service.sandbox(
      withStreaks(daily(), daily({ key: "weekly", cadence: "Week" }), daily({ key: "monthly", cadence: "Month" })),
      {
        timeZone: "Europe/Amsterdam",
      },
    );
    await backend.post("/v1/players", { playerId: "ny", timeZoneId: "America/New_York" });
    await backend.moveTo("2031-06-02T12:00:00Z");
    const instants = ["2031-05-31T21:59:00Z", "2031-05-31T22:01:00Z", "2031-06-02T03:30:00Z"];
    for (const playerId of ["ams", "ny"]) await backend.play(...instants.map((occurredAt) => ({ playerId, occurredAt })));
    const lengths = async (playerId: string) => (await streaksOf(backend, playerId)).map(({ longestLength }) => longestLength);
    // Amsterdam: Saturday, Sunday, Monday. New York: Saturday twice, then Sunday night.
    expect(await lengths("ams")).toEqual([3, 2, 2]);
    expect(await lengths("ny")).toEqual([2, 1, 2]);
  });

  test("qualifies by measure, filter and target", async () => {
    const spend = {
      measure: { kind: "Sum", property: "amount" },
      where: { property: "drink", operator: "NotEqualTo", value: "water" },
      target: 10,
    };
    const backend = await service.sandbox(withStreaks(daily(spend)));
    const order = (amount: number, drink: string) => ({ playerId: "ann", properties: { amount, drink } });
    await backend.play(order(9.5, "coffee"), order(99, "water"));
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 0, isQualifiedThisPeriod: false });
    await backend.play(order(0.5, "tea"));
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 1, isQualifiedThisPeriod: true });
  });

  test("moves by a metric too", async () => {
    const backend = await service.sandbox({
      metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
      ...withStreaks(daily({ event: undefined, metric: "steps", measure: { kind: "Sum" }, target: 10_000 })),
    });
    await backend.add("ann", "steps", 9_999);
    await backend.applied();
    expect((await streakOf(backend, "ann")).currentLength).toBe(0);
    await backend.add("ann", "steps", 1);
    await backend.applied();
    expect((await streakOf(backend, "ann")).currentLength).toBe(1);
  });

  test("counts what is received from its creation on", async () => {
    const backend = await service.sandbox(withStreaks());
    await backend.play({ playerId: "ann" });
    await backend.define(withStreaks(daily()));
    expect((await streakOf(backend, "ann")).currentLength).toBe(0);
    await backend.play({ playerId: "ann" });
    expect((await streakOf(backend, "ann")).currentLength).toBe(1);
  });
});

describe("a milestone", () => {
  const rewarded = daily({ milestones: [{ length: 3, rewards: [points(30), item("free_coffee", 2)] }] });

  test("is paid once in a run, with its webhook, also when a late event completes it", async () => {
    const hooks = await startReceiver();
    try {
      const backend = await service.sandbox(withStreaks(rewarded));
      await backend.subscribe(hooks.url, "streak.milestone_reached", "catalog_item.fulfillment_requested");
      await backend.moveTo("2031-05-03T12:00:00Z");
      await backend.play(...on("2031-05-01T12:00:00Z", "2031-05-03T12:00:00Z"));
      expect((await backend.points("ann")).balance).toBe(0);
      await backend.play(...on("2031-05-02T12:00:00Z", "2031-05-02T13:00:00Z", "2031-05-01T13:00:00Z"));
      expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 3, longestLength: 3 });
      expect(await backend.points("ann")).toMatchObject({ balance: 30, totalGranted: 30 });
      expect(await backend.transactions("ann")).toMatchObject([{ type: "Grant", sourceType: "StreakMilestone", amount: 30 }]);
      await expect.poll(() => hooks.received.length).toBe(2);
      const bodies = hooks.received.map(({ body }) => JSON.parse(body));
      expect(bodies.find(({ event }) => event === "streak.milestone_reached").data).toEqual({
        playerExternalId: "ann",
        streakKey: "daily",
        milestone: 3,
        currentLength: 3,
        reachedAtUtc: expect.stringMatching(/^2031-05-03T12:/),
      });
      const [transaction] = await backend.transactions("ann");
      expect(bodies.find(({ event }) => event === "catalog_item.fulfillment_requested").data).toMatchObject({
        sourceType: "StreakMilestone",
        sourceId: transaction.sourceId,
        value: 2,
      });
    } finally {
      await hooks.close();
    }
  });

  test("is paid again in another run", async () => {
    const backend = await service.sandbox(withStreaks(rewarded));
    await backend.moveTo("2031-05-10T12:00:00Z");
    await backend.play(...on(...[1, 2, 3, 5, 6, 7].map((day) => `2031-05-0${day}T12:00:00Z`)));
    expect((await backend.points("ann")).balance).toBe(60);
    // What joins the two pays nothing more.
    await backend.play(...on("2031-05-04T12:00:00Z"));
    expect((await backend.points("ann")).balance).toBe(60);
    expect((await streakOf(backend, "ann")).longestLength).toBe(7);
  });
});

test("a freeze keeps the run alive over a missed day, and shows in what is left", async () => {
  const backend = await service.sandbox(withStreaks(daily({ freezes: { max: 1, earnEvery: 2 } })));
  for (const day of [1, 2, 4]) {
    await backend.moveTo(`2031-05-0${day}T12:00:00Z`);
    await backend.play(...on(`2031-05-0${day}T12:00:00Z`));
  }
  expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 3, freezesAvailable: 0, endsAtUtc: "2031-05-06T00:00:00.000Z" });
});

test("a condition on a streak sees the run that is live", async () => {
  const loyal = mission("loyal", {
    audience: { rule: { streak: "daily", operator: "GreaterThanOrEqualTo", value: 2 }, otherwise: "Locked" },
  });
  const backend = await service.sandbox({ ...shop(loyal), streaks: [daily()] });
  const status = async () => (await backend.mission("ann", "loyal"))?.status;
  expect(await status()).toBe("Locked");
  await backend.moveTo("2031-05-02T12:00:00Z");
  await backend.play(...on("2031-05-01T12:00:00Z", "2031-05-02T12:00:00Z"));
  expect(await status()).toBe("InProgress");
});
