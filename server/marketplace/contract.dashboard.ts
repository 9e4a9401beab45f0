import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText } from "../api/contract.dashboard.ts";

/** In UTF-16: an id has at most 200 characters. */
const LONGEST_ID = 400;

const handedOver = z.object({
  catalogItem: z.string(),
  /** As JSON text, digit for digit. */
  value: z.string(),
  /** The delivery of the webhook that tells the customer's system; null where no present endpoint was notified. */
  told: z.object({ endpointId: z.string(), status: z.enum(["Pending", "Held", "Delivered", "Failed"]), attempts: z.int() }).nullable(),
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

export const marketplaceDashboard = {
  /** The units of some listings that were sold in the round that runs now; of one that is not there nothing. */
  sold: forEnvironment("Viewer")
    .input(inEnvironment.extend({ keys: z.array(z.string()).max(200) }))
    .output(z.object({ sold: z.array(z.object({ key: z.string(), units: z.int() })) })),
  /** A player's purchases, the newest first, reversed or not; `next` begins the page after. */
  purchases: forEnvironment("Viewer")
    .input(inEnvironment.extend({ externalId: z.string().min(1).max(LONGEST_ID), cursor, limit: z.int().min(1).max(100).default(10) }))
    .output(z.object({ purchases: z.array(purchase), next: z.string().nullable() })),
  /** Takes a purchase back, once: what was refunded, and the balance with it. */
  reverse: forEnvironment("Support")
    .input(inEnvironment.extend({ purchaseId: z.string(), reason: z.string() }))
    .output(z.object({ refunded: z.number(), balance: z.number() })),
};
