import { isJsonObject } from "../kernel/values.ts";
import type { BufferedEntry, ItemEntry, LoggedProblem, Omitted, RequestEntry, ServedItems, ServedRequest } from "./entry.ts";
import { type Count, REFUSED_OF_A_REQUEST, type Sampler } from "./sampler.ts";
import { jsonPrefix, loggable } from "./text.ts";

/** How requests and players are named. */
export interface Identities {
  /** A new UUIDv7. */
  newId(): string;
  keyOf(environmentId: number, externalId: string): { part: number; playerId: string };
}

interface ItemCounts {
  accepted: number;
  refused: number;
}

/** The longest external id and key that are kept, in UTF-16 units: the API accepts 200 characters, each of one or two. */
const MAX_NAME = 400;

/**
 * The kept part of a request. Null: nothing is kept. `now` is the sampler's clock. A request that is not kept only costs a count: no id is
 * created, and nothing is serialized.
 */
export function compose(
  served: ServedRequest,
  sampler: Sampler,
  { newId, keyOf }: Identities,
  now: number,
): { entry: BufferedEntry | null; omitted: Omitted | null } {
  const { status, items, key } = served;
  const refused = items === null ? 0 : items.results.reduce((sum, { eventId }) => sum + (eventId === null ? 1 : 0), 0);
  const accepted = items === null ? 0 : items.results.length - refused;
  const isError = status >= 400 || refused > 0;
  const admit = (count: Count, wanted: number): number => (wanted === 0 ? 0 : sampler.admit(key.environmentId, count, wanted, now));
  const isKept = admit(served.isRevoked ? "ofRevokedKeys" : isError ? "errors" : "successes", 1) === 1;
  const admitted = served.admitted ?? admit("acceptedItems", accepted);
  const kept = { accepted: Math.min(admitted, accepted), refused: admit("refusedItems", Math.min(refused, REFUSED_OF_A_REQUEST)) };
  const omitted: Omitted = {
    successes: isKept || isError ? 0 : 1,
    errors: isKept || !isError ? 0 : 1,
    acceptedItems: accepted - kept.accepted,
    refusedItems: refused - kept.refused,
  };
  const lacks = omitted.successes + omitted.errors + omitted.acceptedItems + omitted.refusedItems > 0 ? omitted : null;
  if (!isKept && kept.accepted + kept.refused === 0) return { entry: null, omitted: lacks };
  const id = newId();
  const request = isKept ? requestOf(served, id, { accepted, refused }) : null;
  const tail = items === null ? [] : itemsOf(served, items, kept, id, keyOf);
  return { entry: { request, items: tail, isError, size: sizeOf(request, tail) }, omitted: lacks };
}

function requestOf(served: ServedRequest, id: string, { accepted, refused }: ItemCounts): RequestEntry {
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
    accepted: items === null ? null : accepted,
    refused: items === null ? null : refused,
    target: keepsBodies ? loggable(served.target) : null,
    body: keepsBodies && body !== "" ? loggable(body) : null,
    bodyLength: body.length,
    problem: problemsText(problems),
  };
}

/** The first accepted and the first refused items, as many as may be kept. */
function itemsOf(
  { key, at, traceId, body }: ServedRequest,
  { kind, receivedAt, items, results }: ServedItems,
  { accepted, refused }: ItemCounts,
  requestId: string,
  keyOf: Identities["keyOf"],
): ItemEntry[] {
  const { environmentId, resets, keyId, keepsBodies } = key;
  const kept: ItemEntry[] = [];
  const left = { accepted, refused };
  for (let position = 0; position < results.length && kept.length < accepted + refused; position++) {
    const { eventId, errors } = results[position]!;
    const sort = eventId === null ? "refused" : "accepted";
    if (left[sort] === 0) continue;
    left[sort]--;
    const item = items[position];
    const [player, event] = isJsonObject(item) ? NAMES[kind].map((name) => item[name]) : [];
    const named = typeof player === "string" && player !== "" && player.length <= MAX_NAME ? player : null;
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
      ...(named === null ? {} : keyOf(environmentId, named)),
      eventId,
      code: errors[0]?.code ?? null,
      errors: problemsText(errors),
      // The item of a metric event is its request; an event is written again, digit for digit.
      payload: keepsBodies ? loggable(kind === "MetricEvent" ? body : jsonPrefix(item)) : null,
    });
  }
  return kept;
}

/** The members of an item that name its player, and its event or metric. */
const NAMES = { Event: ["playerId", "event"], MetricEvent: ["externalPlayerId", "metricKey"] } as const;

/** The problems of a request or an item that are kept: the first ones, so that the text stays whole JSON. */
const MAX_PROBLEMS = 20;
const MAX_MESSAGE = 400;

const problemsText = (problems: readonly LoggedProblem[]): string | null =>
  problems.length === 0
    ? null
    : JSON.stringify(
        problems.slice(0, MAX_PROBLEMS).map(({ code, message, pointer, parameter }) => ({
          code,
          message: loggable(message, MAX_MESSAGE),
          at: loggable(pointer ?? parameter ?? "", MAX_MESSAGE),
        })),
      );

const nameOf = (value: unknown): string | null => (typeof value === "string" ? loggable(value, MAX_NAME) : null);

const length = (text: string | null): number => text?.length ?? 0;

const sizeOf = (request: RequestEntry | null, items: readonly ItemEntry[]): number =>
  items.reduce(
    (sum, { payload, errors }) => sum + length(payload) + length(errors),
    request === null ? 0 : length(request.body) + length(request.target) + length(request.problem),
  );
