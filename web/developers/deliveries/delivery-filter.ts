import { addressOf, instant, oneOf, type Scope, type StateOf, textUpTo, uuid, uuidPair } from "../../client/address.ts";

export const DELIVERY_STATUSES = ["Pending", "Held", "Delivered", "Failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Filters by ids of endpoint and player, and by when a delivery was created. `delivery` is the open one: `<endpoint>.<delivery>`. */
export const DELIVERIES = addressOf(
  {
    status: oneOf(DELIVERY_STATUSES),
    event: textUpTo(100),
    endpoint: uuid,
    player: textUpTo(300),
    from: instant,
    until: instant,
    delivery: uuidPair,
  },
  "delivery",
);

export type DeliveryFilter = StateOf<typeof DELIVERIES>;

/** The input of the page query; the server prefetches the first page with the same. */
export const deliveriesInput = (scope: Scope, { endpoint, delivery: _, ...filter }: DeliveryFilter, cursor: string | null) => ({
  ...scope,
  ...filter,
  id: endpoint,
  cursor,
});
