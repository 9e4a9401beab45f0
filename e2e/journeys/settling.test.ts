import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Database } from "../../db/client.ts";
import { ingest } from "../../server/events/service.ts";
import { loadEnvironment } from "../../server/projects/service.ts";
import { audit } from "../../server/work/audit.ts";
import type { Backend } from "../backend.ts";
import { board, boards, players, shown, soon, spent } from "../boards.ts";
import { item, measured, points } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const bySum = measured("Sum", "amount");
const every = (unit: string) => ({ period: { kind: "Calendar", every: unit } });
const balances = (backend: Backend, ...names: string[]) => Promise.all(names.map(async (name) => (await backend.points(name)).balance));

/** An order at an instant. */
const at = (occurredAt: string, playerId: string, amount: number) => spent(playerId, amount, { occurredAt });

test("who has scored for two teams that win different prizes is granted both, and one that two teams win once", async () => {
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
  const march = "2031-03-20T12:00:00Z";
  await backend.play(at(march, "ann", 9), at(march, "bob", 5), at(march, "cid", 3), at(march, "dan", 1), at(march, "eve", 1));
  // Ann goes on to the second team, dan to the third.
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
  expect(await audit(service.database, backend.environment)).toEqual([]);
});

test("a project that moves to a zone further west goes on from period to period", async () => {
  const backend = await service.sandbox({}, { timeZone: "Pacific/Auckland" });
  await backend.moveTo("2031-03-10T12:00:00Z");
  await backend.define(boards(board("daily", { ...bySum, ...every("Day"), settleAfterMinutes: 0 })));
  await players(backend, "ann");
  await backend.play(at("2031-03-11T10:00:00Z", "ann", 3));
  await service.database.sql`update projects set time_zone = 'America/New_York' where id = ${backend.environment.projectId}`;
  await backend.moveTo("2031-03-20T12:00:00Z");
  const days = await service.database.sql<{ start: string; step: string }[]>`
    select start, step from leaderboard_periods where environment_id = ${backend.environment.id} order by start`;
  expect(days.map(({ start, step }) => `${start} ${step}`)).toEqual([
    ...Array.from({ length: 9 }, (_, day) => `2031-03-${11 + day} Settled`),
    "2031-03-20 Open",
  ]);
});

test("what a request is still writing when its day ends is applied before that is settled", async () => {
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
    // Time enough to settle the day without it.
    await delay(200);
  });
  await moving;
  expect(shown((await backend.board("ann", "daily", "&Previous=true")).top)).toEqual(["1 null 3"]);
});

test("a clock moves from day to day however much streams in meanwhile, and every score is in one day at most", async () => {
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
  expect((await audit(service.database, backend.environment)).slice(0, 3)).toEqual([]);
}, 60_000);
