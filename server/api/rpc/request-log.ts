import { dated, hasBadFilter, instantOf, partsOf } from "./inputs.ts";
import { UUID } from "../../model/kernel/stored.ts";
import { reasonInWords } from "../../operations/worker/fold-words.ts";
import { selectKeys } from "../../people/api-keys/store.ts";
import { describeError, type ErrorCode, ERRORS } from "../../model/kernel/errors.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { explainEvent } from "../../authoring/simulation/service/explain-event.ts";
import * as service from "../../insight/request-log/service/read.ts";
import type { TailItem } from "../../insight/request-log/store/items.ts";
import type { ListedRequest } from "../../insight/request-log/store/requests.ts";
import { z } from "zod";
import { cursor, inEnvironment, instantText } from "../../model/contract/rpc.ts";
import { forEnvironment } from "../access.ts";
import { DAY } from "../../model/kernel/instant.ts";

const id = z.uuid();
const take = z.int().min(1).max(100).default(50);

export const requestLogDashboardProcedures = {
  /** The requests to the API, the newest first. */
  list: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({
      cursor,
      take,
      keyId: id.nullable().default(null),
      /** The path with parameter names, as in the reference; the method is a filter of its own. */
      route: z.string().max(200).nullable().default(null),
      method: z.string().max(16).nullable().default(null),
      /** `refused`: answered successfully, with refused items. */
      status: z.enum(["success", "refused", "4xx", "5xx"]).nullable().default(null),
      code: z.string().max(100).nullable().default(null),
      from: instantText.nullable().default(null),
      until: instantText.nullable().default(null),
    }),
    async (input, { database, environment }) => {
      if (hasBadFilter(input)) return { requests: [], next: null };
      const filter = { ...input, from: instantOf(input.from), until: instantOf(input.until) };
      const rows = await service.selectRequests(
        database.sql,
        environment,
        filter,
        partsOf(input.cursor, REQUEST)?.[0] ?? null,
        input.take + 1,
      );
      const requests = rows.slice(0, input.take);
      return { requests: requests.map(requestRow), next: rows.length > input.take ? requests.at(-1)!.id : null };
    },
  ),
  /** One request with what was sent and its items; null if it is no longer kept. */
  get: forEnvironment("Viewer", "cheap")(inEnvironment.extend({ id }), async ({ id }, { database, environment }) => {
    const found = await service.readRequest(database, environment, id);
    if (found === null) return null;
    const { target, body, bodyLength, problem, items } = found;
    return { ...requestRow(found), target, body, bodyLength, problems: problemsOf(problem), items: items.map(itemRow) };
  }),
  /** The list's filters, refusals by code, and what the log omits. */
  overview: forEnvironment("Viewer", "cheap")(inEnvironment, async (_, { database, environment }) => {
    const { sql } = database;
    const since = Date.now() - DAY;
    const [keepsBodies, routes, keys, errors, omitted] = await Promise.all([
      service.selectKeepsBodies(sql, environment.id),
      service.selectRoutes(sql, environment),
      selectKeys(sql, environment.id),
      service.groupErrors(database, environment, since),
      service.sumOmissions(sql, environment, since),
    ]);
    return {
      keepsBodies,
      routes,
      omitted,
      keys: keys.map(({ id, name, hint }) => ({ id, name, hint })),
      errors: errors.map((error) => ({ ...dated(error, "lastAt"), ...described(error.code) })),
    };
  }),
  /** Whether bodies are kept; switching this off deletes the stored ones. */
  keepBodies: forEnvironment("Admin", "cheap")(
    inEnvironment.extend({ keeps: z.boolean() }),
    ({ keeps }, { database, environment, actor }) => service.keepBodies(database, environment, keeps, actor),
  ),
};

