import { describe, expect, test } from "vitest";
import { startReceiver } from "../../server/delivery/testing.ts";
import type { Backend } from "../backend.ts";
import { board } from "../boards.ts";
import { item, mission, points, shop } from "../definitions.ts";
import { startService } from "../listening.ts";
import { zoneOfNoon } from "../zone-of-noon.ts";

const service = await startService();

const daily = (more: object = {}) => ({ key: "daily", name: "Daily coffee", event: "order_placed", cadence: "Day", ...more });
const withStreaks = (...streaks: object[]) => ({ ...shop(), streaks });
const streaksOf = async (backend: Backend, playerId: string, more = ""): Promise<any[]> =>
  (await backend.get(`/v1/streaks?PlayerId=${encodeURIComponent(playerId)}${more}`)).json;
const streakOf = async (backend: Backend, playerId: string): Promise<any> => (await streaksOf(backend, playerId))[0];
/** For tests of what is played now, all on one day. */
const sandboxAtNoon = (file: object) => service.sandbox(file, { timeZone: zoneOfNoon() });
const on = (...instants: string[]) => instants.map((occurredAt) => ({ playerId: "ann", occurredAt }));

describe("a streak", () => {
  test("shows the live run, the longest one and the end of the run; every field is present", async () => {
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

  test("of an unknown player is zero, and no player is created", async () => {
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

  test("needs a player id, and is in the requested language", async () => {
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
    const backend = await sandboxAtNoon(withStreaks(daily(spend)));
    const order = (amount: number, drink: string) => ({ playerId: "ann", properties: { amount, drink } });
    await backend.play(order(9.5, "coffee"), order(99, "water"));
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 0, isQualifiedThisPeriod: false });
    await backend.play(order(0.5, "tea"));
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 1, isQualifiedThisPeriod: true });
  });

  test("grows by a metric too", async () => {
    const backend = await sandboxAtNoon({
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

  test("counts events from its creation on", async () => {
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
    // Joining the two runs pays nothing more.
    await backend.play(...on("2031-05-04T12:00:00Z"));
    expect((await backend.points("ann")).balance).toBe(60);
    expect((await streakOf(backend, "ann")).longestLength).toBe(7);
  });
});

test("a freeze keeps the run over a missed day, and reduces those left", async () => {
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

describe("the qualification of a period", () => {
  /** The streaks of a player with these orders today. */
  const lengthsAfter = async (streaks: Record<string, object>, ...orders: object[]) => {
    const file = Object.entries(streaks).map(([key, more]) => daily({ key, ...more }));
    const backend = await sandboxAtNoon(withStreaks(...file));
    const lengths: number[][] = [];
    for (const properties of orders) {
      await backend.play({ playerId: "ann", properties });
      lengths.push((await streaksOf(backend, "ann")).map(({ currentLength }) => currentLength));
    }
    return lengths;
  };

  test("may use every measure with every operator, also one that is lost and regained", async () => {
    const of = (kind: string, property?: string) => ({ measure: property === undefined ? { kind } : { kind, property } });
    const streaks = {
      sum: { ...of("Sum", "amount"), operator: "GreaterThan", target: 2.5 },
      exactly: { operator: "EqualTo", target: 2 },
      kinds: { ...of("DistinctCount", "drink"), target: 2 },
      smallest: { ...of("Min", "amount"), operator: "LessThan", target: 0 },
      latest: { ...of("Latest", "drink"), operator: "In", target: ["tea", "mocha"] },
      days: { ...of("DistinctDays"), target: 1 },
    };
    expect(
      await lengthsAfter(
        streaks,
        { amount: 2, drink: "tea" },
        { amount: 1, drink: "tea" },
        { amount: -1, drink: "mocha" },
        { amount: 1, drink: "water" },
        { drink: "tea" },
      ),
    ).toEqual([
      [0, 0, 0, 0, 1, 1],
      [1, 1, 0, 0, 1, 1],
      [0, 0, 1, 1, 1, 1],
      [1, 0, 1, 1, 0, 1],
      [1, 0, 1, 1, 1, 1],
    ]);
  });

  test("is unaffected by other events and filtered ones", async () => {
    const backend = await service.sandbox(withStreaks(daily({ where: { property: "takeaway", operator: "EqualTo", value: true } })));
    await backend.play(
      { playerId: "ann", event: "order_returned" },
      { playerId: "ann" },
      { playerId: "ann", properties: { takeaway: false } },
    );
    expect((await streakOf(backend, "ann")).currentLength).toBe(0);
    await backend.play({ playerId: "ann", properties: { takeaway: true } });
    expect((await streakOf(backend, "ann")).currentLength).toBe(1);
  });

  test("of a metric is its value, or a property, that passes a filter", async () => {
    const steps = { event: undefined, metric: "steps" };
    const backend = await sandboxAtNoon({
      metrics: [{ key: "steps", name: "Steps", kind: "Number", properties: [{ key: "device", type: "String" }] }],
      ...withStreaks(
        daily({ ...steps, key: "best", measure: { kind: "Max" }, target: 100 }),
        daily({ ...steps, key: "devices", measure: { kind: "DistinctCount", property: "device" }, target: 2 }),
        daily({ ...steps, key: "watch", where: { property: "device", operator: "EqualTo", value: "watch" }, target: 2 }),
      ),
    });
    await backend.add("ann", "steps", 60, { properties: { device: "watch" } });
    await backend.add("ann", "steps", 100, { properties: { device: "phone" } });
    await backend.applied();
    expect((await streaksOf(backend, "ann")).map(({ currentLength }) => currentLength)).toEqual([1, 1, 0]);
  });
});

describe("time", () => {
  test("a player who moves keeps their dates, and continues in the new zone", async () => {
    const backend = await service.sandbox(withStreaks(daily()));
    const zone = (timeZoneId: string) => backend.post("/v1/players", { playerId: "ann", timeZoneId });
    await zone("Asia/Tokyo");
    await backend.moveTo("2031-05-03T16:00:00Z");
    // In Tokyo it is the 2nd, the 3rd and the 4th at one in the morning.
    await backend.play(...on("2031-05-02T12:00:00Z", "2031-05-03T12:00:00Z", "2031-05-03T16:00:00Z"));
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 3, endsAtUtc: "2031-05-05T15:00:00.000Z" });
    await zone("America/Los_Angeles");
    // It is the 3rd again, for another fifteen hours; the 4th is there already.
    expect(await streakOf(backend, "ann")).toMatchObject({
      currentLength: 3,
      isQualifiedThisPeriod: true,
      startedAtUtc: "2031-05-02T07:00:00.000Z",
      endsAtUtc: "2031-05-06T07:00:00.000Z",
    });
    await backend.moveTo("2031-05-05T20:00:00Z");
    await backend.play(...on("2031-05-04T20:00:00Z", "2031-05-05T20:00:00Z"));
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 4, endsAtUtc: "2031-05-07T07:00:00.000Z" });
    await zone("Pacific/Auckland");
    // There it is the 6th: the 5th was the last to qualify.
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 4, isQualifiedThisPeriod: false });
    await backend.moveTo("2031-05-06T12:00:00Z");
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 0, longestLength: 4 });
  });

  test("an event months late joins the runs around it", async () => {
    const backend = await service.sandbox(withStreaks(daily({ freezes: { max: 1, earnEvery: 3 } })));
    const may = (...days: number[]) => on(...days.map((day) => `2031-05-${String(day).padStart(2, "0")}T12:00:00Z`));
    await backend.moveTo("2031-05-12T12:00:00Z");
    await backend.play(...may(1, 2, 5, 6, 7, 11, 12));
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 2, longestLength: 3, startedAtUtc: "2031-05-11T00:00:00.000Z" });
    await backend.moveTo("2031-12-01T12:00:00Z");
    await backend.play(...may(9));
    // The freeze earned on the 7th covers the 8th; the 10th stays missed.
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 0, longestLength: 4 });
    await backend.play(...may(3));
    // Earned on the 3rd, it covers the 4th; the next is earned with the sixth day, the 7th, and covers the 8th.
    expect((await streakOf(backend, "ann")).longestLength).toBe(7);
    await backend.play(...may(10));
    expect((await streakOf(backend, "ann")).longestLength).toBe(10);
  });

  test("an event of a future period is kept, and counts when it begins: runs, conditions and milestones, without another event", async () => {
    const receiver = await startReceiver();
    const gold = mission("gold", {
      objectives: [{ event: "friend_invited", operator: "GreaterThanOrEqualTo", target: 1 }],
      audience: { rule: { streak: "daily", operator: "GreaterThanOrEqualTo", value: 3 }, otherwise: "Hidden" },
    });
    const file = { ...withStreaks(daily({ milestones: [{ length: 3, rewards: [points(30)] }] })), missions: [gold] };
    const backend = await service.sandbox(file, { timeZone: "Europe/Amsterdam" });
    await backend.subscribe(receiver.url, "streak.milestone_reached");
    await backend.moveTo("2031-05-02T12:00:00Z");
    await backend.play(...on("2031-05-01T12:00:00Z", "2031-05-02T12:00:00Z", "2031-05-03T11:00:00Z"));
    const live = {
      currentLength: 2,
      longestLength: 2,
      startedAtUtc: "2031-04-30T22:00:00.000Z",
      endsAtUtc: "2031-05-03T22:00:00.000Z",
      nextMilestone: 3,
    };
    expect(await streakOf(backend, "ann")).toMatchObject({ ...live, isQualifiedThisPeriod: true });
    expect([await backend.points("ann"), await backend.missions("ann")]).toMatchObject([{ balance: 0 }, []]);
    await backend.moveTo("2031-05-02T21:58:00Z");
    expect(await streakOf(backend, "ann")).toMatchObject(live);
    await backend.moveTo("2031-05-02T22:00:00Z");
    expect(await streakOf(backend, "ann")).toMatchObject({
      currentLength: 3,
      longestLength: 3,
      endsAtUtc: "2031-05-04T22:00:00.000Z",
      isQualifiedThisPeriod: true,
      nextMilestone: null,
    });
    expect(await backend.points("ann")).toMatchObject({ balance: 30 });
    expect((await backend.missions("ann")).map(({ missionKey }) => missionKey)).toEqual(["gold"]);
    await backend.delivered();
    const milestones = receiver.received.map(({ body }) => JSON.parse(body).data);
    await receiver.close();
    expect(milestones).toMatchObject([{ milestone: 3, currentLength: 3 }]);
    expect(milestones[0].reachedAtUtc.slice(0, 19)).toBe("2031-05-02T22:00:00");
    // A later event is of a day that has counted.
    await backend.play(...on("2031-05-03T08:00:00Z"));
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 3 });
    expect(await backend.points("ann")).toMatchObject({ balance: 30 });
  });

  test("a future period does not block the running one", async () => {
    const backend = await service.sandbox(withStreaks(daily()));
    await backend.moveTo("2031-05-02T12:00:00Z");
    await backend.play(...on("2031-05-01T12:00:00Z", "2031-05-03T11:00:00Z"));
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 1, endsAtUtc: "2031-05-03T00:00:00.000Z" });
    await backend.play(...on("2031-05-02T12:00:00Z"));
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 2, endsAtUtc: "2031-05-04T00:00:00.000Z" });
    await backend.moveTo("2031-05-03T12:00:00Z");
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 3, endsAtUtc: "2031-05-05T00:00:00.000Z" });
  });

  test("a future period begins in the player's zone of that time", async () => {
    const backend = await service.sandbox(withStreaks(daily()));
    const zone = (timeZoneId: string) => backend.post("/v1/players", { playerId: "ann", timeZoneId });
    const length = async () => (await streakOf(backend, "ann")).currentLength;
    await backend.moveTo("2031-05-02T12:00:00Z");
    await backend.play(...on("2031-05-03T11:00:00Z"));
    await zone("America/New_York");
    await backend.moveTo("2031-05-03T03:58:00Z");
    expect(await length()).toBe(0);
    await zone("Europe/Amsterdam");
    await backend.applied();
    expect(await length()).toBe(1);
    await backend.play({ playerId: "ann", occurredAt: "2031-05-04T03:00:00Z" });
    await zone("Pacific/Kiritimati");
    await backend.moveTo("2031-05-03T10:00:00Z");
    expect(await length()).toBe(2);
  });
});

