import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";
import { HANDING_OVER } from "../../model/marketplace/handing-over.ts";

/** In UTF-16: an id has at most 200 characters. */
const MAX_ID_LENGTH = 400;

const MAX_KEY_LENGTH = 200;

/** The verb validates a reason; the contract only rejects excessive lengths. */
const MAX_REASON_LENGTH = 2_000;

const handedOver = z.object({
  catalogItem: z.string(),
  /** As JSON text, digit for digit. */
  value: z.string(),
  /** The delivery of the fulfillment webhook; null if no existing endpoint was notified. */
  told: z
    .object({
      endpointId: z.string(),
      deliveryId: z.string(),
      status: z.enum(["Pending", "Held", "Delivered", "Failed"]),
      attempts: z.int(),
    })
    .nullable(),
});

const purchase = z.object({
  id: z.string(),
  /** The listing's key; the listing may be deleted. */
  listing: z.string(),
  /** The listing's name at that time. */
  name: z.string(),
  price: z.number(),
  purchasedAt: instantText,
  /** Counted from 0; the listing defines its rounds. */
  round: z.int(),
  /** The limit at that time; null: none. */
  limitPerPlayer: z.int().nullable(),
  contents: z.array(handedOver),
  reversed: z.object({ at: instantText, reason: z.string() }).nullable(),
});

export type PurchaseSeen = z.output<typeof purchase>;

const listed = purchase.extend({
  /** Null for an erased player. */
  player: z.object({ externalId: z.string(), displayName: z.string().nullable() }).nullable(),
  /** The worst status among its contents. */
  handingOver: z.enum(HANDING_OVER),
  /** Milliseconds to the nearest other purchase of the same listing by the same player, if that is close and neither was reversed. */
  repeatedWithin: z.int().nullable(),
});

export type PurchaseListed = z.output<typeof listed>;

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

export const marketplaceDashboard = {
  /** Units of some listings sold in the current round; unknown listings are left out. */
  sold: forEnvironment("Viewer")
    .input(inEnvironment.extend({ keys: z.array(z.string().max(MAX_KEY_LENGTH)).max(200) }))
    .output(z.object({ sold: z.array(z.object({ key: z.string(), units: z.int() })) })),
  /** A player's purchases, newest first, reversed or not; `next` is the cursor of the next page. */
  purchases: forEnvironment("Viewer")
    .input(inEnvironment.extend({ externalId: z.string().min(1).max(MAX_ID_LENGTH), cursor, limit: z.int().min(1).max(100).default(10) }))
    .output(z.object({ purchases: z.array(purchase), next: z.string().nullable() })),
  /** All purchases of the environment, newest first; `next` is the cursor of the next page, and may be set even if this page is empty. */
  allPurchases: forEnvironment("Viewer")
    .input(inEnvironment.extend({ ...purchaseFilter.shape, cursor, limit: z.int().min(1).max(100).default(50) }))
    .output(z.object({ purchases: z.array(listed), next: z.string().nullable() })),
  /** Reverses a purchase, once; returns the refund and the new balance. */
  reverse: forEnvironment("Support")
    .input(inEnvironment.extend({ purchaseId: z.string().max(MAX_ID_LENGTH), reason: z.string().max(MAX_REASON_LENGTH) }))
    .output(z.object({ refunded: z.number(), balance: z.number() })),
};
