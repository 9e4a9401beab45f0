import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { appliedByPlayer } from "../../engine/store/applied.ts";
import { ingest } from "../../game/events/service.ts";
import { takeMetricEvent } from "../../game/metrics/service.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { drainFacts } from "../worker/drain-facts.ts";
import { checkIntegrity } from "./check.ts";

const database = await testDatabase();
const { sql } = database;

const objective = { operator: "GreaterThanOrEqualTo", target: 10_000 };
const rewards = [{ kind: "Points", points: 1 }];
const DEFINITIONS = {
  version: 1,
  events: [{ key: "order", name: "Order" }],
  metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
  missions: [
    { key: "orders", name: "Orders", objectives: [{ event: "order", ...objective }], rewards },
    { key: "walks", name: "Walks", objectives: [{ metric: "steps", measure: { kind: "Sum" }, ...objective }], rewards },
  ],
};

test("the logs of many players are read one player after another, and each player's counters compared with their own", async () => {
  const { sandbox } = await testProject(database);
  expect(await importDefinitions(database, sandbox, DEFINITIONS)).not.toHaveProperty("problems");
  const environment = (await loadEnvironment(sql, sandbox.id))!;
  const now = Date.now();
  const walk = (externalId: string, value: number) => {
    const rest = { metricKey: "steps", currencyCode: null, exchangeRate: null, idempotencyKey: null, properties: {}, timeZone: null };
    return takeMetricEvent(database, environment, now, { externalId, value, occurredAt: now, ...rest });
  };
  const players = ["ann", "bob", "cas"];
  for (const externalId of [...players, "dan"])
    await readMissions(database, environment, now, { externalId, includeCompleted: false, language: null, take: null });
  for (let round = 0; round < 2; round++) {
    // Two reads of the cursor: the players' events lie between each other's.
    const occurredAt = new Date(now).toISOString();
    const items = Array.from({ length: 900 }, (_, at) => ({ playerId: players[at % 3]!, event: "order", occurredAt }));
    await ingest(database, environment, { items, mayHoldBadText: false, now });
    await walk("bob", 7);
  }
  await drainFacts(database, environment.id);
  const keys = [...players, "dan"].map((externalId) => ({ ...playerKey(environment.id, externalId), externalId }));
  const found: [string, number, number][] = [];
  await sql.begin(async (tx) => {
    for await (const [{ externalId }, facts] of appliedByPlayer(tx, keys, null)) {
      expect(facts.map(({ seq }) => seq)).toEqual(facts.map(({ seq }) => seq).toSorted((a, b) => a - b));
      found.push([externalId, facts.length, facts.filter(({ value }) => value === 7).length]);
    }
  });
  expect(found.toSorted()).toEqual([
    ["ann", 600, 0],
    ["bob", 602, 2],
    ["cas", 600, 0],
    ["dan", 0, 0],
  ]);
  expect(await checkIntegrity(database, environment)).toEqual([]);
  const { part, playerId } = playerKey(environment.id, "bob");
  await sql`delete from metric_events where part = ${part} and player_id = ${playerId} and seq = (select max(seq) from metric_events where player_id = ${playerId})`;
  expect((await checkIntegrity(database, environment)).filter((line) => line.includes("mission"))).toEqual([
    'player "bob", mission walks, occurrence 0: counters [[{"value":14}]], but the events give [[{"value":7}]]',
  ]);
});
