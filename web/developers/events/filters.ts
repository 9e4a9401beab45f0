import type { Answers } from "../../client/service.tsx";
import { addressOf, instant, oneOf, type Scope, type StateOf, textUpTo, uuid } from "../../client/address.ts";

export type Request = Answers["requestLog"]["list"]["requests"][number];
export type Item = Answers["events"]["tail"]["items"][number];

/** Filters of the request log. An endpoint is "GET /v1/points"; `request` is the open one. */
export const REQUESTS = addressOf(
  {
    keyId: uuid,
    endpoint: textUpTo(300),
    status: oneOf(["success", "refused", "4xx", "5xx"]),
    code: textUpTo(100),
    from: instant,
    until: instant,
    request: uuid,
  },
  "request",
);

export const EVENTS = addressOf({
  player: textUpTo(300),
  event: textUpTo(300),
  keyId: uuid,
  outcome: oneOf(["Accepted", "Refused", "Quarantined"]),
  code: textUpTo(100),
});

export type RequestFilter = StateOf<typeof REQUESTS>;
export type EventFilter = StateOf<typeof EVENTS>;

/** The input of the page query; the server prefetches the first page with the same. */
export function requestsInput(scope: Scope, { endpoint, request: _, ...filter }: RequestFilter, cursor: string | null) {
  const [method = null, route = null] = endpoint?.split(" ") ?? [];
  return { ...scope, ...filter, method, route, cursor };
}

export const eventsInput = (scope: Scope, filter: EventFilter, cursor: string | null) => ({ ...scope, ...filter, cursor });
