import type { Transaction } from "#db/client.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import type { GrantEffect, OwedItemEffect, RewardEffect, RewardSource } from "../../model/rules/reward.ts";

/** A player's reward; `id` is derived from player, source and ordinal, so that it is granted once. */
export type RewardRow<Effect = RewardEffect> = Effect & PlayerKey & { environmentId: number; id: string };

export interface WriteOptions {
  /** Grants are cut to the room in the balance; otherwise a grant beyond the room fails the statement. */
  isCut: boolean;
  /** The analytics epoch of all of the players, if this transaction has locked them; null if they differ, or are not locked. */
  epoch: number | null;
}

const WRITERS: {
  [Kind in RewardEffect["kind"]]: (
    tx: Transaction,
    rows: readonly RewardRow<Extract<RewardEffect, { kind: Kind }>>[],
    options: WriteOptions,
  ) => Promise<void>;
} = { grant: writeGrants, owedItem: writeOwedItems };

/** Writes a set of rewards, each once. */
export const writeByKind = (tx: Transaction, rows: readonly RewardRow[], options: WriteOptions) =>
  Promise.all(
    Object.entries(WRITERS).map(([kind, write]) => write(tx, rows.filter((row) => row.kind === kind) as RewardRow<never>[], options)),
  );

/**
 * Writes a set of grants; one that the ledger has already changes nothing. Rows are taken in the order of the key, so that concurrent sets
 * do not deadlock. A balance that would pass 2^53 − 1 makes the statement fail, and with it the caller's transaction; with `isCut` the
 * grant is cut to the room in the balance, so that it does not hold up other players.
 */
async function writeGrants(tx: Transaction, grants: readonly RewardRow<GrantEffect>[], { isCut, epoch }: WriteOptions): Promise<void> {
  if (grants.length === 0) return;
  const rows = grants.map((grant, order) => ({ ...grant, order }));
  await tx`
    select analytics_add_transactions(array_agg(environment_id), array_agg(part), array_agg(player_id), ${epoch}::int, array_agg('Grant'::text),
      array_agg(amount), array_agg(source_type), array_agg(source_definition_id), array_agg(occurred_at))
    from points_grant(${writeJson(rows)}::text::json, ${isCut}::bool) having count(*) > 0`;
}

/**
 * Writes owed items, which the customer's system must fulfil. Each row names the endpoint that is notified, one at most: the same that
 * `enqueueDeliveries` finds, since no subscription changes under the environment's lock.
 */
async function writeOwedItems(tx: Transaction, items: readonly RewardRow<OwedItemEffect>[]): Promise<void> {
  if (items.length === 0) return;
  await tx`
    insert into owed_items
      (part, player_id, id, environment_id, source_type, source_id, ordinal, catalog_item_key, value_type, value, owed_at, endpoint_id)
    select part, "playerId", id, "environmentId", "sourceType", "sourceId", ordinal, "catalogItemKey", "valueType", value,
      to_timestamp("at" / 1000), (select e.id from webhook_endpoints e
        where "isQuiet" is not true and e.environment_id = r."environmentId" and 'catalog_item.fulfillment_requested' = any(e.events))
    from json_to_recordset(${writeJson(items)}::text::json) as r("part" smallint, "playerId" uuid, "id" uuid, "environmentId" int,
      "sourceType" text, "sourceId" uuid, "ordinal" smallint, "catalogItemKey" text, "valueType" text, "value" json, "at" float8,
      "isQuiet" boolean)
    on conflict do nothing`;
}

/** The rewards that sources of a type granted: part, player_id, environment_id, id, source_id and ordinal. */
export const grantedRewards = (tx: Transaction, type: RewardSource["sourceType"]) => tx`
  select part, player_id, environment_id, id, source_id, ordinal from points_transactions where source_type = ${type} and type = 'Grant'
  union all
  select part, player_id, environment_id, id, source_id, ordinal from owed_items where source_type = ${type}`;

/** Joins `r` (part, player_id, source_id, ordinal, and the reward as JSON) to the rows that grant its reward. */
export const joinGranted = (tx: Transaction, type: RewardSource["sourceType"]) => tx`
  left join points_transactions g on g.part = r.part and g.player_id = r.player_id and g.source_type = ${type} and g.source_id = r.source_id
    and g.ordinal = r.ordinal and g.type = 'Grant' and (g.amount = (r.reward ->> 'points')::bigint
      -- Or a grant that was cut to the room in the balance.
      or g.amount < (r.reward ->> 'points')::bigint and g.amount = ${Number.MAX_SAFE_INTEGER}::bigint - (
        select coalesce(sum(s.amount), 0) from points_transactions s where s.part = g.part and s.player_id = g.player_id and s.seq < g.seq))
  left join owed_items o on o.part = r.part and o.player_id = r.player_id and o.source_type = ${type} and o.source_id = r.source_id
    and o.ordinal = r.ordinal and o.catalog_item_key = r.reward ->> 'catalogItemKey'`;

/** Whether `joinGranted` found no row, also for a kind that it does not join. */
export const isUngranted = (tx: Transaction) => tx`
  case r.reward ->> 'kind' when 'Points' then g.id is null when 'CatalogItem' then o.id is null else true end`;
