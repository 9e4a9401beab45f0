import type { DashboardClient } from "#server/api/dashboard.ts";
import { instantOf, oneOf, type Parameters, queryOf, textOf, uuidOf } from "../../client/parameters.ts";
import type { Scope } from "../../client/scope.ts";

export type Request = Awaited<ReturnType<DashboardClient["requestLog"]["list"]>>["requests"][number];
export type Item = Awaited<ReturnType<DashboardClient["events"]["tail"]>>["items"][number];
export type Explained = NonNullable<Awaited<ReturnType<DashboardClient["events"]["explain"]>>>;

/** Filter state of the request log; null is no filter. */
export interface RequestFilter {
  keyId: string | null;
  /** "GET /v1/points". */
  endpoint: string | null;
  status: "success" | "refused" | "4xx" | "5xx" | null;
  code: string | null;
  /** RFC 3339. */
  from: string | null;
  until: string | null;
  /** The open request. */
  request: string | null;
}

/** Filter state of the event tail. */
export interface EventFilter {
  player: string | null;
  event: string | null;
  keyId: string | null;
  outcome: "Accepted" | "Refused" | "Quarantined" | null;
  code: string | null;
}

const REQUEST_NAMES = ["keyId", "endpoint", "status", "code", "from", "until", "request"] as const;
const EVENT_NAMES = ["player", "event", "keyId", "outcome", "code"] as const;
const STATUSES = ["success", "refused", "4xx", "5xx"] as const;
const OUTCOMES = ["Accepted", "Refused", "Quarantined"] as const;
/** Filter state from the URL, so that filters can be shared. Invalid values are ignored. */
export const requestFilterFrom = (parameters: Parameters): RequestFilter => ({
  keyId: uuidOf(parameters["keyId"]),
  endpoint: textOf(parameters["endpoint"]),
  status: oneOf(STATUSES, parameters["status"]),
  code: textOf(parameters["code"])?.slice(0, 100) ?? null,
  from: instantOf(parameters["from"]),
  until: instantOf(parameters["until"]),
  request: uuidOf(parameters["request"]),
});

export const eventFilterFrom = (parameters: Parameters): EventFilter => ({
  player: textOf(parameters["player"]),
  event: textOf(parameters["event"]),
  keyId: uuidOf(parameters["keyId"]),
  outcome: oneOf(OUTCOMES, parameters["outcome"]),
  code: textOf(parameters["code"])?.slice(0, 100) ?? null,
});

export const requestQuery = (filter: Partial<RequestFilter>): string => queryOf(REQUEST_NAMES, filter);
export const eventQuery = (filter: Partial<EventFilter>): string => queryOf(EVENT_NAMES, filter);

/** The input of the page query; the server prefetches the first page with the same. */
export function requestsInput(scope: Scope, { endpoint, request: _, ...filter }: RequestFilter, cursor: string | null) {
  const [method = null, route = null] = endpoint?.split(" ") ?? [];
  return { ...scope, ...filter, method, route, cursor };
}

export const eventsInput = (scope: Scope, filter: EventFilter, cursor: string | null) => ({ ...scope, ...filter, cursor });

export const isFiltered = (filter: Partial<RequestFilter & EventFilter>): boolean =>
  Object.entries(filter).some(([name, value]) => name !== "request" && value !== null);
