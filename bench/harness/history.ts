import type { Database } from "../../db/client.ts";
import { compactAll, countHistory } from "../../server/insight/analytics/service/counting.ts";
import { takeSnapshots } from "../../server/insight/analytics/service/snapshots.ts";
import { compareCounts } from "../../server/game/segments/service/count.ts";
import { createEndpoint } from "../../server/delivery/service/endpoints.ts";
import { testCipher } from "../../server/delivery/testing.ts";
import { fillPlayers, fillScores } from "./boards.ts";
import { eventDefinition, missionsOn } from "./definitions.ts";
import { type Project, makeProject } from "./project.ts";
import { sized } from "./size.ts";
import { definitionsOf } from "../../server/engine/definitions.ts";
import { loadEnvironment } from "../../server/engine/environment.ts";

export const DAYS = 90;
/** Segments by the attribute `level`, which is from 0 to 99: a tenth of the players is above 89, a hundredth above 98. */
const SEGMENTS = { tenth: 89, hundredth: 98 };
/** As many as an environment keeps (server/model/kernel/kept-days.ts). */
const ITEMS = sized({ smoke: 500, usual: 10_000 });
const REQUESTS = sized({ smoke: 1_000, usual: 100_000 });

export interface History {
  project: Project;
  slug: string;
  endpointId: string;
}

type Say = (words: string) => void;

/**
 * Makes a customer with this many players, ten events each over ninety days, and the results: points, completions, purchases, runs, scores,
 * deliveries and their attempts. The rows are written in SQL, as the service would have left them; the service itself counts days and sums.
 */
export async function makeHistory(database: Database & { url: string }, players: number, say: Say): Promise<History> {
  const history = await makeCustomer(database);
  say(`filling ${players} players`);
  await fillPlayers(database, history.project, players);
  await fillTables(database, history, say);
  await countEverything(database, history.project.environment.id, players, say);
  return history;
}

async function makeCustomer(database: Database): Promise<History> {
  const slug = "history";
  const segment = (key: string, above: number) => ({ key, name: key, rule: { attribute: "level", operator: "GreaterThan", value: above } });
  const project = await makeProject(database, slug, {
    ...{ events: [eventDefinition("order_placed"), eventDefinition("visit")], missions: missionsOn("order_placed", 50) },
    attributes: [{ key: "level", name: "Level", type: "Number" }],
    segments: [segment("tenth", SEGMENTS.tenth), segment("hundredth", SEGMENTS.hundredth)],
    catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
    marketplaceItems: [
      { key: "coffee", name: "Coffee", priceInPoints: 10, stock: 2_000_000_000, contents: [{ catalogItem: "coffee", value: 1 }] },
    ],
    streaks: [{ key: "daily", name: "Daily", event: "visit", cadence: "Day" }],
    leaderboards: [
      {
        key: "orders",
        name: "Orders",
        scoreSource: "Event",
        event: "order_placed",
        rankOrder: "HighestFirst",
        period: { kind: "AllTime" },
      },
    ],
  });
  const environment = (await loadEnvironment(database.sql, project.environment.id))!;
  const endpoint = await createEndpoint(
    database,
    environment,
    { url: "http://127.0.0.1:9/", events: ["mission.completed"] },
    { allowPrivateAddresses: true, cipher: testCipher },
  );
  if ("problems" in endpoint) throw new Error("The endpoint is refused.");
  return { project, slug, endpointId: endpoint.id };
}

