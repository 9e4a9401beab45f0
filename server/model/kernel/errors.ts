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

const refused = (status: number, title: string, meaning: string): ErrorDescription => ({ status, title, meaning });

const retryable = (...of: Parameters<typeof refused>): ErrorDescription => ({ ...refused(...of), retryable: true });

/**
 * The closed list of all codes that the public API refuses with. The types, the error reference and the OpenAPI document come from it. A
 * code is never renamed.
 */
export const ERRORS = {
  "request.malformed": refused(400, "Malformed request", "The body is not JSON in UTF-8. Send one JSON object."),
  "request.too_large": refused(400, "Request too large", "The body is larger than 4 MiB. Split it into several requests."),
  "request.timeout": retryable(
    408,
    "Request too slow",
    "The body had not arrived ten seconds after the headers. The request had no effect and the connection is closed; send it again, in smaller parts where the connection is slow.",
  ),
  "request.invalid": refused(
    400,
    "Invalid request",
    "A field or a query parameter is missing or has the wrong form, an instant is more than 24 hours ahead of the clock, or a text holds a NUL character or a lone surrogate. Every problem is listed in `errors` with its place: correct each.",
  ),
  "auth.api_key_invalid": refused(
    401,
    "Invalid API key",
    "The Authorization header is missing or malformed, or its key is unknown or revoked. Send `Authorization: Bearer <API key>`.",
  ),
  "project_environment.not_found": refused(
    404,
    "Environment not found",
    "The environment of the API key does not exist, for example because its project was archived. Use a key of another project.",
  ),
  "rate_limit.concurrency_exceeded": retryable(
    429,
    "Too many concurrent requests",
    "Your organization, Sandbox and Live together, has 16 requests in flight and 8 waiting. The request had no effect; wait as long as `Retry-After` says and send it again.",
  ),
  "route.not_found": refused(
    404,
    "Route not found",
    "There is no such path, or it does not take this method. Compare both with the API reference.",
  ),
  internal_error: retryable(
    500,
    "Internal error",
    "Something went wrong on our side. Send the request again with the same idempotency key; if it keeps failing, tell us the `traceId`.",
  ),
  "service.unavailable": retryable(
    503,
    "Service unavailable",
    "The service cannot reach its database right now. Wait as long as `Retry-After` says and send the request again.",
  ),

  "player.external_id_missing": refused(400, "Player id missing", "The player id is missing or empty. Send your own id of the player."),
  "player.external_id_too_long": refused(400, "Player id too long", "The player id has more than 200 characters. Use a shorter id."),
  "player.not_found": refused(
    404,
    "Player not found",
    "This environment has never seen the player. Send an event of theirs or create them with `POST /v1/players` first.",
  ),

  "event_batch.empty": refused(400, "Empty batch", "The batch has no events. Send at least one."),
  "event_batch.too_large": refused(
    400,
    "Batch too large",
    "The batch has more than 1,000 events; nothing was written. Split it into several requests.",
  ),
  "event_batch.concurrent_update": retryable(
    409,
    "Concurrent update",
    "Other requests created the same players at the same instant, or players are being deleted, by a reset or an erasure. Nothing was written; send the batch again.",
  ),
  "event.invalid": refused(
    200,
    "Invalid event",
    "The item is not an object, a field of it has the wrong type, `occurredAt` is more than 24 hours ahead of the clock, or a text holds a NUL character or a lone surrogate. Correct it and send it again.",
  ),
  "event.key_missing": refused(200, "Event key missing", "The item does not say which event happened. Name a defined event in `event`."),
  "event.not_found": refused(200, "Event not found", "The environment has no event with this key. Define it first, or correct the key."),
  "event.inactive": refused(
    200,
    "Event switched off",
    "The event is switched off in this environment. Stop sending it, or have it switched on.",
  ),
  "event.occurred_at_missing": refused(200, "Instant missing", "The item does not say when the event happened. Send `occurredAt`."),
  "event.occurred_at_invalid": refused(
    200,
    "Invalid instant",
    "`occurredAt` is not an RFC 3339 timestamp with an offset or `Z`, or lies outside the years 0001 to 9999. Send one such as `2026-01-31T09:00:00Z`.",
  ),
  "event.idempotency_key_too_long": refused(
    200,
    "Idempotency key too long",
    "The idempotency key has more than 200 characters. Use a shorter key.",
  ),
  "event.unknown_property": refused(200, "Unknown property", "The event has no property with this key. Define it first, or leave it out."),
  "event.property_missing": refused(200, "Property missing", "The event requires a property that the item does not have. Send it."),
  "event.property_type_mismatch": refused(
    200,
    "Wrong type of property",
    "A property's value is not of the type that the event defines. Send a value of that type.",
  ),
  "event.property_value_out_of_range": refused(
    200,
    "Property value out of range",
    "A number has more than 20 digits before the decimal point or more than 8 after it. Send identifiers as strings.",
  ),

  "mission.not_locked_in": refused(
    404,
    "Mission not offered",
    "The mission was never offered to this player. Read the player's missions first and accept one that is returned.",
  ),
  "mission.offer_closed": refused(
    409,
    "Offer closed",
    "The mission's window closed before the player accepted it. It can no longer be accepted: read the missions again for those on offer.",
  ),

  "mission_collection.not_found": refused(
    404,
    "Mission collection not found",
    "There is no mission collection of this key, or it is switched off. Correct the key, or have it switched on.",
  ),

  "player_attribute.not_found": refused(
    400,
    "Attribute not found",
    "The environment has no attribute with this key. Nothing was written; define it first, or correct the key.",
  ),
  "player_attribute.inactive": refused(
    400,
    "Attribute switched off",
    "The attribute is switched off in this environment. Nothing was written; leave it out, or have it switched on.",
  ),
  "player_attribute.type_mismatch": refused(
    400,
    "Wrong type of attribute",
    "A value is not of the type that the attribute is defined with. Nothing was written; send a value of that type.",
  ),
  "player_attribute.value_out_of_range": refused(
    400,
    "Attribute value out of range",
    "A number has more than 20 digits before the decimal point or more than 8 after it. Nothing was written; send identifiers as strings.",
  ),
  "player_attribute.occurred_at_invalid": refused(
    400,
    "Invalid instant",
    "`occurredAt` is not an RFC 3339 timestamp with an offset or `Z`, or lies outside the years 0001 to 9999. Nothing was written; send one such as `2026-01-31T09:00:00Z`.",
  ),

  "metric.not_found": refused(400, "Metric not found", "The environment has no metric with this key. Define it first, or correct the key."),
  "metric.inactive": refused(
    400,
    "Metric switched off",
    "The metric is switched off in this environment. Stop sending it, or have it switched on.",
  ),
  "metric.currency_code_required": refused(
    400,
    "Currency missing",
    "The metric is one of money, and the event does not say in which currency. Send `currencyCode`.",
  ),
  "metric.currency_code_not_allowed": refused(
    400,
    "Currency not allowed",
    "The metric is a plain number. Send the event without `currencyCode`.",
  ),
  "metric.exchange_rate_not_found": refused(
    400,
    "Exchange rate not found",
    "There is no rate from this currency to the environment's base currency. Define one, or send `exchangeRate`.",
  ),
  "metric.value_out_of_range": refused(
    400,
    "Metric value out of range",
    "The value, what it is in the base currency, or a property has more than 20 digits before the decimal point or more than 8 after it. Send a value within these.",
  ),
  "metric.unknown_property": refused(
    400,
    "Unknown property",
    "The metric has no property with this key. Define it first, or leave it out.",
  ),
  "metric.property_type_mismatch": refused(
    400,
    "Wrong type of property",
    "A property's value is not of the type that the metric defines. Send a value of that type.",
  ),
  "metric.idempotency_key_too_long": refused(
    400,
    "Idempotency key too long",
    "The idempotency key has more than 200 characters. Use a shorter key.",
  ),

  "points.insufficient_balance": refused(
    409,
    "Insufficient balance",
    "The player's balance is too low for this. Nothing was changed; read the balance again and tell the player what is missing.",
  ),
  "points.concurrent_update": retryable(
    409,
    "Concurrent update",
    "Another change to the player's points or to the stock interfered. Nothing was changed; send the request again.",
  ),
  "points_adjustment.amount_invalid": refused(
    400,
    "Invalid amount",
    "The amount is not an integer other than 0, or it, or the balance it leads to, is beyond 9007199254740991. Send a whole number; a negative one takes points.",
  ),
  "points_adjustment.reason_missing": refused(
    400,
    "Reason missing",
    "The adjustment has no reason. Say in `reason` why the balance is changed.",
  ),
  "points_adjustment.reason_too_long": refused(400, "Reason too long", "The reason has more than 500 characters. Shorten it."),
  "points_adjustment.idempotency_key_too_long": refused(
    400,
    "Idempotency key too long",
    "The idempotency key has more than 200 characters. Use a shorter key.",
  ),
  "points_adjustment.idempotency_key_conflict": refused(
    409,
    "Idempotency key already used",
    "The player's key was used by a purchase or by an adjustment of another amount. Use a new key for a new adjustment.",
  ),

  "leaderboard.not_found": refused(
    404,
    "Leaderboard not found",
    "There is no leaderboard of this key, or it is switched off, outside its season or hidden from the player. Read the list of leaderboards for those the player can see.",
  ),
  "leaderboard.no_settled_period": refused(
    404,
    "No settled period",
    "No period of the leaderboard has been settled yet, so there are no previous standings. One without periods never has any. Read the current standings instead.",
  ),

  "marketplace_item.not_found": refused(
    404,
    "Marketplace item not found",
    "There is no marketplace item of this key. A read answers so too where it is switched off, not on sale now or hidden from the player. Read the shop for what the player can see.",
  ),
  "marketplace_item.inactive": refused(
    409,
    "Marketplace item switched off",
    "The item has been switched off. Nothing was charged; read the shop again.",
  ),
  "marketplace_item.not_available": refused(
    409,
    "Not on sale",
    "The item is not on sale at this instant. Nothing was charged; read the shop again.",
  ),
  "marketplace_item.not_eligible": refused(
    403,
    "Not eligible",
    "The player is not among those who can buy this item. Nothing was charged; read the shop again.",
  ),
  "marketplace_item.out_of_stock": refused(
    409,
    "Out of stock",
    "All units of this round are sold. Nothing was charged; read the shop again.",
  ),
  "marketplace_item.purchase_limit_reached": refused(
    409,
    "Purchase limit reached",
    "The player has bought as many as one player may in this round. Nothing was charged; read the shop again.",
  ),
  "marketplace_collection.not_found": refused(
    404,
    "Marketplace collection not found",
    "There is no marketplace collection of this key, or it is switched off. Correct the key, or have it switched on.",
  ),
  "marketplace_purchase.marketplace_item_key_missing": refused(
    400,
    "Item key missing",
    "The path names no marketplace item. Put its key between `marketplace-items/` and `/purchases`.",
  ),
  "marketplace_purchase.marketplace_item_key_too_long": refused(
    400,
    "Item key too long",
    "The key of the marketplace item in the path has more than 100 characters; none has. Correct the key.",
  ),
  "marketplace_purchase.idempotency_key_too_long": refused(
    400,
    "Idempotency key too long",
    "The idempotency key has more than 200 characters. Use a shorter key.",
  ),
  "marketplace_purchase.idempotency_key_conflict": refused(
    409,
    "Idempotency key already used",
    "The player's key was used by a purchase of another item or by an adjustment. Use a new key for a new purchase.",
  ),
};

export type ErrorCode = keyof typeof ERRORS;

export const describeError = (code: ErrorCode): ErrorDescription => ERRORS[code];
