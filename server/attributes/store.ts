import type { Sql, Transaction } from "../../db/client.ts";
import type { AttributeValueEffect } from "../kernel/effects.ts";
import { writeJson } from "../kernel/json.ts";
import type { AttributeValue } from "../kernel/player.ts";
import type { Scalar } from "../kernel/values.ts";
import type { PlayerKey } from "../players/identity.ts";

/** The attributes that a player has a value for, by attribute id. */
export async function loadAttributes(sql: Sql, { part, playerId }: PlayerKey): Promise<Map<number, AttributeValue>> {
  const rows = await sql<{ attributeId: number; value: Scalar; occurredAt: number }[]>`
    select attribute_id as "attributeId", value, (extract(epoch from occurred_at) * 1000)::bigint as "occurredAt"
    from attribute_values where part = ${part} and player_id = ${playerId}`;
  return new Map(rows.map(({ attributeId, ...value }) => [attributeId, value]));
}

/** Writes values over what players had. One player's attribute stands there once: the last of a fold. */
export async function saveAttributes(tx: Transaction, rows: readonly (PlayerKey & AttributeValueEffect)[]): Promise<void> {
  if (rows.length === 0) return;
  const stored = rows.map((row) => ({ ...row, occurred: row.occurredAt / 1000 }));
  await tx`
    insert into attribute_values (part, player_id, attribute_id, value, occurred_at)
    select part, "playerId", "attributeId", value, to_timestamp(occurred)
    from json_to_recordset(${writeJson(stored)}::text::json) as r("part" smallint, "playerId" uuid, "attributeId" int, "value" json, "occurred" float8)
    on conflict (part, player_id, attribute_id) do update set value = excluded.value, occurred_at = excluded.occurred_at`;
}