export const eventTailDashboardProcedures = {
  /** The latest items, accepted and refused. */
  tail: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({
      cursor,
      take,
      player: z.string().max(400).nullable().default(null),
      event: z.string().max(400).nullable().default(null),
      keyId: id.nullable().default(null),
      outcome: z.enum(["Accepted", "Refused", "Quarantined"]).nullable().default(null),
      code: z.string().max(100).nullable().default(null),
    }),
    async ({ cursor, take, ...filter }, { database, environment }) => {
      if (hasBadFilter(filter)) return { items: [], next: null };
      const { items, next } = await service.readTail(database, environment, filter, cursorFrom(cursor), take);
      return { items: items.map(itemRow), next: next === null ? null : `${next.requestId}/${next.position}` };
    },
  ),
  /** All stored events of a player, the last received first. */
  ofPlayer: forEnvironment("Viewer", "costly")(
    inEnvironment.extend({ player: z.string().max(400), cursor, take }),
    async ({ player, cursor, take }, { database, environment }) => {
      const below = Number(partsOf(cursor, /^(\d{1,15})$/)?.[0] ?? Number.MAX_SAFE_INTEGER);
      const { items, next } = await service.readEventsOf(database, environment, player, below, take);
      return {
        items: items.map(({ eventId, event, isMetric, occurredAt, receivedAt, properties, value, ...stands }) => ({
          eventId,
          event,
          kind: kindOf(isMetric),
          occurredAt: formatInstant(occurredAt),
          receivedAt: formatInstant(receivedAt),
          state: stateOf({ ...stands, eventId }),
          properties: writeJson(properties),
          value: value === null ? null : writeJson(value),
        })),
        next: next === null ? null : String(next),
      };
    },
  ),
  /** The effects of an event and the missing ones, with reasons; null if the player has no such event. */
  explain: forEnvironment("Viewer", "costly")(
    inEnvironment.extend({
      player: z.string().max(400),
      eventId: id,
      /** The item being inspected: its request, and its index there. */
      requestId: id.nullable().default(null),
      position: z.int().min(0).max(32_767).default(0),
    }),
    async ({ player, eventId, requestId, position }, { database, environment, now }) => {
      const found = await explainEvent(database, environment, now, { externalId: player, eventId });
      if (found === null) return null;
      const { properties, error, ...explained } = found;
      const item = requestId === null ? null : { requestId, position };
      return {
        ...dated(explained, "occurredAt", "receivedAt"),
        error: error === null ? null : reasonInWords(error),
        isReplay:
          item !== null && (await service.selectIsReplay(database.sql, environment, item, { eventId, receivedAt: found.receivedAt })),
        properties: writeJson(properties),
      };
    },
  ),
  /** The values that the properties of an event or a metric had of late, never those of private ones. */
  recentValues: forEnvironment("Viewer", "costly")(
    inEnvironment.extend({ kind: z.enum(["events", "metrics"]), key: z.string().max(100) }),
    async ({ kind, key }, { database, environment }) => {
      const found = await service.readRecentValues(database, environment, { kind, key }, Date.now());
      if (found === null) return null;
      return {
        ...dated(found, "since"),
        // As text, since a number may be wider than JavaScript's.
        properties: found.properties.map(({ values, ...property }) => ({ ...property, values: values.map((value) => writeJson(value)) })),
      };
    },
  ),
  /** Today's events of players who are in no mission. */
  unentered: forEnvironment("Viewer", "costly")(inEnvironment, (_, { database, environment, now }) =>
    service.findUnentered(database, environment, now, Date.now()),
  ),
};

const requestRow = ({ id, at, method, route, path, status, code, durationMs, traceId, accepted, refused, ...of }: ListedRequest) => ({
  id,
  method,
  route,
  path,
  status,
  code,
  durationMs,
  traceId,
  accepted,
  refused,
  at: formatInstant(at),
  key: keyOf(of),
});

const itemRow = ({ requestId, position, at, receivedAt, traceId, player, event, eventId, payload, ...item }: TailItem) => ({
  ...dated({ requestId, position, at, receivedAt, traceId, player, event, eventId, payload }, "at", "receivedAt"),
  key: keyOf(item),
  kind: kindOf(item.isMetric),
  state: stateOf({ ...item, eventId }),
  errors: problemsOf(item.errors),
});

const keyOf = ({ keyId, keyName, keyHint }: Pick<ListedRequest, "keyId" | "keyName" | "keyHint">) => ({
  id: keyId,
  name: keyName ?? "A key that is gone",
  hint: keyHint ?? "",
});

const kindOf = (isMetric: boolean) => (isMetric ? ("MetricEvent" as const) : ("Event" as const));

function stateOf({ eventId, isWaiting, isQuarantined }: Pick<TailItem, "eventId" | "isWaiting" | "isQuarantined">) {
  if (eventId === null) return "Refused" as const;
  if (isQuarantined) return "Quarantined" as const;
  return isWaiting ? ("Waiting" as const) : ("Accepted" as const);
}

/** JSON as written by `compose.ts`. */
const problemsOf = (text: string | null) => (text === null ? [] : (JSON.parse(text) as { code: string; message: string; at: string }[]));

/** An earlier version's code may no longer be known. */
function described(code: string): { title: string; meaning: string } {
  if (!Object.hasOwn(ERRORS, code)) return { title: code, meaning: "" };
  const { title, meaning } = describeError(code as ErrorCode);
  return { title, meaning };
}

const REQUEST = new RegExp(`^(${UUID})$`);
const ITEM = new RegExp(`^(${UUID})/(\\d{1,4})$`);

function cursorFrom(cursor: string | null) {
  const parts = partsOf(cursor, ITEM);
  return parts && { requestId: parts[0]!, position: Number(parts[1]) };
}
