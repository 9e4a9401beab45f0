import { expect, test } from "vitest";
import { Backend } from "../backend.ts";
import { sharesIn } from "../../rehearsals/crash/crowd.ts";
import { BLOCKED, NOT_BLOCKED, atLeast, item, mission, points, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));
/** The concurrent requests of an organization: 16 run, 8 wait. */
const AT_ONCE = 24;
const COMPLETED = { includeCompleted: true };

test("24 concurrent mission reads enter a new player once", async () => {
  const backend = await service.sandbox(
    shop(...["a", "b", "c"].map((key) => mission(key, { objectives: [atLeast(99)] })), mission("offer", { optIn: "Manual" })),
  );
  const feeds = await times(AT_ONCE, () => backend.post("/v1/missions", { playerId: "ann" }));
  expect(new Set(feeds.map(({ text }) => text)).size).toBe(1);
  await backend.play({ playerId: "ann" });
  expect((await backend.missions("ann")).map(({ objectives }) => objectives[0].progress.actual.value)).toEqual([1, 1, 1, 0]);
});

test("24 concurrent mission reads that complete a mission by entry pay once, and enter the next occurrence together", async () => {
  const gift = mission("gift", { objectives: [NOT_BLOCKED], rewards: [points(30), item("free_coffee", 1)] });
  const backend = await service.sandbox({
    attributes: [BLOCKED],
    ...shop(gift, mission("again", { recurrence: { kind: "AfterCompletion" } })),
  });
  await times(AT_ONCE, () => backend.missions("ann", COMPLETED));
  await backend.play({ playerId: "ann" });
  await times(AT_ONCE, () => backend.missions("ann", COMPLETED));
  expect(await backend.points("ann")).toMatchObject({ balance: 40 });
  const rows = await backend.missions("ann", COMPLETED);
  expect(rows.map(({ missionKey, status, occurrenceNumber }) => [missionKey, status, occurrenceNumber])).toEqual([
    ["again", "InProgress", 1],
    ["again", "Completed", 0],
    ["gift", "Completed", 0],
  ]);
});

test("24 concurrent accepts accept an offer once", async () => {
  const backend = await service.sandbox(shop(mission("offer", { optIn: "Manual", objectives: [atLeast(99)] })));
  await backend.missions("ann");
  const replies = await times(AT_ONCE, async (index) => {
    const { status } = await backend.accept("ann", "offer");
    return [status, index < 0 ? null : (await backend.mission("ann", "offer")).acceptedAtUtc];
  });
  expect(new Set(replies.map(String)).size).toBe(1);
  expect(replies[0]![0]).toBe(204);
});

test("entry during a stream of events: those answered before it do not count, those sent after it do", async () => {
  const backend = await service.sandbox(shop(mission("many", { objectives: [atLeast(100_000)] })));
  const players = Array.from({ length: 6 }, (_, index) => `p${index}`);
  const bounds = await Promise.all(
    players.map(async (playerId) => {
      let [before, after, sent] = [0, 0, 0];
      let entered: "not yet" | "under way" | "done" = "not yet";
      const stream = async () => {
        for (let round = 0; round < 8; round++) {
          const isAfter = entered === "done";
          await backend.send(...Array.from({ length: 5 }, () => ({ playerId })));
          sent += 5;
          if (entered === "not yet") before += 5;
          if (isAfter) after += 5;
        }
      };
      const streams = [stream(), stream()];
      await backend.send({ playerId });
      before += 1;
      sent += 1;
      entered = "under way";
      await backend.missions(playerId);
      entered = "done";
      await Promise.all(streams);
      await backend.send({ playerId });
      return { playerId, least: after + 1, most: sent + 1 - before };
    }),
  );
  await backend.applied();
  for (const { playerId, least, most } of bounds) {
    const { value } = (await backend.mission(playerId, "many")).objectives[0].progress.actual;
    expect(value).toBeGreaterThanOrEqual(least);
    expect(value).toBeLessThanOrEqual(most);
  }
});

test("accept during a stream of events: those answered before it do not count, those sent after it do", async () => {
  const backend = await service.sandbox(shop(mission("offer", { optIn: "Manual", objectives: [atLeast(100_000)] })));
  await backend.missions("ann");
  await backend.send({ playerId: "ann" }, { playerId: "ann" });
  const during = times(10, () => backend.send({ playerId: "ann" }));
  await backend.accept("ann", "offer");
  await backend.send({ playerId: "ann" }, { playerId: "ann" }, { playerId: "ann" });
  await during;
  await backend.applied();
  const { value } = (await backend.mission("ann", "offer")).objectives[0].progress.actual;
  expect(value).toBeGreaterThanOrEqual(3);
  expect(value).toBeLessThanOrEqual(13);
});

test("24 replays of one adjustment move the balance once, and all answer the original", async () => {
  const backend = await service.sandbox();
  await backend.post("/v1/players", { playerId: "ann" });
  const replies = await times(AT_ONCE, () => backend.adjust("ann", 7, { idempotencyKey: "once" }));
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(replies[0]!.json).toMatchObject({ amount: 7, balance: 7 });
  expect(await backend.transactions("ann")).toHaveLength(1);
});

