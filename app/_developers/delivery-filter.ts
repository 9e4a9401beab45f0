import type { Scope } from "../_client/scope.ts";

export const STATUSES = ["Pending", "Held", "Delivered", "Failed"] as const;
export type Status = (typeof STATUSES)[number];

/** What deliveries are looked through for; null is everything. */
export interface DeliveryFilter {
  status: Status | null;
  event: string | null;
  /** The endpoint's id. */
  endpoint: string | null;
  /** The player's id. */
  player: string | null;
  /** RFC 3339: when they were written. */
  from: string | null;
  until: string | null;
}

const NAMES = ["status", "event", "endpoint", "player", "from", "until"] as const;

export const EVERYTHING: DeliveryFilter = { status: null, event: null, endpoint: null, player: null, from: null, until: null };

const LONGEST = 300;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What an address says, so that a list can be sent to somebody. What it cannot mean is left out. */
export function deliveryFilterFrom(parameters: Record<string, string | string[] | undefined>): DeliveryFilter {
  const text = (name: (typeof NAMES)[number]): string | null => {
    const value = parameters[name];
    return typeof value === "string" && value !== "" ? value.slice(0, LONGEST) : null;
  };
  const instant = (value: string | null) => (value === null || Number.isNaN(Date.parse(value)) ? null : value);
  return {
    status: STATUSES.find((status) => status === text("status")) ?? null,
    event: text("event")?.slice(0, 100) ?? null,
    endpoint: UUID.test(text("endpoint") ?? "") ? text("endpoint") : null,
    player: text("player"),
    from: instant(text("from")),
    until: instant(text("until")),
  };
}

export function deliveryQueryOf(filter: Partial<DeliveryFilter>): string {
  const query = new URLSearchParams(NAMES.flatMap((name) => (filter[name] == null ? [] : [[name, filter[name]]])));
  return query.size === 0 ? "" : `?${query}`;
}

/** A delivery and its endpoint, by their ids. */
export interface OpenedDelivery {
  endpointId: string;
  deliveryId: string;
}

/** The delivery that an address opens: `?delivery=<endpoint>.<delivery>`. */
export function openedFrom({ delivery }: Record<string, string | string[] | undefined>): OpenedDelivery | null {
  const [endpointId = "", deliveryId = ""] = typeof delivery === "string" ? delivery.split(".") : [];
  return UUID.test(endpointId) && UUID.test(deliveryId) ? { endpointId, deliveryId } : null;
}

export const isDeliveryFilter = (filter: DeliveryFilter): boolean => NAMES.some((name) => filter[name] !== null);

/** The input of the call that reads a page; the server asks for the first one with the same. */
export const deliveriesInput = (scope: Scope, { endpoint, ...filter }: DeliveryFilter, cursor: string | null) => ({
  ...scope,
  ...filter,
  id: endpoint,
  cursor,
});
