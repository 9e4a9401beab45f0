import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Database } from "../../db/client.ts";
import { ingest } from "../../server/game/events/service.ts";
import { COMMAND_LINE } from "../../server/model/kernel/environment.ts";
import { changeProject } from "../../server/authoring/definitions/service/project-settings.ts";
import { checkIntegrity } from "../../server/operations/integrity/check.ts";
import type { Backend } from "../backend.ts";
import { board, boards, players, shown, soon, spent } from "../boards.ts";
import { item, measured, points } from "../definitions.ts";
import { startService } from "../listening.ts";
import { loadEnvironment } from "../../server/engine/environment.ts";

const service = await startService();
const bySum = measured("Sum", "amount");
const every = (unit: string) => ({ period: { kind: "Calendar", every: unit } });
const balances = (backend: Backend, ...names: string[]) => Promise.all(names.map(async (name) => (await backend.points(name)).balance));

/** An order at an instant. */
const at = (occurredAt: string, playerId: string, amount: number) => spent(playerId, amount, { occurredAt });

test("a player who scored for two teams with different prizes is granted both, and a prize that two teams win once", async () => {
  const prizes = [
    { fromRank: 1, toRank: 1, rewards: [points(100), item("free_coffee", 2)] },
    { fromRank: 2, toRank: 3, rewards: [item("free_coffee", 1), points(10)] },
  ];
  const backend = await service.sandbox();
  await backend.moveTo("2031-03-10T12:00:00Z");
  await backend.define({
    ...boards(board("offices", { ...bySum, ...every("Month"), teamAttribute: "office", prizes })),
    catalogItems: [{ key: "free_coffee", name: "Free coffee", valueType: "Number" }],
  });
  for (const [name, office] of Object.entries({ ann: "ams", bob: "ber", cid: "cph", dan: "ber", eve: "dub" }))
    await backend.setAttributes(name, { office });
  const march = "2031-03-11T11:00:00Z";
  await backend.play(at(march, "ann", 9), at(march, "bob", 5), at(march, "cid", 3), at(march, "dan", 1), at(march, "eve", 1));
  // Ann moves to the second team, dan to the third.
  await backend.setAttributes("ann", { office: "ber" });
  await backend.setAttributes("dan", { office: "cph" });
  await backend.play(at(march, "ann", 1), at(march, "dan", 1));
  await backend.moveTo("2031-04-02T00:00:00Z");
  expect(shown((await backend.board("ann", "offices", "&Previous=true")).top)).toEqual(["1 ams 9", "2 ber 7", "3 cph 4", "4 dub 1"]);
  expect(await balances(backend, "ann", "bob", "cid", "dan", "eve")).toEqual([110, 10, 10, 10, 0]);
  const owed = await service.database.sql<{ player: string; value: number }[]>`
    select p.external_id as player, (o.value #>> '{}')::int as value from owed_items o join players p on p.part = o.part and p.player_id = o.player_id
    where o.environment_id = ${backend.environment.id} order by 1, 2`;
  expect(owed.map(({ player, value }) => `${player} ${value}`)).toEqual(["ann 1", "ann 2", "bob 1", "cid 1", "dan 1"]);
  expect(await checkIntegrity(service.database, backend.environment)).toEqual([]);
});

async function moveProject({ environment: { projectId, projectSlug, defaultLanguage } }: Backend, timeZone: string): Promise<void> {
  const settings = { name: "Moved", defaultLanguage, timeZone };
  expect(await changeProject(service.database, { projectId, projectSlug }, settings, COMMAND_LINE)).toEqual([]);
}

