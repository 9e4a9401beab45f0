import type { Transaction } from "#db/client.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { Scalar, ScalarType } from "../../model/kernel/values.ts";
import type { PlayerKey } from "../../model/players/identity.ts";

/** An external reward that the customer's system must fulfil. */
export interface OwedItem extends PlayerKey {
  id: string;
  environmentId: number;
  sourceType: string;
  sourceId: string;
  ordinal: number;
  catalogItemKey: string;
  valueType: ScalarType | "Collection";
  value: Scalar | readonly Scalar[];
  /** On the environment's clock. */
  owedAt: number;
  /** No endpoint is notified. */
  isQuiet?: boolean;
}

/**
 * Writes owed items. The id is derived from the source, so that nothing is owed twice. Each row names the endpoint that is notified, one
 * at most: the same that `enqueueDeliveries` finds, since no subscription changes under the environment's lock.
 */
export async function writeOwedItems(tx: Transaction, items: readonly OwedItem[]): Promise<void> {
  if (items.length === 0) return;
  await tx`
    insert into owed_items
      (part, player_id, id, environment_id, source_type, source_id, ordinal, catalog_item_key, value_type, value, owed_at, endpoint_id)
    select part, "playerId", id, "environmentId", "sourceType", "sourceId", ordinal, "catalogItemKey", "valueType", value,
      to_timestamp("owedAt" / 1000), (select e.id from webhook_endpoints e
        where "isQuiet" is not true and e.environment_id = r."environmentId" and 'catalog_item.fulfillment_requested' = any(e.events))
    from json_to_recordset(${writeJson(items)}::text::json) as r("part" smallint, "playerId" uuid, "id" uuid, "environmentId" int,
      "sourceType" text, "sourceId" uuid, "ordinal" smallint, "catalogItemKey" text, "valueType" text, "value" json, "owedAt" float8,
      "isQuiet" boolean)
    on conflict do nothing`;
}
