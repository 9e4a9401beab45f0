import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { testApi } from "../../api/testing/calls.ts";
import { addPiece, createImport } from "../imports/service/imports.ts";
import { importStep } from "../imports/service/runner.ts";
import { COMMAND_LINE } from "../../model/kernel/environment.ts";
import { drainFills } from "../../game/leaderboards/service/fill-boards.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { RequestRecorder } from "../../insight/request-log/service/recorder.ts";
import { compareCounts, countStep } from "../../game/segments/service/count.ts";
import { testCipher } from "../../delivery/testing.ts";
import { drain } from "../worker/drain.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const { sql } = database;
const logger = { warn: () => {}, error: () => {} };
const requestLog = new RequestRecorder(database, { logger });
afterAll(() => requestLog.stop());
const api = await testApi(database, { requestLog });

const ID = "traced-zoë";
/** What all spellings of the id have in common. */
const NAME = "traced-zo";
const why = { reason: `because ${ID} asked` };

const objectives = [
  { event: "order", operator: "GreaterThanOrEqualTo", target: 2 },
  { event: "order", operator: "GreaterThanOrEqualTo", target: 9, measure: { kind: "DistinctCount", property: "drink" } },
];
const board = { rankOrder: "HighestFirst", period: { kind: "AllTime" } };
const DEFINITIONS = {
  version: 1,
  events: [{ key: "order", name: "Order", properties: [{ key: "drink", type: "String" }] }],
  metrics: [{ key: "steps", name: "Steps", kind: "Number", properties: [{ key: "from", type: "String" }] }],
  attributes: [{ key: "level", name: "Level", type: "Number" }],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  segments: [{ key: "high", name: "High", rule: { attribute: "level", operator: "GreaterThan", value: 1 } }],
  leaderboards: [
    { ...board, key: "levels", name: "Levels", scoreSource: "Attribute", attribute: "level" },
    { ...board, key: "points", name: "Points", scoreSource: "Points" },
  ],
  streaks: [
    { key: "daily", name: "Daily", event: "order", cadence: "Day", milestones: [{ length: 1, rewards: [{ kind: "Points", points: 30 }] }] },
  ],
  marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 4, stock: 9, contents: [{ catalogItem: "coffee", value: 1 }] }],
  missions: [
    { key: "two", name: "Two", objectives: objectives.slice(0, 1), rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }] },
    { key: "both", name: "Both", objectives, rewards: [{ kind: "Points", points: 5 }] },
    { key: "hard", name: "Hard", objectives: objectives.slice(1), rewards: [{ kind: "Points", points: 5 }] },
  ],
};

