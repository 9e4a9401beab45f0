import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";
import { HANDING_OVER } from "../../model/marketplace/handing-over.ts";

/** In UTF-16: an id has at most 200 characters. */
const LONGEST_ID = 400;

const LONGEST_KEY = 200;

/** The verb says what is wrong with a reason; longer ones are not even read. */
const LONGEST_REASON = 2_000;

const handedOver = z.object({
  catalogItem: z.string(),
  /** As JSON text, digit for digit. */
  value: z.string(),
  /** The delivery of the webhook that tells the customer's system; null where no present endpoint was notified. */
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
  /** The listing's key; the listing may be gone. */
  listing: z.string(),
  /** The listing's name at that time. */
  name: z.string(),
  price: z.number(),
  purchasedAt: instantText,
  /** Counted from 0; what a round is, the listing says. */
  round: z.int(),
  /** The limit at that time; null: none. */
  limitPerPlayer: z.int().nullable(),
  contents: z.array(handedOver),
  reversed: z.object({ at: instantText, reason: z.string() }).nullable(),
});

export type PurchaseSeen = z.output<typeof purchase>;

const listed = purchase.extend({
  /** Null where the player was erased. */
  player: z.object({ externalId: z.string(), displayName: z.string().nullable() }).nullable(),
  /** The worst of what became of its contents. */
  handingOver: z.enum(HANDING_OVER),
  /** Milliseconds to the nearest other purchase of the same listing by the same player, where that is near and neither was reversed. */
  repeatedWithin: z.int().nullable(),
});

export type PurchaseListed = z.output<typeof listed>;

const purchaseFilter = z.object({
  /** The key of a listing, which may be gone. */
  listing: z.string().max(LONGEST_KEY).nullable().default(null),
  /** An external id, all of it. */
  player: z.string().max(LONGEST_ID).nullable().default(null),
  status: z.enum(["Bought", "Reversed"]).nullable().default(null),
  handingOver: z.enum(HANDING_OVER).nullable().default(null),
  /** Only those that may have been charged twice. */
  isRepeated: z.boolean().default(false),
  /** Made from then on, and before; on the environment's clock. */
  from: instantText.nullable().default(null),
  until: instantText.nullable().default(null),
});

export const marketplaceDashboard = {
  /** The units of some listings that were sold in the round that runs now; of one that is not there nothing. */
  sold: forEnvironment("Viewer")
    .input(inEnvironment.extend({ keys: z.array(z.string().max(LONGEST_KEY)).max(200) }))
    .output(z.object({ sold: z.array(z.object({ key: z.string(), units: z.int() })) })),
  /** A player's purchases, the newest first, reversed or not; `next` begins the page after. */
  purchases: forEnvironment("Viewer")
    .input(inEnvironment.extend({ externalId: z.string().min(1).max(LONGEST_ID), cursor, limit: z.int().min(1).max(100).default(10) }))
    .output(z.object({ purchases: z.array(purchase), next: z.string().nullable() })),
  /** All purchases of the environment, the newest first; `next` begins the page after, which there may be although this one is empty. */
  allPurchases: forEnvironment("Viewer")
    .input(inEnvironment.extend({ ...purchaseFilter.shape, cursor, limit: z.int().min(1).max(100).default(50) }))
    .output(z.object({ purchases: z.array(listed), next: z.string().nullable() })),
  /** Takes a purchase back, once: what was refunded, and the balance with it. */
  reverse: forEnvironment("Support")
    .input(inEnvironment.extend({ purchaseId: z.string().max(LONGEST_ID), reason: z.string().max(LONGEST_REASON) }))
    .output(z.object({ refunded: z.number(), balance: z.number() })),
};
