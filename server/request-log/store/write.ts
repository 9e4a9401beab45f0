import type { Sql } from "../../../db/client.ts";
import { writeJson } from "../../kernel/json.ts";
import type { Batch } from "../buffer.ts";

/**
 * Writes entries and what they lack, in one statement. Those of a Sandbox that was reset since are left out; one that is being reset at
 * this instant takes them, and nobody sees them (`resets`). Entries that are there already are left as they are.
 */
export async function insertBatch(sql: Sql, { entries, omitted }: Batch): Promise<void> {
  const requests = writeJson(entries.flatMap(({ request }) => request ?? []));
  const items = writeJson(entries.flatMap((entry) => entry.items));
  const lacking = writeJson([...omitted.values()]);
  await sql`
    with environment as materialized (
      select id, resets from environments
    ), request as (
      insert into request_log (environment_id, id, resets, at, key_id, method, route, status, code, duration_ms, trace_id, accepted, refused,
        target, body, body_length, problem)
      select r."environmentId", r.id, r.resets, to_timestamp(r.at / 1000), r."keyId", r.method, r.route, r.status, r.code, r."durationMs",
        r."traceId", r.accepted, r.refused, r.target, r.body, r."bodyLength", r.problem
      from json_to_recordset(${requests}::text::json) as r("environmentId" int, id uuid, resets int, at float8, "keyId" uuid, method text,
        route text, status smallint, code text, "durationMs" real, "traceId" text, accepted int, refused int, target text, body text,
        "bodyLength" int, problem text)
      join environment e on e.id = r."environmentId" and e.resets = r.resets
      on conflict do nothing
    ), item as (
      insert into event_tail (environment_id, request_id, position, resets, at, received_at, key_id, trace_id, is_metric, player, event, part,
        player_id, event_id, code, errors, payload)
      select r."environmentId", r."requestId", r.position, r.resets, to_timestamp(r.at / 1000), to_timestamp(r."receivedAt" / 1000), r."keyId",
        r."traceId", r."isMetric", r.player, r.event, r.part, r."playerId", r."eventId", r.code, r.errors, r.payload
      from json_to_recordset(${items}::text::json) as r("environmentId" int, "requestId" uuid, position smallint, resets int, at float8,
        "receivedAt" float8, "keyId" uuid, "traceId" text, "isMetric" boolean, player text, event text, part smallint, "playerId" uuid,
        "eventId" uuid, code text, errors text, payload text)
      join environment e on e.id = r."environmentId" and e.resets = r.resets
      on conflict do nothing
    )
    insert into request_log_omissions as o (environment_id, minute, resets, successes, errors, accepted_items, refused_items)
    select r."environmentId", date_trunc('minute', now()), r.resets, r.successes, r.errors, r."acceptedItems", r."refusedItems"
    from json_to_recordset(${lacking}::text::json) as r("environmentId" int, resets int, successes bigint, errors bigint,
      "acceptedItems" bigint, "refusedItems" bigint)
    join environment e on e.id = r."environmentId" and e.resets = r.resets
    order by r."environmentId"
    on conflict (environment_id, minute, resets) do update set successes = o.successes + excluded.successes,
      errors = o.errors + excluded.errors, accepted_items = o.accepted_items + excluded.accepted_items,
      refused_items = o.refused_items + excluded.refused_items`;
}
