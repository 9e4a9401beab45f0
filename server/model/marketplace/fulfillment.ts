import type { RewardItem } from "../rules/reward.ts";

/** The source of an owed item. */
export interface FulfillmentSource {
  sourceType: string;
  sourceId: string;
}

/** The `data` of catalog_item.fulfillment_requested. */
export const fulfillmentData = (
  playerExternalId: string,
  { catalogItemKey, valueType, value }: RewardItem,
  { sourceType, sourceId }: FulfillmentSource,
) => ({ playerExternalId, catalogItemKey, valueType, value, sourceType, sourceId });
