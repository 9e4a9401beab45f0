import type { Sql, Transaction } from "#db/client.ts";
import { arrayText } from "../../model/kernel/stored.ts";
import type { AttributeValueEffect } from "../../model/rules/effects.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { AttributeValue } from "../../model/kernel/player.ts";
import type { Scalar } from "../../model/kernel/values.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import { keyRows } from "./players.ts";

/** A player's attribute values, by attribute id. */
export async function loadAttributes(sql: Sql, { part, playerId }: PlayerKey): Promise<Map<number, AttributeValue>> {
  const rows = await sql<{ attributeId: number; value: Scalar; occurredAt: number }[]>`
    select attribute_id, value, occurred_at
    from attribute_values where part = ${part} and player_id = ${playerId}`;
  return new Map(rows.map(({ attributeId, ...value }) => [attributeId, value]));
}

/** Replaces values of players. Each attribute of a player occurs once: its last value in a fold. */
export async function saveAttributes(tx: Transaction, rows: readonly (PlayerKey & AttributeValueEffect)[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into attribute_values (part, player_id, attribute_id, value, occurred_at, seq)
    select part, "playerId", "attributeId", value, to_timestamp("occurredAt" / 1000), seq
    from json_to_recordset(${writeJson(rows)}::text::json)
      as r("part" smallint, "playerId" uuid, "attributeId" int, "value" json, "occurredAt" float8, "seq" bigint)
    on conflict (part, player_id, attribute_id) do update set value = excluded.value, occurred_at = excluded.occurred_at, seq = excluded.seq`;
}

/** A player's value, with the position of the fact that set it. */
export interface HeldValue extends AttributeValue {
  attributeId: number;
  seq: number;
}

/** The players of an environment, a page at a time in the order of their external ids, and whether they have a value for an attribute. */
export const holdersAfter = (
  sql: Sql,
  environmentId: number,
  attributeId: number,
  externalId: string,
  limit: number,
): Promise<(PlayerKey & { externalId: string; holds: boolean })[]> =>
  sql<(PlayerKey & { externalId: string; holds: boolean })[]>`
    select p.part, p.player_id, p.external_id, a.part is not null as holds
    from players p
    left join attribute_values a on a.part = p.part and a.player_id = p.player_id and a.attribute_id = ${attributeId}
    where p.environment_id = ${environmentId} and p.external_id > ${externalId} order by p.external_id limit ${limit}`.execute();

/** Some players' values of some attributes, by player id. */
export async function loadHeldValues(
  sql: Sql,
  players: readonly PlayerKey[],
  attributeIds: readonly number[],
): Promise<Map<string, HeldValue[]>> {
  const rows = await sql<(HeldValue & { playerId: string })[]>`
    select a.player_id, a.attribute_id, a.value, a.occurred_at, a.seq
    from ${keyRows(sql, players)} k
    join attribute_values a on a.part = k.part and a.player_id = k.player_id and a.attribute_id = any(${arrayText(attributeIds)}::text::int[])`;
  return Map.groupBy(rows, ({ playerId }) => playerId);
}
