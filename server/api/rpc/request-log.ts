import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { listKeys } from "../../people/api-keys/list.ts";
import { describeError, type ErrorCode, ERRORS } from "../../model/kernel/errors.ts";
import { hasBadText, writeJson } from "../../model/kernel/json.ts";
import { formatInstant, parseInstant } from "../../model/kernel/time.ts";
import { explainEvent } from "../../authoring/simulation/service/explain-event.ts";
import { eventTailDashboard, requestLogDashboard } from "../../insight/request-log/contract.dashboard.ts";
import * as service from "../../insight/request-log/service.ts";
import type { TailItem } from "../../insight/request-log/store/items.ts";
import type { ListedRequest } from "../../insight/request-log/store/requests.ts";

const dashboard = implement(requestLogDashboard).$context<DashboardContext>().use(guard);

const DAY_MS = 24 * 60 * 60 * 1000;

export const requestLogDashboardProcedures = {
  list: dashboard.list.handler(async ({ input, context: { database, environment } }) => {
    if (hasBadFilter(input)) return { requests: [], next: null };
    const filter = { ...input, from: instantOf(input.from), until: instantOf(input.until) };
    const rows = await service.selectRequests(database.sql, environment, filter, idOf(input.cursor), input.take + 1);
    const requests = rows.slice(0, input.take);
    return { requests: requests.map(requestRow), next: rows.length > input.take ? requests.at(-1)!.id : null };
  }),
  get: dashboard.get.handler(async ({ input: { id }, context: { database, environment } }) => {
    const found = await service.readRequest(database, environment, id);
    if (found === null) return null;
    const { target, body, bodyLength, problem, items } = found;
    return { ...requestRow(found), target, body, bodyLength, problems: problemsOf(problem), items: items.map(itemRow) };
  }),
  overview: dashboard.overview.handler(async ({ context: { database, environment } }) => {
    const { sql } = database;
    const since = Date.now() - DAY_MS;
    const [keepsBodies, routes, keys, errors, omitted] = await Promise.all([
      service.selectKeepsBodies(sql, environment.id),
      service.selectRoutes(sql, environment),
      listKeys(sql, environment.id),
      service.groupErrors(database, environment, since),
      service.sumOmissions(sql, environment, since),
    ]);
    return {
      ...{ keepsBodies, routes, omitted },
      keys: keys.map(({ id, name, hint }) => ({ id, name, hint })),
      errors: errors.map(({ lastAt, ...error }) => ({ ...error, ...described(error.code), lastAt: formatInstant(lastAt) })),
    };
  }),
  keepBodies: dashboard.keepBodies.handler(({ input: { keeps }, context: { database, environment, actor } }) =>
    service.keepBodies(database, environment, keeps, actor),
  ),
};

const tail = implement(eventTailDashboard).$context<DashboardContext>().use(guard);

export const eventTailDashboardProcedures = {
  tail: tail.tail.handler(async ({ input: { cursor, take, ...filter }, context: { database, environment } }) => {
    if (hasBadFilter(filter)) return { items: [], next: null };
    const { items, next } = await service.readTail(database, environment, filter, placeOf(cursor), take);
    return { items: items.map(itemRow), next: next === null ? null : `${next.requestId}/${next.position}` };
  }),
  ofPlayer: tail.ofPlayer.handler(async ({ input: { player, cursor, take }, context: { database, environment } }) => {
    const below = cursor === null ? Number.MAX_SAFE_INTEGER : seqOf(cursor);
    const { items, next } = await service.readEventsOf(database, environment, player, below, take);
    return {
      items: items.map(({ eventId, event, isMetric, occurredAt, receivedAt, properties, value, ...stands }) => ({
        ...{ eventId, event, kind: kindOf(isMetric) },
        occurredAt: formatInstant(occurredAt),
        receivedAt: formatInstant(receivedAt),
        state: stateOf({ ...stands, eventId }),
        properties: writeJson(properties),
        value: value === null ? null : writeJson(value),
      })),
      next: next === null ? null : String(next),
    };
  }),
  explain: tail.explain.handler(async ({ input: { player, eventId, requestId, position }, context: { database, environment, now } }) => {
    const found = await explainEvent(database, environment, now, { externalId: player, eventId });
    if (found === null) return null;
    const { occurredAt, receivedAt, properties, ...explained } = found;
    const item = requestId === null ? null : { requestId, position };
    return {
      ...explained,
      isReplay: item !== null && (await service.isReplay(database, environment, item, { eventId, receivedAt })),
      occurredAt: formatInstant(occurredAt),
      receivedAt: formatInstant(receivedAt),
      properties: writeJson(properties),
    };
  }),
  unentered: tail.unentered.handler(({ context: { database, environment, now } }) =>
    service.findUnentered(database, environment, now, Date.now()),
  ),
};

const requestRow = ({ id, at, method, route, path, status, code, durationMs, traceId, accepted, refused, ...of }: ListedRequest) => ({
  ...{ id, method, route, path, status, code, durationMs, traceId, accepted, refused },
  at: formatInstant(at),
  key: keyOf(of),
});

const itemRow = (item: TailItem) => ({
  requestId: item.requestId,
  position: item.position,
  at: formatInstant(item.at),
  receivedAt: formatInstant(item.receivedAt),
  traceId: item.traceId,
  key: keyOf(item),
  kind: kindOf(item.isMetric),
  player: item.player,
  event: item.event,
  eventId: item.eventId,
  state: stateOf(item),
  errors: problemsOf(item.errors),
  payload: item.payload,
});

const keyOf = ({ keyId, keyName, keyHint }: Pick<ListedRequest, "keyId" | "keyName" | "keyHint">) => ({
  ...{ id: keyId, name: keyName ?? "A key that is gone", hint: keyHint ?? "" },
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

/** The database cannot store such text, so no row matches. */
const hasBadFilter = (filter: object): boolean => Object.values(filter).some((value) => typeof value === "string" && hasBadText(value));

const WRONG_PLACE = () => new ORPCError("BAD_REQUEST", { message: "Not a valid cursor. Start again from the first page." });

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function idOf(cursor: string | null): string | null {
  if (cursor !== null && !UUID.test(cursor)) throw WRONG_PLACE();
  return cursor;
}

function placeOf(cursor: string | null) {
  if (cursor === null) return null;
  const [requestId = "", position = ""] = cursor.split("/");
  if (!UUID.test(requestId) || !/^\d{1,4}$/.test(position)) throw WRONG_PLACE();
  return { requestId, position: Number(position) };
}

function seqOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw WRONG_PLACE();
  return Number(cursor);
}

function instantOf(text: string | null): number | null {
  const at = text === null ? null : parseInstant(text);
  if (text !== null && at === null) throw new ORPCError("BAD_REQUEST", { message: "A time must be an RFC 3339 instant." });
  return at;
}