/** Every column of every table that can hold text and contains this one: "table.column". */
async function columnsNaming(text: string): Promise<string[]> {
  const columns = await sql<{ table: string; column: string }[]>`
    select c.table_name as table, c.column_name as column from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'bytea', 'uuid', 'USER-DEFINED') order by 1, 2`;
  const found: string[] = [];
  for (const { table, column } of columns) {
    // Binary columns are searched as bytes: a receiver's response may repeat its request.
    const named = await sql.unsafe(
      `select from "${table}" where case pg_typeof("${column}")::text when 'bytea' then position($1::text::bytea in "${column}"::text::bytea) > 0
        or "${column}"::text like '%' || encode($1::text::bytea, 'hex') || '%' else "${column}"::text like '%' || $1 || '%' end limit 1`,
      [text],
    );
    if (named.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

/** A Sandbox in which a player has left data in every possible way, by themselves and through the team. */
async function live() {
  const { sandbox, sandboxKey: key, slug } = await testProject(database);
  expect(await importDefinitions(database, sandbox, DEFINITIONS)).not.toHaveProperty("problems");
  const { rpc } = await signedIn(database, slug, "Admin");
  const scope = { project: slug, environment: "sandbox" as const };
  const player = { ...scope, externalId: ID };
  const post = async (path: string, body: object, status = 200) => expect(await api.post(path, body, key), path).toMatchObject({ status });
  const work = () => drain({ database, logger, cipher: testCipher, allowPrivateAddresses: true }, ["facts"], 10_000);
  const order = (drink: string) => ({
    playerId: ID,
    event: "order",
    occurredAt: new Date().toISOString(),
    idempotencyKey: `${ID} ${drink}`,
    properties: { drink },
  });

  const receiver = { url: `http://127.0.0.1:9/hooks`, events: ["mission.completed", "catalog_item.fulfillment_requested"] };
  await rpc.webhooks.create({ ...scope, ...receiver });
  await rpc.webhooks.listen({ ...scope, name: "dev", session: "one", start: { events: ["mission.completed"] } });
  for (const id of ["amy", ID]) {
    await post("/v1/players", { playerId: id, displayName: `${id} by name` });
    expect(await api.call("PUT", "/v1/attributes", { key, body: { playerId: id, attributes: { level: 5 } } })).toMatchObject({
      status: 200,
    });
  }
  await post("/v1/missions", { playerId: ID });
  await post("/v1/events", { events: [order("latte"), order(ID), { ...order("x"), event: `${ID} unknown` }] });
  await work();
  const once = { idempotencyKey: `once ${ID}` };
  await post("/v1/points/adjustments", { playerId: ID, amount: 5, ...why, ...once });
  const walk = { externalPlayerId: ID, metricKey: "steps", value: 5, occurredAtUtc: new Date().toISOString(), properties: { from: ID } };
  await post("/v1/metric-events", walk);
  await post("/v1/marketplace-items/voucher/purchases", { playerId: ID, idempotencyKey: `${ID} buys` });
  const [bought] = await sql<{ id: string }[]>`select id from marketplace_purchases where environment_id = ${sandbox.id}`;
  await rpc.marketplace.reverse({ ...player, purchaseId: bought!.id, ...why });
  await api.get(`/v1/points?PlayerId=${encodeURIComponent(ID)}`, key);
  await rpc.players.adjustPoints({ ...player, ...why, amount: 50, requestId: randomUUID() });
  const { missionsByKey } = await definitionsOf(sql, await findEnvironment(database, slug, "sandbox"));
  const objective = missionsByKey.get("both")!.objectives[1]!.id;
  await rpc.players.grantObjective({ ...player, ...why, mission: "both", objective, requestId: randomUUID() });
  await rpc.players.grantMission({ ...player, ...why, mission: "hard", requestId: randomUUID() });
  await rpc.players.changeProfile({ ...player, ...why, displayName: `${ID} anew` });
  await rpc.players.hideFromBoards({ ...player, ...why });
  await work();
  await rpc.players.showOnBoards({ ...player, ...why });
  await rpc.webhooks.trigger({ ...scope, event: "mission.completed", about: "two", forPlayer: ID });
  await post("/v1/events", { events: [order("waits")] });
  await api.get(`/v1/players/${encodeURIComponent(ID)}`, key);
  // The receiver echoes its request.
  await sql`
    insert into webhook_answers (delivery_id, number, started_at, headers, body, is_cut)
    select id, 1, now(), json_build_object('via', ${ID}::text), ${Buffer.from(`{"error":"${ID}"}`)}, false from webhook_deliveries
    where environment_id = ${sandbox.id} and data ->> 'playerExternalId' = ${ID}`;
  await requestLog.flush();

  const file = { kind: "events", format: "csv", fileName: "events.csv", reason: null } as const;
  const id = await createImport(database, sandbox, file, COMMAND_LINE);
  await addPiece(database, sandbox, id, {
    number: 0,
    text: `playerId,event,occurredAt\n${ID},order,2026-01-01T00:00:00Z\n${ID},none,2026-01-01T00:00:00Z\n${ID},order,2026-01-01T00:00:00Z,more\n`,
    isLast: true,
  });
  const lines = await createImport(database, sandbox, { ...file, format: "jsonl" }, COMMAND_LINE);
  await addPiece(database, sandbox, lines, { number: 0, text: String.raw`{"playerId":"${NAME}\u00eb","event"`, isLast: true });
  while ((await importStep(database)) !== null);
  await compareCounts(database);
  while (await countStep(database));
  await drainFills(database, sandbox.id);
  return { sandbox, rpc, player };
}

test("after an erasure no text of any table names the player, for any history", async () => {
  const { sandbox, rpc, player } = await live();
  const cursors = () => sql<{ at: string }[]>`
    select last_external_id as at from segment_counts where environment_id = ${sandbox.id}
    union all select last_external_id from leaderboard_fills where environment_id = ${sandbox.id}`;
  expect(
    (await cursors()).map(({ at }) => at),
    "what is complete stands nowhere",
  ).toEqual(["", ""]);
  // A running count and fill, with more players than a page, have just read this one.
  await sql`update segment_counts set started_at = now(), last_external_id = ${ID} where environment_id = ${sandbox.id}`;
  await sql`update leaderboard_fills set is_through = false, last_external_id = ${ID} where environment_id = ${sandbox.id}`;
  await sql`
    insert into quarantined_facts (environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, error)
    select ${sandbox.id}, nextval('fact_seq'), part, player_id, 'event', gen_random_uuid(), 1, now(), now(), json_build_object('a', ${ID}::text), ${ID}
    from players where environment_id = ${sandbox.id} and external_id = ${ID}`;

  expect(await columnsNaming(NAME), "a life that leaves traces everywhere").toEqual(TRACES);
  await rpc.privacy.erase({ ...player, reason: "She asked", confirmation: ID });
  expect(await columnsNaming(NAME)).toEqual([]);
  expect((await cursors()).map(({ at }) => at)).toEqual(["amy", "amy"]);
});

/** Where the id is found before: a column missing here is not covered by this test. */
const TRACES = [
  "audit_log.difference",
  "audit_log.subject_key",
  "event_tail.errors",
  "event_tail.event",
  "event_tail.payload",
  "event_tail.player",
  "events.properties",
  "import_lines.external_id",
  "import_lines.item",
  "leaderboard_fills.last_external_id",
  "marketplace_purchases.idempotency_key",
  "marketplace_purchases.reversal_reason",
  "metric_events.properties",
  "players.display_name",
  "players.external_id",
  "points_transactions.idempotency_key",
  "points_transactions.reason",
  "quarantined_facts.error",
  "quarantined_facts.payload",
  "request_log.body",
  "request_log.problem",
  "request_log.target",
  "segment_counts.last_external_id",
  "webhook_answers.body",
  "webhook_answers.headers",
  "webhook_copies.data",
  "webhook_deliveries.data",
];