test.each([0, 10])(
  "a project that moves west across a midnight just passed loses nothing: the running day continues (settled after %i minutes)",
  async (settleAfterMinutes) => {
    const backend = await service.sandbox();
    await backend.moveTo("2031-03-10T12:00:00Z");
    const daily = { ...every("Day"), settleAfterMinutes };
    const levels = { ...daily, scoreSource: "Attribute", event: null, attribute: "level" };
    await backend.define(boards(board("daily", { ...bySum, ...daily }), board("levels", levels)));
    await players(backend, "ann", "bob");
    await backend.setAttributes("ann", { level: 7 });
    await backend.setAttributes("bob", { level: 1 });
    await backend.play(at("2031-03-10T12:00:00Z", "ann", 3));
    await backend.moveTo("2031-03-11T00:05:00Z");
    await backend.setAttributes("bob", { level: 2 });
    await moveProject(backend, "America/New_York");
    await backend.setAttributes("ann", { level: 8 });
    await backend.play(at("2031-03-11T00:05:30Z", "ann", 4));
    const soonShown = async (key: string, rows: string[]) =>
      soon(
        async () => shown((await backend.board("ann", key)).top),
        (found) => found.join() === rows.join(),
      );
    for (const now of ["2031-03-11T00:07:00Z", "2031-03-11T04:30:00Z", "2031-03-12T03:30:00Z"]) {
      await backend.moveTo(now);
      await soonShown("levels", ["1 ANN 8", "2 BOB 2"]);
      await soonShown("daily", ["1 ANN 4"]);
      expect((await backend.board("ann", "levels")).leaderboard.period).toEqual({
        startsAtUtc: "2031-03-11T00:00:00.000Z",
        endsAtUtc: "2031-03-12T04:00:00.000Z",
      });
      expect(await checkIntegrity(service.database, backend.environment)).toEqual([]);
    }
    const before = async (key: string) => shown((await backend.board("ann", key, "&Previous=true")).top);
    expect([await before("levels"), await before("daily")]).toEqual([["1 ANN 7", "2 BOB 1"], ["1 ANN 3"]]);
    await backend.moveTo("2031-03-12T04:30:00Z");
    await soonShown("levels", ["1 ANN 8", "2 BOB 2"]);
    expect(await before("daily")).toEqual(["1 ANN 4"]);
    expect(await checkIntegrity(service.database, backend.environment)).toEqual([]);
  },
);

test("a project that moves further west continues from period to period", async () => {
  const backend = await service.sandbox({}, { timeZone: "Pacific/Auckland" });
  await backend.moveTo("2031-03-10T12:00:00Z");
  await backend.define(boards(board("daily", { ...bySum, ...every("Day"), settleAfterMinutes: 0 })));
  await players(backend, "ann");
  await backend.play(at("2031-03-11T10:00:00Z", "ann", 3));
  await moveProject(backend, "America/New_York");
  await backend.moveTo("2031-03-20T12:00:00Z");
  const days = await service.database.sql<{ start: string; step: string }[]>`
    select start, step from leaderboard_periods where environment_id = ${backend.environment.id} order by start`;
  expect(days.map(({ start, step }) => `${start} ${step}`)).toEqual([
    ...Array.from({ length: 9 }, (_, day) => `2031-03-${11 + day} Settled`),
    "2031-03-20 Open",
  ]);
});

test("a project that moves further east is in its new day immediately, with the players' values, and the audit agrees", async () => {
  const backend = await service.sandbox();
  await backend.moveTo("2031-03-10T18:00:00Z");
  const levels = { ...every("Day"), scoreSource: "Attribute", event: null, attribute: "level" };
  await backend.define(
    boards(board("daily", { ...bySum, ...every("Day") }), board("weekly", { ...bySum, ...every("Week") }), board("levels", levels)),
  );
  await players(backend, "ann");
  await backend.setAttributes("ann", { level: 7 });
  await backend.play(at("2031-03-10T17:00:00Z", "ann", 3));
  await moveProject(backend, "Asia/Tokyo");
  expect(await checkIntegrity(service.database, backend.environment)).toEqual([]);
  const periods = await service.database.sql<{ key: string; start: string; ends: string }[]>`
    select d.key, p.start, to_char(p.ends_at, 'DD HH24:MI') as ends from leaderboard_periods p join definitions d on d.id = p.leaderboard_id
    where p.environment_id = ${backend.environment.id} order by p.leaderboard_id, p.start`;
  expect(periods.map(({ key, start, ends }) => `${key} ${start} ${ends}`)).toEqual([
    "daily 2031-03-10 10 15:00",
    "daily 2031-03-11 11 15:00",
    "weekly 2031-03-10 16 15:00",
    "levels 2031-03-10 10 15:00",
    "levels 2031-03-11 11 15:00",
  ]);
  await backend.moveTo("2031-03-10T18:30:00Z");
  expect((await backend.board("ann", "levels")).leaderboard).toMatchObject({
    me: { rank: 1, score: 7 },
    period: { startsAtUtc: "2031-03-10T15:00:00.000Z", endsAtUtc: "2031-03-11T15:00:00.000Z" },
  });
  expect((await backend.board("ann", "daily", "&Previous=true")).leaderboard.me).toEqual({ rank: 1, score: 3 });
  expect(await checkIntegrity(service.database, backend.environment)).toEqual([]);
});

