import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { transact } from "#db/client.ts";
import { testDatabase, testDatabaseUrl, testProject } from "#db/testing.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";
import { ingest } from "../game/events/service.ts";
import type { Environment } from "../model/kernel/environment.ts";
import { playerKey } from "../model/players/identity.ts";
import { drainFacts } from "../operations/worker/drain-facts.ts";
import { loadEnvironment } from "./environment.ts";
import { appliedFacts } from "./store/applied.ts";

const database = await testDatabase();
const { sql } = database;
const properties = [
  { key: "amount", type: "Number" },
  { key: "note", type: "String" },
];
const FILE = { version: 1, events: [{ key: "order_placed", name: "Order placed", properties }] };

async function sandboxWith(file: object): Promise<Environment> {
  const { sandbox } = await testProject(database);
  expect(await importDefinitions(database, sandbox, file)).not.toHaveProperty("problems");
  return sandbox;
}

async function order({ id }: Environment, playerIds: readonly string[], amount: number) {
  const items = playerIds.map((playerId) => ({
    playerId,
    event: "order_placed",
    occurredAt: new Date().toISOString(),
    properties: { amount },
  }));
  const environment = (await loadEnvironment(sql, id))!;
  await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
  await drainFacts(database, id);
}

test("a condition reads a history that is larger than the process's memory", async () => {
  const sandbox = await sandboxWith(FILE);
  await order(sandbox, ["ann"], 1);
  const [MORE, MEMORY_MB] = [1_500, 96];
  await sql`
    insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at, properties)
    select part, player_id, gen_random_uuid(), environment_id, definition_id, nextval('fact_seq'), occurred_at, received_at,
      ('{"amount": ' || n || ', "note": "' || repeat('n', case when n > 1400 then 1000000 else 30000 end) || '"}')::json
    from events cross join generate_series(1, ${MORE}::int) n where environment_id = ${sandbox.id}`;
  const mission = (key: string, measure: object, value: number) => ({
    key,
    name: key,
    objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }],
    audience: { rule: { event: "order_placed", measure, operator: "EqualTo", value }, otherwise: "Hidden" },
    rewards: [{ kind: "Points", points: 1 }],
  });
  const missions = [
    mission("all", { kind: "Count" }, MORE + 1),
    mission("fewer", { kind: "Count" }, MORE),
    mission("last", { kind: "Latest", property: "amount" }, MORE),
  ];
  expect(await importDefinitions(database, sandbox, { ...FILE, missions })).not.toHaveProperty("problems");
  const worker = new Worker(
    `const { parentPort, workerData: { modules, url, environmentId, now } } = require("node:worker_threads");
    void (async () => {
      const [{ openDatabase }, { readMissions }, { loadEnvironment }] = await Promise.all(modules.map((one) => import(one)));
      const database = openDatabase(url, { connections: 2 });
      const query = { externalId: "ann", take: null, includeCompleted: false, language: null };
      const missions = await readMissions(database, await loadEnvironment(database.sql, environmentId), now, query);
      parentPort.postMessage(missions.map(({ name }) => name));
      await database.close();
    })()`,
    {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      workerData: {
        modules: ["../../db/client.ts", "../game/missions/service/read.ts", "./environment.ts"].map((one) => import.meta.resolve(one)),
        url: await testDatabaseUrl(),
        environmentId: sandbox.id,
        now: Date.now(),
      },
    },
  );
  const names = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  expect(names).toEqual(["all", "last"]);
});

test("several players whose events are applied together each have a rollup made", async () => {
  const scores = { scoreSource: "Event", event: "order_placed", measure: { kind: "Count" }, rankOrder: "HighestFirst" };
  const returning = { event: "order_placed", measure: { kind: "Sum", property: "amount" }, operator: "GreaterThanOrEqualTo", value: 3 };
  const audience = { rule: returning, otherwise: "Locked" };
  const leaderboards = [{ key: "returning", name: "Returning", ...scores, period: { kind: "AllTime" }, audience }];
  const sandbox = await sandboxWith(FILE);
  const players = Array.from({ length: 8 }, (_, at) => `player-${at}`);
  await order(sandbox, players, 1);
  await order(sandbox, players.slice(4), 2);
  expect(await importDefinitions(database, sandbox, { ...FILE, leaderboards })).not.toHaveProperty("problems");
  await order(sandbox, players, 5);
  const scored = await sql<{ externalId: string }[]>`
    select p.external_id from leaderboard_scores s join players p on p.part = s.part and p.player_id = s.player_id
    where p.environment_id = ${sandbox.id} order by p.external_id`;
  expect(scored.map(({ externalId }) => externalId)).toEqual(players.slice(4));
});

test("an event that is deleted while a history is read, as the retention setting does, is passed over", async () => {
  const sandbox = await sandboxWith(FILE);
  await order(sandbox, ["ann"], 1);
  const [FURTHER, LARGE] = [300, 100_000];
  await sql`
    insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at, properties)
    select part, player_id, gen_random_uuid(), environment_id, definition_id, nextval('fact_seq'), occurred_at, received_at,
      case when n = ${FURTHER}::int then ('{"note": "' || repeat('n', ${LARGE}::int) || '"}')::json end
    from events cross join generate_series(1, ${FURTHER}::int) n where environment_id = ${sandbox.id}`;
  const read = await transact(database, async (tx) => {
    let facts = 0;
    for await (const part of appliedFacts(tx, [playerKey(sandbox.id, "ann")], null)) {
      if (facts === 0)
        await sql`delete from events where environment_id = ${sandbox.id} and octet_length(properties::text) > ${LARGE}::int`;
      facts += part.length;
    }
    return facts;
  });
  expect(read).toBe(FURTHER);
});
