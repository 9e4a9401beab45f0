import type { Sql } from "#db/client.ts";
import { readAttributeValues } from "../../attributes/service.ts";
import { changesOfSubject } from "#server/people/audit-log/read.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import { eventsBelow } from "../../events/service.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { type Below, FIRST_UUID, LAST_UUID } from "#server/model/kernel/stored.ts";
import { pickText, type Text } from "#server/model/kernel/texts.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { isJsonObject } from "#server/model/kernel/values.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { finishesBelow } from "../../leaderboards/service/periods-seen.ts";
import { givenItemsBelow, selectPurchasesBelow } from "../../marketplace/service/history.ts";
import { metricEventsBelow } from "../../metrics/service.ts";
import { completionsBelow } from "../../missions/service/read.ts";
import { transactionsBelow } from "../../points/service.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import type { NamedRewardSource } from "./reward-sources.ts";

export interface TimelineEntry {
  id: string;
  type: TimelineType;
  /** On the environment's clock; of `Staff` in real time. */
  at: string;
  /** When it happened, for entries received at `at`; otherwise null. */
  occurredAt: string | null;
  /** The definition that it is about; null if there is none, or if it was deleted. */
  of: {
    kind: "events" | "metrics" | "attributes" | "missions" | "streaks" | "leaderboards" | "marketplaceItems" | "catalogItems";
    key: string;
    name: string;
  } | null;
  /** The date on which a period began: of a leaderboard, or of an occurrence. */
  period: string | null;
  /** The change of the balance, or the price of a purchase, negative. */
  points: number | null;
  pointsType: "Grant" | "Spend" | "Adjustment" | "Refund" | null;
  /** As JSON text: the value of an attribute or an item, the amount of a metric event. */
  value: string | null;
  /** The properties of an event, as JSON text. */
  properties: string | null;
  rank: number | null;
  outcome: "Promoted" | "Relegated" | "Stayed" | null;
  /** These three are set for `Staff`: the user, what they did, and why. */
  actor: string | null;
  action: string | null;
  reason: string | null;
  /** For an item, the webhook that asks the customer's system to hand it over. */
  notification: { endpointId: string; deliveryId: string; status: "Pending" | "Held" | "Delivered" | "Failed"; attempts: number } | null;
}

type Shown = Omit<TimelineEntry, "id" | "type" | "at">;

export const NOTHING: Shown = {
  occurredAt: null,
  of: null,
  period: null,
  points: null,
  pointsType: null,
  value: null,
  properties: null,
  rank: null,
  outcome: null,
  actor: null,
  action: null,
  reason: null,
  notification: null,
};

/** The player that a timeline is of, and what its sources need. */
export interface TimelineScope {
  sql: Sql;
  environment: Environment;
  definitions: Definitions;
  key: PlayerKey;
  externalId: string;
}

/** A cursor in a source; `id` is null before the first row of the instant and Infinity after the last. */
export interface SourceBelow {
  at: number;
  id: string | null | typeof Infinity;
}

const uuid = ({ at, id }: SourceBelow): Below => ({ at, id: id === null ? FIRST_UUID : typeof id === "string" ? id : LAST_UUID });
/** A cursor over numeric ids. `max` is the largest value of the column's type. */
const number = ({ at, id }: SourceBelow, max = Number.MAX_SAFE_INTEGER) => ({
  at,
  id: id === null ? -1 : typeof id === "string" ? Number(id) : max,
});

const MAX_INT = 2_147_483_647;

export class EntryNames {
  readonly definitions: Definitions;
  readonly #sources: ReadonlyMap<string, NamedRewardSource>;

  constructor(definitions: Definitions, sources: ReadonlyMap<string, NamedRewardSource>) {
    this.definitions = definitions;
    this.#sources = sources;
  }

  of(kind: NonNullable<Shown["of"]>["kind"], found: { key: string; name?: Text } | undefined): Pick<Shown, "of"> {
    return {
      of: found === undefined ? null : { kind, key: found.key, name: found.name === undefined ? found.key : pickText(found.name, null) },
    };
  }

  source(sourceId: string | null): Pick<Shown, "of" | "period"> {
    const source = this.#sources.get(sourceId ?? "");
    return source === undefined
      ? { of: null, period: null }
      : { of: { kind: source.kind, key: source.key, name: source.name }, period: source.period };
  }
}

/** One type of timeline entry, read from its table. */
interface Source<Row> {
  /** The filter that includes it. */
  group: "Events" | "Missions" | "Points" | "Purchases and items" | "Leaderboards" | "Attributes" | "Staff";
  ids: "uuid" | "number";
  /** Newest first. */
  read(scope: TimelineScope, below: SourceBelow, limit: number): Promise<Row[]>;
  /** `at` is on the environment's clock, of `Staff` real time. */
  place(row: Row): { at: number; id: string | number };
  shown(row: Row, names: EntryNames): Partial<Shown>;
}

const source = <Row extends object>(one: Source<Row>): Source<Row> => one;

