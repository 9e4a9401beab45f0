import { instantOf, oneOf, type Parameters, queryOf, textOf, uuidOf } from "../../client/parameters.ts";
import type { Scope } from "../../client/scope.ts";

export const STATUSES = ["Pending", "Held", "Delivered", "Failed"] as const;
export type Status = (typeof STATUSES)[number];

/** Filter state; null is no filter. */
export interface DeliveryFilter {
  status: Status | null;
  event: string | null;
  /** The endpoint's id. */
  endpoint: string | null;
  /** The player's id. */
  player: string | null;
  /** RFC 3339: when they were created. */
  from: string | null;
  until: string | null;
}

const NAMES = ["status", "event", "endpoint", "player", "from", "until"] as const;

export const EVERYTHING: DeliveryFilter = { status: null, event: null, endpoint: null, player: null, from: null, until: null };

/** Filter state from the URL, so that lists can be shared. Invalid values are ignored. */
export const deliveryFilterFrom = (parameters: Parameters): DeliveryFilter => ({
  status: oneOf(STATUSES, parameters["status"]),
  event: textOf(parameters["event"])?.slice(0, 100) ?? null,
  endpoint: uuidOf(parameters["endpoint"]),
  player: textOf(parameters["player"]),
  from: instantOf(parameters["from"]),
  until: instantOf(parameters["until"]),
});

export const deliveryQueryOf = (filter: Partial<DeliveryFilter>): string => queryOf(NAMES, filter);

/** A delivery and its endpoint, by their ids. */
export interface OpenedDelivery {
  endpointId: string;
  deliveryId: string;
}

/** The delivery that an address opens: `?delivery=<endpoint>.<delivery>`. */
export function openedFrom({ delivery }: Parameters): OpenedDelivery | null {
  const [endpointId = "", deliveryId = ""] = typeof delivery === "string" ? delivery.split(".") : [];
  return uuidOf(endpointId) !== null && uuidOf(deliveryId) !== null ? { endpointId, deliveryId } : null;
}

export const isDeliveryFilter = (filter: DeliveryFilter): boolean => NAMES.some((name) => filter[name] !== null);

/** The input of the page query; the server prefetches the first page with the same. */
export const deliveriesInput = (scope: Scope, { endpoint, ...filter }: DeliveryFilter, cursor: string | null) => ({
  ...scope,
  ...filter,
  id: endpoint,
  cursor,
});
