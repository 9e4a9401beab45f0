import type { Sql } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { LogBatch } from "#server/model/request-log/buffer.ts";

/**
 * Writes entries and omission counts in one statement. It locks the players of their environments, so a reset or an erasure deletes all of
 * them or finds none. Entries from before or during one are left out, and so is content that is no longer kept. Existing entries stay as
 * they are.
 */
export async function insertBatch(sql: Sql, { entries, omitted }: LogBatch): Promise<void> {
  const requests = writeJson(entries.flatMap(({ request }) => request ?? []));
  const items = writeJson(entries.flatMap((entry) => entry.items));
  const lacking = writeJson([...omitted.values()]);
  const environments = writeJson(environmentsOf({ entries, omitted }));
  await sql`
    with environment as materialized (
      select e.id, k.resets, coalesce(e.keeps_bodies, e.kind = 'sandbox') as keeps
      from json_to_recordset(${environments}::text::json) as k("environmentId" int, resets int)
      join environments e on e.id = k."environmentId"
      where hold_known_players(k."environmentId", k.resets)
    ), request as (
      insert into request_log (environment_id, id, at, key_id, method, route, status, code, duration_ms, trace_id, accepted, refused,
        target, body, body_length, problem)
      select r."environmentId", r.id, to_timestamp(r.at / 1000), r."keyId", r.method, r.route, r.status, r.code, r."durationMs",
        r."traceId", r.accepted, r.refused, case when e.keeps then r.target end, case when e.keeps then r.body end, r."bodyLength", r.problem
      from json_to_recordset(${requests}::text::json) as r("environmentId" int, id uuid, resets int, at float8, "keyId" uuid, method text,
        route text, status smallint, code text, "durationMs" real, "traceId" text, accepted int, refused int, target text, body text,
        "bodyLength" int, problem text)
      join environment e on e.id = r."environmentId" and e.resets = r.resets
      on conflict do nothing
    ), item as (
      insert into event_tail (environment_id, request_id, position, at, received_at, key_id, trace_id, is_metric, player, event, part,
        player_id, event_id, code, errors, payload)
      select r."environmentId", r."requestId", r.position, to_timestamp(r.at / 1000), to_timestamp(r."receivedAt" / 1000), r."keyId",
        r."traceId", r."isMetric", r.player, r.event, r.part, r."playerId", r."eventId", r.code, r.errors,
        case when e.keeps then r.payload end
      from json_to_recordset(${items}::text::json) as r("environmentId" int, "requestId" uuid, position smallint, resets int, at float8,
        "receivedAt" float8, "keyId" uuid, "traceId" text, "isMetric" boolean, player text, event text, part smallint, "playerId" uuid,
        "eventId" uuid, code text, errors text, payload text)
      join environment e on e.id = r."environmentId" and e.resets = r.resets
      on conflict do nothing
    )
    insert into request_log_omissions as o (environment_id, minute, successes, errors, accepted_items, refused_items)
    select r."environmentId", date_trunc('minute', now()), r.successes, r.errors, r."acceptedItems", r."refusedItems"
    from json_to_recordset(${lacking}::text::json) as r("environmentId" int, resets int, successes bigint, errors bigint,
      "acceptedItems" bigint, "refusedItems" bigint)
    join environment e on e.id = r."environmentId" and e.resets = r.resets
    order by r."environmentId"
    on conflict (environment_id, minute) do update set successes = o.successes + excluded.successes,
      errors = o.errors + excluded.errors, accepted_items = o.accepted_items + excluded.accepted_items,
      refused_items = o.refused_items + excluded.refused_items`;
}

/** The environments of these entries, each with the reset counts under which they began. */
function environmentsOf({ entries, omitted }: LogBatch): { environmentId: number; resets: number }[] {
  const rows = [...entries.flatMap(({ request, items }) => request ?? items[0] ?? []), ...omitted.values()];
  const named = rows.map(({ environmentId, resets }) => [`${environmentId} ${resets}`, { environmentId, resets }] as const);
  return [...new Map(named).values()];
}
