import { instantOf, partsOf } from "./inputs.ts";
import { hasBadText, writeJson } from "../../model/kernel/json.ts";
import { pickText } from "../../model/kernel/texts.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { type ListedPurchase, listPurchases } from "../../game/marketplace/service/all-purchases.ts";
import { type PurchaseCursor, readPurchases, type SeenPurchase } from "../../game/marketplace/service/history.ts";
import { unitsSold } from "../../game/marketplace/service/shop.ts";
import { reversePurchase } from "../../game/marketplace/service/reversal.ts";
import { playerKey } from "../../model/players/identity.ts";
import { z } from "zod";
import { cursor, inEnvironment, instantText, MAX_KEY_LENGTH, MAX_ID_LENGTH, MAX_TEXT_LENGTH } from "../../model/contract/rpc.ts";
import { forEnvironment } from "../access.ts";
import { HANDING_OVER } from "../../model/marketplace/handing-over.ts";

const purchaseFilter = z.object({
  /** The key of a listing, which may be deleted. */
  listing: z.string().max(MAX_KEY_LENGTH).nullable().default(null),
  /** A complete external id. */
  player: z.string().max(MAX_ID_LENGTH).nullable().default(null),
  status: z.enum(["Bought", "Reversed"]).nullable().default(null),
  handingOver: z.enum(HANDING_OVER).nullable().default(null),
  /** Only those that may have been charged twice. */
  isRepeated: z.boolean().default(false),
  /** From `from` (inclusive) to `until`, on the environment's clock. */
  from: instantText.nullable().default(null),
  until: instantText.nullable().default(null),
});

export const marketplaceDashboardProcedures = {
  /** Units of some listings sold in the current round; unknown listings are left out. */
  sold: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({ keys: z.array(z.string().max(MAX_KEY_LENGTH)).max(200) }),
    async ({ keys }, { database, environment, now }) => ({ sold: await unitsSold(database, environment, now, keys) }),
  ),

  /** A player's purchases, newest first, reversed or not; `next` is the cursor of the next page. */
  purchases: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({ externalId: z.string().min(1).max(MAX_ID_LENGTH), cursor, limit: z.int().min(1).max(100).default(10) }),
    async ({ externalId, cursor, limit }, { database, environment }) => {
      const below = cursorOf(cursor);
      // The database cannot store such an id, so it matches no player.
      if (hasBadText(externalId)) return { purchases: [], next: null };
      const { purchases, next } = await readPurchases(database, environment, externalId, below, limit);
      return { purchases: purchases.map(seen), next: cursorAt(next) };
    },
  ),

  /** All purchases of the environment, newest first; `next` is the cursor of the next page, and may be set even if this page is empty. */
  allPurchases: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({ ...purchaseFilter.shape, cursor, limit: z.int().min(1).max(100).default(50) }),
    async (input, { database, environment }) => {
      const { listing: listingKey, player, status, handingOver, isRepeated, from, until, limit } = input;
      const below = cursorOf(input.cursor);
      if (hasBadText(player ?? "") || hasBadText(listingKey ?? "")) return { purchases: [], next: null };
      const { purchases, next } = await listPurchases(
        database,
        environment,
        {
          listingKey,
          player: player === null ? null : playerKey(environment.id, player),
          isReversed: status === null ? null : status === "Reversed",
          from: instantOf(from),
          until: instantOf(until),
        },
        { handingOver, isRepeated },
        below,
        limit,
      );
      return { purchases: purchases.map(listed), next: cursorAt(next) };
    },
  ),

  /** Reverses a purchase, once; returns the refund and the new balance. */
  reverse: forEnvironment("Support", "cheap")(
    inEnvironment.extend({ purchaseId: z.string().max(MAX_ID_LENGTH), reason: z.string().max(MAX_TEXT_LENGTH) }),
    ({ purchaseId, reason }, { database, environment, actor }) => reversePurchase(database, environment, purchaseId, reason, actor),
  ),
};

function cursorOf(cursor: string | null): PurchaseCursor | null {
  const parts = partsOf(cursor, /^(-?\d{1,15}) (\d{1,18})$/);
  return parts && { purchasedAt: Number(parts[0]), seq: Number(parts[1]) };
}

const cursorAt = (next: PurchaseCursor | null): string | null => (next === null ? null : `${next.purchasedAt} ${next.seq}`);

const seen = ({ handedOver, reversedAt, reversalReason, ...purchase }: SeenPurchase) => ({
  id: purchase.id,
  listing: purchase.listingKey,
  name: pickText(purchase.name, null),
  price: purchase.price,
  purchasedAt: formatInstant(purchase.purchasedAt),
  round: purchase.occurrenceNumber,
  limitPerPlayer: purchase.limitPerPlayer,
  contents: handedOver.map(({ catalogItemKey, value, notification }) => ({
    catalogItem: catalogItemKey,
    value: writeJson(value),
    notification,
  })),
  reversed: reversedAt === null ? null : { at: formatInstant(reversedAt), reason: reversalReason ?? "" },
});

function listed({ externalId, displayName, handingOver, sinceLast, untilNext, ...purchase }: ListedPurchase) {
  const gaps = [sinceLast, untilNext].filter((gap) => gap !== null);
  return {
    ...seen(purchase),
    player: externalId === null ? null : { externalId, displayName },
    handingOver,
    repeatedWithin: gaps.length === 0 ? null : Math.min(...gaps),
  };
}