async function fillTables(database: Database, { project, endpointId }: History, say: Say): Promise<void> {
  const { sql } = database;
  const environment = (await loadEnvironment(sql, project.environment.id))!;
  const { id } = environment;
  const definitions = await definitionsOf(sql, environment);
  const [order, visit] = ["order_placed", "visit"].map((key) => definitions.eventsByKey.get(key)!.id);
  const fill = async (what: string, text: string, ...parameters: (string | number)[]) => {
    say(`filling ${what}`);
    // Disables triggers, so that nothing is counted while it is written: the service counts all of it at the end.
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx.unsafe(text, parameters);
    });
  };

  // With epoch 0 the service counts everything below at the end, as it counts history from before its analytics existed.
  await sql`update players set created_at = now() - random() * interval '90 days', analytics_epoch = 0 where environment_id = ${id}`;
  const properties = `'{"amount":12.5,"drink":"flat white","takeaway":true,"shop":"shop-123","channel":"counter","receipt":"order-12345-123456"}'`;
  for (let pass = 0; pass < 10; pass++)
    await fill(
      `events, ${pass + 1} of 10`,
      `insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at, properties)
       select part, player_id, case when random() < 0.5 then gen_random_uuid() else uuidv7() end, $1, case when random() < 0.5 then $2 else $3 end::int,
         nextval('fact_seq'), at, at, ${properties}
       from (select part, player_id, now() - random() * interval '${DAYS} days' as at from players where environment_id = $1) p`,
      ...[id, order!, visit!],
    );
  const mission = definitions.missions[0]!;
  await fill(
    "completions",
    `insert into mission_completions (part, player_id, occurrence_id, mission_id, occurrence_number, started_at, accepted_at, completed_at,
       environment_id, objectives, rewards)
     select part, player_id, gen_random_uuid(), $2::int + (random() * 40)::int, n, at - interval '1 day', at - interval '1 day', at, $1, '[[1,1]]',
       '[{"kind":"Points","points":10}]'
     from (select part, player_id, n, now() - random() * interval '${DAYS} days' as at from players cross join generate_series(1, 2) n
       where environment_id = $1) p`,
    ...[id, mission.id],
  );
  // The filled history has no funnels: they begin now.
  await sql`update environments set funnels_since = now() where id = ${id}`;
  await fill(
    "points",
    `insert into points_transactions (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, source_definition_id, ordinal, occurred_at)
     select part, player_id, gen_random_uuid(), environment_id, nextval('fact_seq'), 'Grant', 10, 'Mission', occurrence_id, mission_id, 0, completed_at
     from mission_completions where environment_id = $1
     union all
     select part, player_id, gen_random_uuid(), $1, nextval('fact_seq'), 'Spend', -10, 'MarketplacePurchase', gen_random_uuid(), $2, 0,
       now() - random() * interval '${DAYS} days'
     from players where environment_id = $1`,
    ...[id, definitions.listings[0]!.id],
  );
  await fill(
    "balances",
    `insert into balances (part, player_id, balance, total_granted, total_spent) select part, player_id, 10, 20, 10 from players where environment_id = $1`,
    id,
  );
  await fill(
    "purchases",
    `insert into marketplace_purchases (part, player_id, id, environment_id, seq, listing_id, listing_key, round, occurrence_number, name, contents,
       price, purchased_at)
     select part, player_id, source_id, environment_id, nextval('fact_seq'), source_definition_id, 'coffee', '', 0,
       '{"default":"en","texts":{"en":"Coffee"}}', '[]', 10, occurred_at
     from points_transactions where environment_id = $1 and type = 'Spend'`,
    id,
  );
  await fill(
    "attributes",
    `insert into attribute_values (part, player_id, attribute_id, value, occurred_at)
     select part, player_id, $2, to_json((random() * 99)::int), now() from players where environment_id = $1`,
    ...[id, definitions.attributesByKey.get("level")!.id],
  );
  await fill(
    "runs",
    `insert into streak_runs (part, player_id, streak_id, origin, first, last, length, freezes, paid)
     select part, player_id, $2, first, first, first + 2, 3, 0, '{}'
     from (select part, player_id, current_date - (random() * ${DAYS})::int as first from players where environment_id = $1) p`,
    ...[id, definitions.streaks[0]!.id],
  );
  await fill(
    "deliveries",
    `insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at, created_at, status, attempts, due_at)
     select webhook_delivery_id('mission.completed', occurrence_id, $2::uuid, 0), $2::uuid, environment_id, 'mission.completed', occurrence_id, '{}',
       completed_at, completed_at, case when random() < 0.01 then 'Failed' else 'Delivered' end, 1, completed_at
     from mission_completions where environment_id = $1`,
    ...[id, endpointId],
  );
  await fill(
    "attempts",
    `insert into webhook_attempts (delivery_id, number, started_at, duration_ms, response_status)
     select id, 1, created_at, 20, case status when 'Failed' then 500 else 200 end from webhook_deliveries where environment_id = $1`,
    id,
  );
  await fill(
    "attempts by quarter of an hour",
    `insert into analytics_webhooks (environment_id, endpoint_id, quarter, attempts, delivered, retries, latencies)
     select $1, $2::uuid, q, 20, 19, 1, array_fill(1, array[33])
     from generate_series(date_trunc('hour', now()) - interval '${2 * DAYS} days', now(), interval '15 minutes') q`,
    ...[id, endpointId],
  );
  await fill(
    "recent requests and items",
    `with requests as (
       insert into request_log (environment_id, id, at, key_id, method, route, status, code, duration_ms, trace_id, accepted, refused, body_length)
       select $1, uuidv7(make_interval(secs => -n)), now() - make_interval(secs => n), k.id, 'POST', '/v1/events', case when n % 100 = 0 then 422 else 200 end,
         case when n % 100 = 0 then 'validation.failed' end, 3, md5(n::text), 1, 0, 200
       from generate_series(1, ${REQUESTS}) n cross join (select id from api_keys where environment_id = $1 limit 1) k
       returning id, at, key_id, trace_id
     )
     insert into event_tail (environment_id, request_id, position, at, received_at, key_id, trace_id, is_metric, player, event, part, player_id, event_id)
     select $1, r.id, 0, r.at, r.at, r.key_id, r.trace_id, false, p.external_id, 'order_placed', p.part, p.player_id, gen_random_uuid()
     from (select *, row_number() over (order by id desc) as n from requests) r
     join (select *, row_number() over (order by external_id) as n from players where environment_id = $1 order by external_id limit ${ITEMS}) p on p.n = r.n`,
    id,
  );
  const [period] = await sql<{ id: number }[]>`select id from leaderboard_periods where environment_id = ${id}`;
  await fillScores(database, period!.id, "power-law");
}

async function countEverything(database: Database, id: number, players: number, say: Say): Promise<void> {
  const { sql } = database;
  say("counting segments");
  await compareCounts(database);
  await sql`
    insert into segment_members (segment_id, generation, part, player_id)
    select d.id, 1, v.part, v.player_id from definitions d
    join attribute_values v on v.value::text::int > case d.key when 'tenth' then ${SEGMENTS.tenth}::int else ${SEGMENTS.hundredth}::int end
    where d.environment_id = ${id} and d.kind = 'segments'`;
  await sql`
    update segment_counts c set generation = 1, building = 1, players = ${players}, counted_at = now(), as_of = now(), due_at = now() + interval '1 day',
      members = (select count(*) from segment_members m where m.segment_id = c.segment_id)
    where environment_id = ${id}`;
  await sql`vacuum (analyze)`;
  say("counting history");
  await countHistory(database, id, Infinity, () => false);
  await compactAll(database, () => false);
  await takeSnapshots(database, () => false);
  await sql`vacuum (analyze)`;
  await sql`checkpoint`;
}