/** In the order of entries of the same instant: consequences come before their causes, since the newest entry is first. */
const SOURCES = {
  Staff: source({
    group: "Staff",
    ids: "number",
    read: ({ sql, environment, externalId }, below, limit) =>
      changesOfSubject(sql, environment, "player", externalId, number(below), limit),
    place: ({ at, id }) => ({ at, id }),
    shown: ({ actor, action, difference }) => ({ actor, action, reason: reasonIn(difference) }),
  }),
  Points: source({
    group: "Points",
    ids: "number",
    read: ({ sql, key }, below, limit) => transactionsBelow(sql, key, number(below), limit),
    place: ({ occurredAt: at, seq: id }) => ({ at, id }),
    shown: ({ amount, type, reason, sourceId }, names) => ({ ...names.source(sourceId), points: amount, pointsType: type, reason }),
  }),
  Item: source({
    group: "Purchases and items",
    ids: "uuid",
    read: ({ sql, environment, key }, below, limit) => givenItemsBelow(sql, environment.id, key, uuid(below), limit),
    place: ({ owedAt: at, id }) => ({ at, id }),
    shown: ({ catalogItemKey: key, value, sourceId, notification }, names) => ({
      ...names.of("catalogItems", { key }),
      period: names.source(sourceId).period,
      value: writeJson(value),
      notification,
    }),
  }),
  Completion: source({
    group: "Missions",
    ids: "uuid",
    read: ({ sql, key }, below, limit) => {
      const { at, id } = uuid(below);
      return completionsBelow(sql, key, { completedAt: at, occurrenceId: id }, limit);
    },
    place: ({ completedAt: at, occurrenceId: id }) => ({ at, id }),
    shown: ({ missionId }, names) => names.of("missions", names.definitions.missionsById.get(missionId)),
  }),
  Rank: source({
    group: "Leaderboards",
    ids: "number",
    read: ({ sql, key }, below, limit) => finishesBelow(sql, key, number(below, MAX_INT), limit),
    place: ({ settledAt: at, periodId: id }) => ({ at, id }),
    shown: ({ leaderboardId, start, rank, outcome }, names) => ({
      ...names.of("leaderboards", names.definitions.leaderboardsById.get(leaderboardId)),
      period: start === "" ? null : start,
      rank,
      outcome,
    }),
  }),
  Purchase: source({
    group: "Purchases and items",
    ids: "number",
    read: ({ sql, key }, below, limit) => {
      const { at, id } = number(below);
      return selectPurchasesBelow(sql, key, { purchasedAt: at, seq: id }, limit);
    },
    place: ({ purchasedAt: at, seq: id }) => ({ at, id }),
    shown: ({ listingKey: key, name, price, reversalReason }, names) => ({
      ...names.of("marketplaceItems", { key, name }),
      points: -price,
      reason: reversalReason,
    }),
  }),
  Attribute: source({
    group: "Attributes",
    ids: "number",
    /** Only present values are stored, one per attribute, so all are read. */
    read: async ({ sql, key }, below, limit) => {
      const { at, id } = number(below, MAX_INT);
      const values = [...(await readAttributeValues(sql, key))].map(([attributeId, row]) => ({ attributeId, ...row }));
      return values
        .filter((row) => row.occurredAt < at || (row.occurredAt === at && row.attributeId < id))
        .sort((a, b) => b.occurredAt - a.occurredAt || b.attributeId - a.attributeId)
        .slice(0, limit);
    },
    place: ({ occurredAt: at, attributeId: id }) => ({ at, id }),
    shown: ({ attributeId, value }, names) => ({
      ...names.of("attributes", names.definitions.attributesById.get(attributeId)),
      value: writeJson(value),
    }),
  }),
  Metric: source({
    group: "Events",
    ids: "number",
    read: ({ sql, key }, below, limit) => metricEventsBelow(sql, key, number(below), limit),
    place: ({ receivedAt: at, seq: id }) => ({ at, id }),
    shown: ({ definitionId, occurredAt, properties, value }, names) => ({
      ...names.of("metrics", names.definitions.metricsById.get(definitionId)),
      occurredAt: formatInstant(occurredAt),
      properties: writeJson(properties),
      value: writeJson(value),
    }),
  }),
  Event: source({
    group: "Events",
    ids: "number",
    read: ({ sql, key }, below, limit) => eventsBelow(sql, key, number(below), limit),
    place: ({ receivedAt: at, seq: id }) => ({ at, id }),
    shown: ({ definitionId, occurredAt, properties }, names) => ({
      ...names.of("events", names.definitions.eventsById.get(definitionId)),
      occurredAt: formatInstant(occurredAt),
      properties: writeJson(properties),
    }),
  }),
};

export type TimelineType = keyof typeof SOURCES;
/** The row types are erased: a row is only passed back to its own source. */
export const TIMELINE_SOURCES = SOURCES as unknown as Record<TimelineType, Source<object>>;
export const TIMELINE_TYPES = Object.keys(SOURCES) as [TimelineType, ...TimelineType[]];
export const UUID_TYPES = TIMELINE_TYPES.filter((type) => SOURCES[type].ids === "uuid");

export type TimelineGroup = Source<object>["group"];
export const TIMELINE_GROUPS = [...new Set(TIMELINE_TYPES.map((type): TimelineGroup => SOURCES[type].group))];

/** The reason in an audit entry's differences. */
export function reasonIn(difference: unknown): string | null {
  const changes = Array.isArray(difference) ? (difference as unknown[]) : [];
  const reason = changes.find((change) => isJsonObject(change) && writeJson(change["path"]) === '["reason"]');
  return isJsonObject(reason) && typeof reason["value"] === "string" ? reason["value"] : null;
}
