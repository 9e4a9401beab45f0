import { expect, test } from "vitest";
import type { Sql } from "#db/client.ts";
import { testDatabase, testProject } from "#db/testing.ts";
import { ingest } from "../../game/events/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { takeMetricEvent } from "../../game/metrics/service.ts";
import { drainFacts } from "../worker/drain-facts.ts";
import { checkIntegrity } from "./check.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const { sql } = database;

const rewards = [
  { kind: "Points", points: 30 },
  { kind: "CatalogItem", catalogItem: "coffee", value: 1 },
];
const DEFINITIONS = {
  version: 1,
  events: [{ key: "order_placed", name: "Order placed" }],
  metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  streaks: [{ key: "daily", name: "Daily", event: "order_placed", cadence: "Day", milestones: [{ length: 2, rewards }] }],
};

/** Ann, on a paid run of two days, with five steps. */
async function played(): Promise<Environment> {
  const project = await testProject(database);
  expect(await importDefinitions(database, project.sandbox, DEFINITIONS)).not.toHaveProperty("problems");
  const environment = (await loadEnvironment(sql, project.sandbox.id)) as Environment;
  const now = Date.now();
  const items = ["2026-01-30", "2026-01-31"].map((date) => ({ playerId: "ann", event: "order_placed", occurredAt: `${date}T12:00:00Z` }));
  await ingest(database, environment, { items, mayHoldBadText: false, now });
  await takeMetricEvent(database, environment, now, {
    externalId: "ann",
    metricKey: "steps",
    value: 5,
    currencyCode: null,
    exchangeRate: null,
    idempotencyKey: null,
    occurredAt: now,
    properties: {},
    timeZone: null,
  });
  await drainFacts(database, environment.id);
  expect(await checkIntegrity(database, environment)).toEqual([]);
  return environment;
}

const of = (id: number) => sql`(select part, player_id from players where environment_id = ${id})`;

test.each<[string, (sql: Sql, id: number) => Promise<unknown>, RegExp[]]>([
  [
    "a total that is not the sum of its events",
    (tx, id) => tx`update metric_totals set total = total + 1 where (part, player_id) in ${of(id)}`,
    [/^player "ann", metric steps: the total is 6, but the events give 5$/],
  ],
  [
    "a total without events",
    (tx, id) => tx`delete from metric_events where environment_id = ${id}`,
    [/the total is 5, but the events give 0$/],
  ],
  [
    "events without a total",
    (tx, id) => tx`delete from metric_totals where (part, player_id) in ${of(id)}`,
    [/the total is 0, but the events give 5$/],
  ],
  [
    "a run that is not what its periods give",
    (tx, id) => tx`update streak_runs set length = 3 where (part, player_id) in ${of(id)}`,
    [/^player "ann", streak daily: runs \[\["2026-01-30","2026-01-31",3,0\]\], but the periods give .*,2,0\]\]$/],
  ],
  [
    "a run without periods",
    (tx, id) => tx`delete from streak_periods where (part, player_id) in ${of(id)}`,
    [/but the periods give \[\]$/, /was not paid for its milestone 2$/, /but there is no such run$/, /but there is no such run$/],
  ],
  [
    "a milestone without its points",
    (tx, id) =>
      tx`with gone as (delete from points_transactions where environment_id = ${id}) delete from balances where (part, player_id) in ${of(id)}`,
    [/^player "ann", streak daily: the run from 2026-01-30 was not paid for its milestone 2$/],
  ],
  [
    "a milestone without its item",
    (tx, id) => tx`delete from owed_items where environment_id = ${id}`,
    [/the run from 2026-01-30 was not paid for its milestone 2$/],
  ],
  [
    "a milestone that the run does not know of",
    (tx, id) => tx`update streak_runs set paid = '{}' where (part, player_id) in ${of(id)}`,
    [/the run from 2026-01-30 was not paid for its milestone 2$/],
  ],
  [
    "a state of missions that cannot be read",
    (tx, id) =>
      tx`insert into mission_states (part, player_id, topic_id, state) select part, player_id, 1, '[[' from players where environment_id = ${id}`,
    [/^player "ann": a state in mission_states cannot be read$/],
  ],
])("finds %s", async (_, breakIt, lines) => {
  const environment = await played();
  await breakIt(sql, environment.id);
  // Analytics notice missing rows as well: server/insight/analytics tests that.
  const found = (await checkIntegrity(database, environment)).filter((line) => !line.startsWith("analytics"));
  expect(found).toEqual(lines.map((line) => expect.stringMatching(line)));
});