test("events at the limits of dates are in valid periods", async () => {
  const cadences = ["Day", "Week", "Month"];
  const file = withStreaks(...cadences.map((cadence) => daily({ key: cadence.toLowerCase(), cadence })));
  const backend = await service.sandbox({
    ...file,
    leaderboards: cadences.map((every) => board(`by_${every.toLowerCase()}`, { period: { kind: "Calendar", every } })),
  });
  const instants = ["0001-01-01T00:00:00Z", "0001-01-01T23:59:59Z"];
  for (const timeZoneId of ["Pacific/Pago_Pago", "UTC", "Pacific/Kiritimati"]) {
    await backend.post("/v1/players", { playerId: timeZoneId, timeZoneId });
    await backend.play(...instants.map((occurredAt) => ({ playerId: timeZoneId, occurredAt })));
    for (const { currentLength, longestLength, endsAtUtc } of await streaksOf(backend, timeZoneId)) {
      // In Samoa it was still the year before, outside the years of dates.
      expect([0, 1, 2]).toContain(longestLength);
      expect([currentLength, endsAtUtc]).toEqual([0, null]);
    }
  }
  expect((await backend.boards("UTC")).map(({ me }) => me)).toEqual([null, null, null]);
});

describe("a definition that is edited", () => {
  test("counts on under the new rule; qualified periods stay", async () => {
    const backend = await service.sandbox(withStreaks(daily()));
    await backend.moveTo("2031-05-03T12:00:00Z");
    await backend.play(...on("2031-05-01T12:00:00Z", "2031-05-02T12:00:00Z", "2031-05-03T12:00:00Z"));
    await backend.define(withStreaks(daily({ target: 2 })));
    await backend.play(...on("2031-05-03T12:00:00Z", "2031-05-03T12:00:00Z", "2031-05-01T12:00:00Z", "2031-04-29T12:00:00Z"));
    expect((await streakOf(backend, "ann")).currentLength).toBe(3);
    await backend.play(...on("2031-04-30T12:00:00Z"));
    expect((await streakOf(backend, "ann")).currentLength).toBe(3);
    await backend.play(...on("2031-04-30T12:00:00Z"));
    expect((await streakOf(backend, "ann")).currentLength).toBe(4);
  });

  test("pays for a milestone that is new only from a run that reaches it then", async () => {
    const backend = await service.sandbox(withStreaks(daily()));
    await backend.moveTo("2031-05-03T12:00:00Z");
    await backend.play(...on("2031-05-01T12:00:00Z", "2031-05-02T12:00:00Z"));
    await backend.define(withStreaks(daily({ milestones: [1, 2, 3].map((length) => ({ length, rewards: [points(length)] })) })));
    await backend.play(...on("2031-05-03T12:00:00Z"));
    expect((await backend.points("ann")).balance).toBe(3);
  });

  test("is not shown and does not advance while inactive, and continues from its old state", async () => {
    const rule = { audience: { rule: { streak: "daily", operator: "GreaterThanOrEqualTo", value: 1 } } };
    const backend = await sandboxAtNoon({ ...shop(mission("loyal", rule)), streaks: [daily()] });
    await backend.play({ playerId: "ann" });
    await backend.define(withStreaks(daily({ active: false })));
    expect(await streaksOf(backend, "ann")).toEqual([]);
    expect(await backend.mission("ann", "loyal")).toMatchObject({ status: "InProgress" });
    await backend.advance("P1D");
    await backend.play({ playerId: "ann", occurredAt: new Date(Date.now() + 86_400_000).toISOString() });
    await backend.define(withStreaks(daily()));
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 1, isQualifiedThisPeriod: false });
  });
});

