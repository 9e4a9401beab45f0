import { isJsonObject } from "../kernel/values.ts";
import { playerKey } from "../players/identity.ts";
import type { Entry, ItemEntry, LoggedProblem, Omitted, RequestEntry, ServedItems, ServedRequest } from "./entry.ts";
import { REFUSED_OF_A_REQUEST, type Sampler } from "./sampler.ts";
import { beginOfJson, loggable } from "./text.ts";

/** The longest external id and key that are kept: longer ones are refused anyway. */
const MOST_NAME = 200;

/**
 * What is kept of a request, and what is left out of it. Null: nothing is kept. `id` is a new UUIDv7; `now` is the sampler's clock.
 * Nothing is written to text that is not kept.
 */
export function compose(
  served: ServedRequest,
  sampler: Sampler,
  id: string,
  now: number,
): { entry: Entry | null; omitted: Omitted | null } {
  const { key, items } = served;
  const refusedCount = items === null ? 0 : items.results.reduce((sum, { eventId }) => sum + (eventId === null ? 1 : 0), 0);
  const isError = served.status >= 400 || refusedCount > 0;
  const isKept = sampler.admit(key.environmentId, isError ? "errors" : "successes", 1, now) === 1;
  const tail = items === null ? [] : itemsOf(served, items, refusedCount, sampler, id, now);
  const request = isKept ? requestOf(served, id, refusedCount) : null;
  const refusedKept = tail.reduce((sum, { code }) => sum + (code === null ? 0 : 1), 0);
  const omitted: Omitted = {
    successes: isKept || isError ? 0 : 1,
    errors: isKept || !isError ? 0 : 1,
    acceptedItems: items === null ? 0 : items.results.length - refusedCount - (tail.length - refusedKept),
    refusedItems: refusedCount - refusedKept,
  };
  const lacksSomething = omitted.successes + omitted.errors + omitted.acceptedItems + omitted.refusedItems > 0;
  const entry = request === null && tail.length === 0 ? null : { request, items: tail, isError, size: sizeOf(request, tail) };
  return { entry, omitted: lacksSomething ? omitted : null };
}

function requestOf(served: ServedRequest, id: string, refusedCount: number): RequestEntry {
  const { key, at, method, route, status, code, durationMs, traceId, body, problems, items } = served;
  const { environmentId, resets, keyId, keepsBodies } = key;
  return {
    environmentId,
    resets,
    id,
    at,
    keyId,
    method: loggable(method, 16),
    route,
    status,
    code,
    durationMs: Math.round(durationMs * 100) / 100,
    traceId,
    accepted: items === null ? null : items.results.length - refusedCount,
    refused: items === null ? null : refusedCount,
    target: keepsBodies ? loggable(served.target) : null,
    body: keepsBodies && body !== "" ? loggable(body) : null,
    bodyLength: body.length,
    problem: told(problems),
  };
}

function itemsOf(
  { key, at, traceId, body }: ServedRequest,
  { kind, receivedAt, items, results }: ServedItems,
  refusedCount: number,
  sampler: Sampler,
  requestId: string,
  now: number,
): ItemEntry[] {
  const { environmentId, resets, keyId, keepsBodies } = key;
  let refused = sampler.admit(environmentId, "refusedItems", Math.min(refusedCount, REFUSED_OF_A_REQUEST), now);
  let accepted = sampler.admit(environmentId, "acceptedItems", results.length - refusedCount, now);
  const kept: ItemEntry[] = [];
  for (let position = 0; position < results.length && refused + accepted > 0; position++) {
    const { eventId, errors } = results[position]!;
    if ((eventId === null ? refused-- : accepted--) <= 0) {
      // This kind is used up; the other one may not be.
      if (eventId === null) refused = 0;
      else accepted = 0;
      continue;
    }
    const item = items[position];
    const [player, event] = isJsonObject(item) ? NAMES[kind].map((name) => item[name]) : [];
    const named = typeof player === "string" && player !== "" && player.length <= MOST_NAME ? player : null;
    kept.push({
      environmentId,
      resets,
      requestId,
      position,
      at,
      receivedAt,
      keyId,
      traceId,
      isMetric: kind === "MetricEvent",
      player: nameOf(player),
      event: nameOf(event),
      part: null,
      playerId: null,
      ...(named === null ? {} : playerKey(environmentId, named)),
      eventId,
      code: errors[0]?.code ?? null,
      errors: told(errors),
      // The item of a metric event is its request; an event is written again, digit for digit.
      payload: keepsBodies ? loggable(kind === "MetricEvent" ? body : beginOfJson(item)) : null,
    });
  }
  return kept;
}

/** The members of an item that name its player, and its event or metric. */
const NAMES = { Event: ["playerId", "event"], MetricEvent: ["externalPlayerId", "metricKey"] } as const;

/** The problems of a request or an item that are kept: the first ones, so that the text stays whole JSON. */
const MOST_PROBLEMS = 20;
const MOST_MESSAGE = 400;

const told = (problems: readonly LoggedProblem[]): string | null =>
  problems.length === 0
    ? null
    : JSON.stringify(
        problems.slice(0, MOST_PROBLEMS).map(({ code, message, pointer, parameter }) => ({
          code,
          message: loggable(message, MOST_MESSAGE),
          at: loggable(pointer ?? parameter ?? "", MOST_MESSAGE),
        })),
      );

const nameOf = (value: unknown): string | null => (typeof value === "string" ? loggable(value, MOST_NAME) : null);

const length = (text: string | null): number => text?.length ?? 0;

const sizeOf = (request: RequestEntry | null, items: readonly ItemEntry[]): number =>
  items.reduce(
    (sum, { payload, errors }) => sum + length(payload) + length(errors),
    request === null ? 0 : length(request.body) + length(request.target) + length(request.problem),
  );