test("a winner with a full balance blocks neither other winners nor the settling of the day", async () => {
  const backend = await service.sandbox();
  await backend.moveTo("2031-03-10T12:00:00Z");
  const prizes = [{ fromRank: 1, toRank: 2, rewards: [points(10)] }];
  await backend.define(boards(board("daily", { ...bySum, ...every("Day"), prizes })));
  await players(backend, "ann", "bob");
  await backend.adjust("ann", Number.MAX_SAFE_INTEGER - 4);
  await backend.play(at("2031-03-10T12:00:00Z", "ann", 2), at("2031-03-10T12:00:00Z", "bob", 1));
  await backend.moveTo("2031-03-11T12:00:00Z");
  expect(await balances(backend, "ann", "bob")).toEqual([Number.MAX_SAFE_INTEGER, 10]);
  expect((await backend.board("ann", "daily", "&Previous=true")).isSettled).toBe(true);
  expect(await checkIntegrity(service.database, backend.environment)).toEqual([]);
});

test("a request still writing when its day ends is applied before the day is settled", async () => {
  const backend = await service.sandbox();
  const noon = "2031-03-10T12:00:00Z";
  await backend.moveTo("2031-03-10T11:00:00Z");
  await backend.define(boards(board("daily", { ...bySum, ...every("Day"), settleAfterMinutes: 0 })));
  await backend.moveTo(noon);
  const environment = (await loadEnvironment(service.database.sql, backend.environment.id))!;
  const items = [{ playerId: "ann", event: "order_placed", occurredAt: noon, properties: { amount: 3 } }];
  let moving = Promise.resolve(0);
  await service.database.sql.begin(async (tx) => {
    await ingest({ ...service.database, sql: tx as unknown as Database["sql"] }, environment, {
      items,
      mayHoldBadText: false,
      now: Date.parse(noon),
    });
    moving = backend.advance("P1D");
    const hasMoved = async () => (await loadEnvironment(service.database.sql, environment.id))?.clockOffsetMs !== environment.clockOffsetMs;
    await soon(hasMoved, (holds) => holds);
    // Enough time to settle the day without it.
    await delay(200);
  });
  await moving;
  expect(shown((await backend.board("ann", "daily", "&Previous=true")).top)).toEqual(["1 null 3"]);
});

test("a clock moves from day to day during a stream of events, and every score is in one day at most", async () => {
  const backend = await service.sandbox();
  await backend.moveTo("2031-03-10T12:00:00Z");
  await backend.define(boards(board("daily", { ...bySum, ...every("Day"), settleAfterMinutes: 0 }), board("ever", bySum)));
  const clock = async () => (await backend.get("/v1/points?PlayerId=nobody")).headers["x-sandbox-time"] as string;
  let isOver = false;
  let sent = 0;
  const streams = Array.from({ length: 4 }, async (_, lane) => {
    while (!isOver) {
      const now = await clock();
      await backend.send(...Array.from({ length: 40 }, (_, index) => at(now, `p${(index * 7 + lane) % 40}`, 1)));
      sent += 40;
    }
  });
  try {
    for (let day = 0; day < 4; day++) await backend.advance("P1D");
  } finally {
    isOver = true;
    await Promise.all(streams);
  }
  await backend.applied();
  const total = async (key: string) => {
    const [row] = await service.database.sql<{ sum: number }[]>`
      select -sum(s.sort_score)::int as sum from leaderboard_scores s join leaderboard_periods p on p.id = s.period_id
      join definitions d on d.id = p.leaderboard_id where p.environment_id = ${backend.environment.id} and d.key = ${key}`;
    return row?.sum ?? 0;
  };
  expect(await total("ever")).toBe(sent);
  expect(await total("daily")).toBeLessThanOrEqual(sent);
  expect((await checkIntegrity(service.database, backend.environment)).slice(0, 3)).toEqual([]);
});