describe("milestones", () => {
  const lengths = (...all: number[]) => daily({ milestones: all.map((length) => ({ length, rewards: [points(length), points(100)] })) });

  test("reached together by a late event are each paid and announced", async () => {
    const hooks = await startReceiver();
    const backend = await service.sandbox(withStreaks(lengths(2, 4, 5, 9)));
    await backend.subscribe(hooks.url, "streak.milestone_reached");
    await backend.moveTo("2031-05-05T12:00:00Z");
    await backend.play(...on(...[1, 2, 4, 5].map((day) => `2031-05-0${day}T12:00:00Z`)));
    await backend.play(...on("2031-05-03T12:00:00Z"));
    await backend.delivered();
    const milestones = hooks.received
      .map(({ body }) => JSON.parse(body).data)
      .map(({ milestone, currentLength }) => [milestone, currentLength]);
    expect(milestones.sort(([a], [b]) => a - b)).toEqual([
      [2, 2],
      [2, 2],
      [4, 5],
      [5, 5],
    ]);
    expect((await backend.points("ann")).balance).toBe(2 + 2 + 4 + 5 + 4 * 100);
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 5, nextMilestone: 9 });
    await hooks.close();
  });

  test("are paid once if a run is lost and regained, and count once on a leaderboard's points", async () => {
    const latest = { measure: { kind: "Latest", property: "drink" }, operator: "EqualTo", target: "tea" };
    const points = board("points", { scoreSource: "Points", event: undefined });
    const backend = await sandboxAtNoon({ ...withStreaks({ ...lengths(1), ...latest }), leaderboards: [points] });
    for (const drink of ["tea", "water", "tea", "water", "tea"]) await backend.play({ playerId: "ann", properties: { drink } });
    expect(await streakOf(backend, "ann")).toMatchObject({ currentLength: 1 });
    expect((await backend.points("ann")).balance).toBe(101);
    expect(await backend.board("ann", "points")).toMatchObject({ leaderboard: { me: { score: 101 } } });
  });

  test("are paid once by any number of concurrent workers and requests", async () => {
    const backend = await service.sandbox(withStreaks(lengths(1, 5, 10)));
    await backend.moveTo("2031-05-10T12:00:00Z");
    const players = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const day = (index: number) => `2031-05-${String(index + 1).padStart(2, "0")}T12:00:00Z`;
    await Promise.all(
      Array.from({ length: 20 }, (_, turn) => backend.send(...players.map((playerId) => ({ playerId, occurredAt: day((turn * 7) % 10) })))),
    );
    await backend.applied();
    for (const playerId of players) {
      expect((await streakOf(backend, playerId)).currentLength).toBe(10);
      const transactions = await backend.transactions(playerId);
      const timesPaid = (length: number) => transactions.filter(({ amount }) => amount === length).length;
      // Several runs may have been joined: each was paid for its own milestones.
      expect(timesPaid(1)).toBeGreaterThanOrEqual(1);
      expect(timesPaid(5)).toBeGreaterThanOrEqual(1);
      expect(timesPaid(10)).toBe(1);
    }
  });
});
