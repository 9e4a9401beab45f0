import { type Database, inTime, readOnly, transact } from "#db/client.ts";
import { readFrom } from "#server/engine/store/applied.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { recentEventsOf, unappliedOf } from "#server/game/events/service.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { periodAt } from "#server/model/kernel/time.ts";
import { recentMetricEventsOf } from "#server/game/metrics/service.ts";
import {
  countItemCodes,
  countUnentered,
  type ItemFilter,
  type ItemCursor,
  selectItems,
  selectRecentProperties,
  selectTailStart,
  type Unentered,
} from "../store/items.ts";
import { countRequestCodes, type CountedCode, selectRequest, sumOmissions } from "../store/requests.ts";
import { deleteBodies, updateKeepsBodies } from "../store/settings.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { type RecentValues, recentValues } from "#server/model/request-log/recent-values.ts";
import { playerKey } from "#server/model/players/identity.ts";

export { type ListedRequest, type RequestFilter, selectRequests, selectRoutes, sumOmissions } from "../store/requests.ts";
export { selectIsReplay } from "../store/items.ts";
export { selectKeepsBodies } from "../store/settings.ts";

/** The most items shown with a request. */
const MAX_ITEMS_PER_REQUEST = 200;

const NO_FILTER: ItemFilter = { player: null, event: null, keyId: null, outcome: null, code: null };

/** A request with its stored items; null if it is not kept. */
export async function readRequest({ sql }: Database, environment: Environment, id: string) {
  const request = await selectRequest(sql, environment, id);
  if (request === null) return null;
  const items = await selectItems(sql, environment, NO_FILTER, { requestId: id, position: -1 }, MAX_ITEMS_PER_REQUEST);
  return { ...request, items: items.filter(({ requestId }) => requestId === id) };
}

/** A code, and how often requests and items were refused with it. */
export interface ErrorGroup extends CountedCode {
  /** Whether items were refused, in a 200 response. */
  isOfItems: boolean;
}

/** Refusals since an instant (real time, epoch milliseconds) by code, the most frequent first. */
export async function groupErrors({ sql }: Database, environment: Environment, since: number): Promise<ErrorGroup[]> {
  const [requests, items] = await Promise.all([countRequestCodes(sql, environment, since), countItemCodes(sql, environment, since)]);
  const groups = [...requests.map((one) => ({ ...one, isOfItems: false })), ...items.map((one) => ({ ...one, isOfItems: true }))];
  return groups.sort((a, b) => b.count - a.count);
}

/** A page of the tail; `next` is the cursor of the next page. */
export async function readTail({ sql }: Database, environment: Environment, filter: ItemFilter, after: ItemCursor | null, take: number) {
  const rows = await selectItems(sql, environment, filter, after, take + 1);
  const items = rows.slice(0, take);
  return { items, next: rows.length > take ? items.at(-1)! : null };
}

/**
 * All events of a player below a position in the order of facts, the last received first. Reads the log by the player's key. Throws
 * OperatorError if that takes too long.
 */
export async function readEventsOf(database: Database, environment: Environment, externalId: string, below: number, take: number) {
  const { eventsById, metricsById } = await definitionsOf(database.sql, environment);
  const key = playerKey(environment.id, externalId);
  const logged = readOnly(database, (tx) =>
    Promise.all([
      recentEventsOf(tx, key, [...eventsById.keys()], take + 1, below),
      recentMetricEventsOf(tx, key, [...metricsById.keys()], take + 1, below),
      unappliedOf(tx, key),
    ]),
  );
  const [events, metricEvents, { waiting, quarantined }] = await inTime(logged, "The player has too many events to list them in time.");
  // What one log cuts off, the next page has, and with it the events of the other log that are as old.
  const from = readFrom(events, metricEvents);
  const all = [
    ...events.map((one) => ({ ...one, isMetric: false, event: eventsById.get(one.definitionId)?.key ?? null, value: null })),
    ...metricEvents.map((one) => ({ ...one, isMetric: true, event: metricsById.get(one.definitionId)?.key ?? null })),
  ]
    .filter(({ seq }) => seq >= from)
    .sort((a, b) => b.seq - a.seq);
  const items = all.slice(0, take).map(({ id, ...one }) => ({
    ...one,
    eventId: id,
    isWaiting: waiting.has(one.seq),
    isQuarantined: quarantined.has(one.seq),
  }));
  return { items, next: all.length > take || from > 0 ? items.at(-1)!.seq : null };
}