test("of 24 adjustments of different amounts with one key one wins; the others are a conflict", async () => {
  const backend = await service.sandbox();
  await backend.post("/v1/players", { playerId: "ann" });
  const replies = await times(AT_ONCE, (index) => backend.adjust("ann", index + 1, { idempotencyKey: "once" }));
  const won = replies.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(new Set(replies.filter(({ status }) => status !== 200).map(({ status, code }) => `${status} ${code}`))).toEqual(
    new Set(["409 points_adjustment.idempotency_key_conflict"]),
  );
  expect((await backend.points("ann")).balance).toBe(won[0]!.json.amount);
});

test("24 concurrent debits never bring a balance below zero: as many succeed as it covers", async () => {
  const backend = await service.sandbox();
  await backend.post("/v1/players", { playerId: "ann" });
  await backend.adjust("ann", 105);
  const replies = await times(AT_ONCE, () => backend.adjust("ann", -10));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(replies.filter(({ code }) => code === "points.insufficient_balance")).toHaveLength(AT_ONCE - 10);
  expect(new Set(replies.filter(({ status }) => status === 200).map(({ json }) => json.balance)).size).toBe(10);
  expect((await backend.points("ann")).balance).toBe(5);
});

test("adjustments race completions of the same players: every point is in the ledger, and the balance is its sum", async () => {
  const again = mission("again", { objectives: [atLeast(2)], rewards: [points(10), points(1)], recurrence: { kind: "AfterCompletion" } });
  const backend = await service.sandbox(shop(again));
  const players = Array.from({ length: 5 }, (_, index) => `p${index}`);
  await Promise.all(
    players.map(async (playerId) => {
      await backend.missions(playerId);
      const playing = (async () => {
        for (let round = 0; round < 6; round++) {
          await backend.send({ playerId }, { playerId });
          await backend.missions(playerId);
        }
      })();
      const adjusting = times(3, async (lane) => {
        for (let index = lane; index < 12; index += 3) await backend.adjust(playerId, index % 4 === 2 ? -4 : 5);
      });
      await Promise.all([playing, adjusting]);
    }),
  );
  await backend.applied();
  for (const playerId of players) {
    const ledger = await backend.transactions(playerId);
    const instants = ledger.map(({ occurredAtUtc }) => occurredAtUtc);
    expect(instants).toEqual(instants.toSorted().toReversed());
    const sum = (type?: string) =>
      ledger.filter((one) => type === undefined || one.type === type).reduce((total, { amount }) => total + amount, 0);
    const completed = (await backend.missions(playerId, COMPLETED)).filter(({ status }) => status === "Completed").length;
    expect(await backend.points(playerId)).toEqual({ balance: sum(), totalGranted: 11 * completed, totalSpent: 0 });
    expect([completed > 0, sum("Grant")]).toEqual([true, 11 * completed]);
  }
});

test("definitions that change while players play change for all players immediately, and nothing is lost", async () => {
  const many = (name: string) => shop(mission("many", { name, objectives: [atLeast(100_000)] }));
  const backend = await service.sandbox(many("name 0"));
  await backend.missions("ann");
  const playing = times(20, () => backend.send({ playerId: "ann" }, { playerId: "ann" }));
  for (let version = 1; version <= 5; version++) {
    await backend.define(many(`name ${version}`));
    expect((await backend.mission("ann", "many")).name).toBe(`name ${version}`);
  }
  await playing;
  await backend.applied();
  expect(await backend.counterValue("ann", "many")).toBe(40);
});

test("two servers and two workers on one database act as one service", async () => {
  const one = await service.sandbox(
    shop(
      mission("ten", { objectives: [atLeast(10)], recurrence: { kind: "AfterCompletion" } }),
      mission("forty", { objectives: [atLeast(40)] }),
    ),
  );
  const beside = await startService();
  const other = new Backend(beside, one.environment, one.key);
  // A server takes its half of the limit once the other has released it, at a heartbeat, which only requests trigger here.
  const halves = async () => {
    await Promise.all([one.points("nobody"), other.points("nobody")]);
    return (await sharesIn(service.database.sql)).map(({ inFlight }) => inFlight);
  };
  await expect.poll(halves, { interval: 200 }).toEqual([8, 8]);
  const players = Array.from({ length: 10 }, (_, index) => `p${index}`);
  await Promise.all(players.map((playerId, index) => (index % 2 ? one : other).missions(playerId)));
  const batch = (turn: number) =>
    players.flatMap((playerId) => Array.from({ length: 4 }, (_, index) => ({ playerId, idempotencyKey: `${turn}/${index}` })));
  // Each server has half of the limit: eight requests run, and four wait.
  const play = async (turn: number) => {
    await Promise.all([one.send(...batch(turn)), other.send(...batch(turn).toReversed())]);
    await Promise.all(players.map((playerId) => (turn % 2 ? one : other).missions(playerId)));
  };
  for (let turn = 0; turn < 10; turn += 2) await Promise.all([play(turn), play(turn + 1)]);
  await one.applied();
  for (const playerId of players) {
    const rows = await other.missions(playerId, COMPLETED);
    expect(rows.filter(({ missionKey }) => missionKey === "forty")).toMatchObject([
      { status: "Completed", objectives: [{ progress: { actual: { value: 40 } } }] },
    ]);
    const tens = rows.filter(({ missionKey, status }) => missionKey === "ten" && status === "Completed").length;
    expect((await one.points(playerId)).balance).toBe(10 * (1 + tens));
  }
});
