import type { Transaction } from "../../db/client.ts";
import { writeJson } from "../kernel/json.ts";
import type { ScalarType, Scalar } from "../kernel/values.ts";
import type { PlayerKey } from "../players/identity.ts";

/** An external reward that the customer's system has to hand over (api.md 1, 6.3). */
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
}

/** Writes what is owed; the id is derived from the source, so that nothing is owed twice. */
export async function writeOwedItems(tx: Transaction, items: readonly OwedItem[]): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map((item) => ({ ...item, owedAt: item.owedAt / 1000 }));
  await tx`
    insert into owed_items (part, player_id, id, environment_id, source_type, source_id, ordinal, catalog_item_key, value_type, value, owed_at)
    select part, "playerId", id, "environmentId", "sourceType", "sourceId", ordinal, "catalogItemKey", "valueType", value, to_timestamp("owedAt")
    from json_to_recordset(${writeJson(rows)}::text::json) as r("part" smallint, "playerId" uuid, "id" uuid, "environmentId" int,
      "sourceType" text, "sourceId" uuid, "ordinal" smallint, "catalogItemKey" text, "valueType" text, "value" json, "owedAt" float8)
    on conflict do nothing`;
}