/**
 * Today's events in the tail by players who are in no mission, although a mission open to all players reads them: most likely their app has
 * never read their missions. `realNow` is in epoch milliseconds; the day is in the project's zone.
 */
export async function findUnentered({ sql }: Database, environment: Environment, now: number, realNow: number): Promise<Unentered> {
  const definitions = await definitionsOf(sql, environment);
  const events = eventsOfOpenMissions(definitions, now);
  if (events.length === 0) return { events: 0, players: 0, sample: [] };
  return countUnentered(sql, environment, events, periodAt(realNow, environment.timeZone, "Day").startsAt);
}

type Definitions = Awaited<ReturnType<typeof definitionsOf>>;

/** The keys of the events and metrics read by missions that are open to all players now. */
function eventsOfOpenMissions({ missionsByEvent, eventsById, metricsById }: Definitions, now: number): string[] {
  return [...missionsByEvent].flatMap(([id, missions]) => {
    const isRead = missions.some(
      ({ audience, window: { startsAt, endsAt } }) =>
        audience.rule === null && (startsAt === null || startsAt <= now) && (endsAt === null || now < endsAt),
    );
    const key = eventsById.get(id)?.key ?? metricsById.get(id)?.key;
    return isRead && key !== undefined ? [key] : [];
  });
}

/** The properties of a definition's recent events, for authors of rules. */
export interface Recent {
  events: number;
  /** The events are those since this instant (real time, epoch milliseconds). */
  since: number;
  /** Whether they are complete: in busy seconds the tail omits events. */
  areAll: boolean;
  properties: RecentValues[];
}

const RECENT = { ms: 7 * 24 * 60 * 60 * 1000, limit: 2_000, maxBytes: 4_000 } as const;

/**
 * The property values of recent events of an event or a metric: of the newest 2,000 in the tail. They are read from the log of events, so
 * it does not matter whether bodies are kept. `realNow` is in epoch milliseconds. Null if there is no such definition.
 */
export async function readRecentValues(
  { sql }: Database,
  environment: Environment,
  { kind, key }: { kind: "events" | "metrics"; key: string },
  realNow: number,
): Promise<Recent | null> {
  const { eventsByKey, metricsByKey } = await definitionsOf(sql, environment);
  const isMetric = kind === "metrics";
  const definition = (isMetric ? metricsByKey : eventsByKey).get(key);
  if (definition === undefined) return null;
  const from = realNow - RECENT.ms;
  const rows = await selectRecentProperties(sql, environment, { key, definitionId: definition.id, isMetric }, from, RECENT);
  // The tail may begin later: its rows are bounded, and requests may be kept for only a day.
  const since = rows.length < RECENT.limit ? Math.max(from, (await selectTailStart(sql, environment)) ?? realNow) : rows.at(-1)!.at;
  const { acceptedItems } = await sumOmissions(sql, environment, since);
  const properties = recentValues(
    definition.properties.values(),
    rows.map((row) => (row.isLarge ? null : (row.properties ?? {}))),
  );
  return { events: rows.length, since, areAll: acceptedItems === 0, properties };
}

/** Sets whether the log keeps bodies, from the next request on. Switching it off deletes the stored ones. */
export function keepBodies(database: Database, { id, kind, projectId }: Environment, keeps: boolean, actor: Actor): Promise<void> {
  return transact(database, async (tx) => {
    if (!(await updateKeepsBodies(tx, id, keeps))) return;
    if (!keeps) await deleteBodies(tx, id);
    const difference = [{ type: "CHANGE", path: ["keepsRequestBodies"], value: keeps, oldValue: !keeps }];
    const about = { subjectKind: "environment", subjectKey: kind, difference };
    await recordChange(tx, { projectId, environmentId: id, actor, action: "update", ...about });
  });
}
