/** The text about one code, here and in the error reference. */
export interface ErrorDescription {
  /** The HTTP status; 200 for a code that only occurs in the `errors` of an item of a batch. */
  status: number;
  title: string;
  /** The cause, and what to do about it. */
  meaning: string;
  /** Whether the same request may succeed when it is sent again unchanged. */
  retryable?: boolean;
}

/**
 * The closed list of all codes that the public API refuses with. The types, the error reference and the OpenAPI document come from it. A
 * code is never renamed.
 */
export const ERRORS = {
  "request.malformed": {
    status: 400,
    title: "Malformed request",
    meaning: "The body is not JSON in UTF-8. Send one JSON object.",
  },
  "request.too_large": {
    status: 400,
    title: "Request too large",
    meaning: "The body is larger than 4 MiB. Split it into several requests.",
  },
  "request.timeout": {
    status: 408,
    title: "Request too slow",
    meaning:
      "The body had not arrived ten seconds after the headers. The request had no effect and the connection is closed; send it again, in smaller parts where the connection is slow.",
    retryable: true,
  },
  "request.invalid": {
    status: 400,
    title: "Invalid request",
    meaning:
      "A field or a query parameter is missing or has the wrong form, an instant is more than 24 hours ahead of the clock, or a text holds a NUL character or a lone surrogate. Every problem is listed in `errors` with its place: correct each.",
  },
  "auth.api_key_invalid": {
    status: 401,
    title: "Invalid API key",
    meaning: "The Authorization header is missing or malformed, or its key is unknown or revoked. Send `Authorization: Bearer <API key>`.",
  },
  "project_environment.not_found": {
    status: 404,
    title: "Environment not found",
    meaning: "The environment of the API key does not exist, for example because its project was archived. Use a key of another project.",
  },
  "rate_limit.concurrency_exceeded": {
    status: 429,
    title: "Too many concurrent requests",
    meaning:
      "Your organization, Sandbox and Live together, has 16 requests in flight and 8 waiting. The request had no effect; wait as long as `Retry-After` says and send it again.",
    retryable: true,
  },
  "route.not_found": {
    status: 404,
    title: "Route not found",
    meaning: "There is no such path, or it does not take this method. Compare both with the API reference.",
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    meaning:
      "Something went wrong on our side. Send the request again with the same idempotency key; if it keeps failing, tell us the `traceId`.",
    retryable: true,
  },
  "service.unavailable": {
    status: 503,
    title: "Service unavailable",
    meaning: "The service cannot reach its database right now. Wait as long as `Retry-After` says and send the request again.",
    retryable: true,
  },

  "player.external_id_missing": {
    status: 400,
    title: "Player id missing",
    meaning: "The player id is missing or empty. Send your own id of the player.",
  },
  "player.external_id_too_long": {
    status: 400,
    title: "Player id too long",
    meaning: "The player id has more than 200 characters. Use a shorter id.",
  },
  "player.not_found": {
    status: 404,
    title: "Player not found",
    meaning: "This environment has never seen the player. Send an event of theirs or create them with `POST /v1/players` first.",
  },

  "event_batch.empty": {
    status: 400,
    title: "Empty batch",
    meaning: "The batch has no events. Send at least one.",
  },
  "event_batch.too_large": {
    status: 400,
    title: "Batch too large",
    meaning: "The batch has more than 1,000 events; nothing was written. Split it into several requests.",
  },
  "event_batch.concurrent_update": {
    status: 409,
    title: "Concurrent update",
    meaning:
      "Other requests created the same players at the same instant, or players are being deleted, by a reset or an erasure. Nothing was written; send the batch again.",
    retryable: true,
  },
  "event.invalid": {
    status: 200,
    title: "Invalid event",
    meaning:
      "The item is not an object, a field of it has the wrong type, `occurredAt` is more than 24 hours ahead of the clock, or a text holds a NUL character or a lone surrogate. Correct it and send it again.",
  },
  "event.key_missing": {
    status: 200,
    title: "Event key missing",
    meaning: "The item does not say which event happened. Name a defined event in `event`.",
  },
  "event.not_found": {
    status: 200,
    title: "Event not found",
    meaning: "The environment has no event with this key. Define it first, or correct the key.",
  },
  "event.inactive": {
    status: 200,
    title: "Event switched off",
    meaning: "The event is switched off in this environment. Stop sending it, or have it switched on.",
  },
  "event.occurred_at_missing": {
    status: 200,
    title: "Instant missing",
    meaning: "The item does not say when the event happened. Send `occurredAt`.",
  },
  "event.occurred_at_invalid": {
    status: 200,
    title: "Invalid instant",
    meaning:
      "`occurredAt` is not an RFC 3339 timestamp with an offset or `Z`, or lies outside the years 0001 to 9999. Send one such as `2026-01-31T09:00:00Z`.",
  },
  "event.idempotency_key_too_long": {
    status: 200,
    title: "Idempotency key too long",
    meaning: "The idempotency key has more than 200 characters. Use a shorter key.",
  },
  "event.unknown_property": {
    status: 200,
    title: "Unknown property",
    meaning: "The event has no property with this key. Define it first, or leave it out.",
  },
  "event.property_missing": {
    status: 200,
    title: "Property missing",
    meaning: "The event requires a property that the item does not have. Send it.",
  },
  "event.property_type_mismatch": {
    status: 200,
    title: "Wrong type of property",
    meaning: "A property's value is not of the type that the event defines. Send a value of that type.",
  },
  "event.property_value_out_of_range": {
    status: 200,
    title: "Property value out of range",
    meaning: "A number has more than 20 digits before the decimal point or more than 8 after it. Send identifiers as strings.",
  },

  "mission.not_locked_in": {
    status: 404,
    title: "Mission not offered",
    meaning: "The mission was never offered to this player. Read the player's missions first and accept one that is returned.",
  },
  "mission.offer_closed": {
    status: 409,
    title: "Offer closed",
    meaning:
      "The mission's window closed before the player accepted it. It can no longer be accepted: read the missions again for those on offer.",
  },

  "mission_collection.not_found": {
    status: 404,
    title: "Mission collection not found",
    meaning: "There is no mission collection of this key, or it is switched off. Correct the key, or have it switched on.",
  },

  "player_attribute.not_found": {
    status: 400,
    title: "Attribute not found",
    meaning: "The environment has no attribute with this key. Nothing was written; define it first, or correct the key.",
  },
  "player_attribute.inactive": {
    status: 400,
    title: "Attribute switched off",
    meaning: "The attribute is switched off in this environment. Nothing was written; leave it out, or have it switched on.",
  },
  "player_attribute.type_mismatch": {
    status: 400,
    title: "Wrong type of attribute",
    meaning: "A value is not of the type that the attribute is defined with. Nothing was written; send a value of that type.",
  },
  "player_attribute.value_out_of_range": {
    status: 400,
    title: "Attribute value out of range",
    meaning:
      "A number has more than 20 digits before the decimal point or more than 8 after it. Nothing was written; send identifiers as strings.",
  },
  "player_attribute.occurred_at_invalid": {
    status: 400,
    title: "Invalid instant",
    meaning:
      "`occurredAt` is not an RFC 3339 timestamp with an offset or `Z`, or lies outside the years 0001 to 9999. Nothing was written; send one such as `2026-01-31T09:00:00Z`.",
  },

  "metric.not_found": {
    status: 400,
    title: "Metric not found",
    meaning: "The environment has no metric with this key. Define it first, or correct the key.",
  },
  "metric.inactive": {
    status: 400,
    title: "Metric switched off",
    meaning: "The metric is switched off in this environment. Stop sending it, or have it switched on.",
  },
  "metric.currency_code_required": {
    status: 400,
    title: "Currency missing",
    meaning: "The metric is one of money, and the event does not say in which currency. Send `currencyCode`.",
  },
  "metric.currency_code_not_allowed": {
    status: 400,
    title: "Currency not allowed",
    meaning: "The metric is a plain number. Send the event without `currencyCode`.",
  },
  "metric.exchange_rate_not_found": {
    status: 400,
    title: "Exchange rate not found",
    meaning: "There is no rate from this currency to the environment's base currency. Define one, or send `exchangeRate`.",
  },
  "metric.value_out_of_range": {
    status: 400,
    title: "Metric value out of range",
    meaning:
      "The value, what it is in the base currency, or a property has more than 20 digits before the decimal point or more than 8 after it. Send a value within these.",
  },
  "metric.unknown_property": {
    status: 400,
    title: "Unknown property",
    meaning: "The metric has no property with this key. Define it first, or leave it out.",
  },
  "metric.property_type_mismatch": {
    status: 400,
    title: "Wrong type of property",
    meaning: "A property's value is not of the type that the metric defines. Send a value of that type.",
  },
  "metric.idempotency_key_too_long": {
    status: 400,
    title: "Idempotency key too long",
    meaning: "The idempotency key has more than 200 characters. Use a shorter key.",
  },

  "points.insufficient_balance": {
    status: 409,
    title: "Insufficient balance",
    meaning: "The player's balance is too low for this. Nothing was changed; read the balance again and tell the player what is missing.",
  },
  "points.concurrent_update": {
    status: 409,
    title: "Concurrent update",
    meaning: "Another change to the player's points or to the stock interfered. Nothing was changed; send the request again.",
    retryable: true,
  },
  "points_adjustment.amount_invalid": {
    status: 400,
    title: "Invalid amount",
    meaning:
      "The amount is not an integer other than 0, or it, or the balance it leads to, is beyond 9007199254740991. Send a whole number; a negative one takes points.",
  },
  "points_adjustment.reason_missing": {
    status: 400,
    title: "Reason missing",
    meaning: "The adjustment has no reason. Say in `reason` why the balance is changed.",
  },
  "points_adjustment.reason_too_long": {
    status: 400,
    title: "Reason too long",
    meaning: "The reason has more than 500 characters. Shorten it.",
  },
  "points_adjustment.idempotency_key_too_long": {
    status: 400,
    title: "Idempotency key too long",
    meaning: "The idempotency key has more than 200 characters. Use a shorter key.",
  },
  "points_adjustment.idempotency_key_conflict": {
    status: 409,
    title: "Idempotency key already used",
    meaning: "The player's key was used by a purchase or by an adjustment of another amount. Use a new key for a new adjustment.",
  },

  "leaderboard.not_found": {
    status: 404,
    title: "Leaderboard not found",
    meaning:
      "There is no leaderboard of this key, or it is switched off, outside its season or hidden from the player. Read the list of leaderboards for those the player can see.",
  },
  "leaderboard.no_settled_period": {
    status: 404,
    title: "No settled period",
    meaning:
      "No period of the leaderboard has been settled yet, so there are no previous standings. One without periods never has any. Read the current standings instead.",
  },

  "marketplace_item.not_found": {
    status: 404,
    title: "Marketplace item not found",
    meaning:
      "There is no marketplace item of this key. A read answers so too where it is switched off, not on sale now or hidden from the player. Read the shop for what the player can see.",
  },
  "marketplace_item.inactive": {
    status: 409,
    title: "Marketplace item switched off",
    meaning: "The item has been switched off. Nothing was charged; read the shop again.",
  },
  "marketplace_item.not_available": {
    status: 409,
    title: "Not on sale",
    meaning: "The item is not on sale at this instant. Nothing was charged; read the shop again.",
  },
  "marketplace_item.not_eligible": {
    status: 403,
    title: "Not eligible",
    meaning: "The player is not among those who can buy this item. Nothing was charged; read the shop again.",
  },
  "marketplace_item.out_of_stock": {
    status: 409,
    title: "Out of stock",
    meaning: "All units of this round are sold. Nothing was charged; read the shop again.",
  },
  "marketplace_item.purchase_limit_reached": {
    status: 409,
    title: "Purchase limit reached",
    meaning: "The player has bought as many as one player may in this round. Nothing was charged; read the shop again.",
  },
  "marketplace_collection.not_found": {
    status: 404,
    title: "Marketplace collection not found",
    meaning: "There is no marketplace collection of this key, or it is switched off. Correct the key, or have it switched on.",
  },
  "marketplace_purchase.marketplace_item_key_missing": {
    status: 400,
    title: "Item key missing",
    meaning: "The path names no marketplace item. Put its key between `marketplace-items/` and `/purchases`.",
  },
  "marketplace_purchase.marketplace_item_key_too_long": {
    status: 400,
    title: "Item key too long",
    meaning: "The key of the marketplace item in the path has more than 100 characters; none has. Correct the key.",
  },
  "marketplace_purchase.idempotency_key_too_long": {
    status: 400,
    title: "Idempotency key too long",
    meaning: "The idempotency key has more than 200 characters. Use a shorter key.",
  },
  "marketplace_purchase.idempotency_key_conflict": {
    status: 409,
    title: "Idempotency key already used",
    meaning: "The player's key was used by a purchase of another item or by an adjustment. Use a new key for a new purchase.",
  },
} as const satisfies Record<string, ErrorDescription>;

export type ErrorCode = keyof typeof ERRORS;

export const describeError = (code: ErrorCode): ErrorDescription => ERRORS[code];
