import type { Definitions } from "#server/model/definitions/compiled.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { pickText, type Text } from "#server/model/kernel/texts.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { isJsonObject } from "#server/model/kernel/values.ts";
import type { NamedRewardSource } from "./reward-sources.ts";
import type { TimelineRow, TimelineType } from "./timeline-sources.ts";

export interface TimelineEntry {
  id: string;
  type: TimelineType;
  /** On the environment's clock; of `Staff` in real time. */
  at: string;
  /** When it happened, for entries received at `at`; otherwise null. */
  occurredAt: string | null;
  /** The definition that it is about; null without one, or if it was deleted. */
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
  /** Of an event, as JSON text. */
  properties: string | null;
  rank: number | null;
  outcome: "Promoted" | "Relegated" | "Stayed" | null;
  /** Of `Staff`. */
  actor: string | null;
  action: string | null;
  reason: string | null;
  /** Of an item: the webhook that asks the customer's system to hand it over. */
  told: { endpointId: string; deliveryId: string; status: "Pending" | "Held" | "Delivered" | "Failed"; attempts: number } | null;
}

type Shown = Omit<TimelineEntry, "id" | "type" | "at">;

const NOTHING: Shown = {
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
  told: null,
};

/** An entry of a timeline as people see it. */
export const seenEntry = (one: TimelineRow, sources: ReadonlyMap<string, NamedRewardSource>, definitions: Definitions): TimelineEntry => ({
  ...NOTHING,
  ...shown(one, sources, definitions),
  id: `${one.type} ${one.id}`,
  type: one.type,
  at: formatInstant(one.at),
});

function shown(one: TimelineRow, sources: ReadonlyMap<string, NamedRewardSource>, definitions: Definitions): Partial<Shown> {
  const named = (kind: NonNullable<Shown["of"]>["kind"], found: { key: string; name?: Text } | undefined): Pick<Shown, "of"> => ({
    of: found === undefined ? null : { kind, key: found.key, name: found.name === undefined ? found.key : pickText(found.name, null) },
  });
  const sourced = (sourceId: string | null): Pick<Shown, "of" | "period"> => {
    const source = sources.get(sourceId ?? "");
    return source === undefined
      ? { of: null, period: null }
      : { of: { kind: source.kind, key: source.key, name: source.name }, period: source.period };
  };
  switch (one.type) {
    case "Event": {
      const { definitionId, occurredAt, properties } = one.row;
      const of = named("events", definitions.eventsById.get(definitionId));
      return { ...of, occurredAt: formatInstant(occurredAt), properties: writeJson(properties) };
    }
    case "Metric": {
      const { definitionId, occurredAt, properties, value } = one.row;
      const of = named("metrics", definitions.metricsById.get(definitionId));
      return { ...of, occurredAt: formatInstant(occurredAt), properties: writeJson(properties), value: writeJson(value) };
    }
    case "Attribute":
      return { ...named("attributes", definitions.attributesById.get(one.row.attributeId)), value: writeJson(one.row.value) };
    case "Completion":
      return named("missions", definitions.missionsById.get(one.row.missionId));
    case "Points": {
      const { amount, type, reason, sourceId } = one.row;
      return { ...sourced(sourceId), points: amount, pointsType: type, reason };
    }
    case "Item": {
      const { catalogItemKey, value, sourceId, told } = one.row;
      const { period } = sourced(sourceId);
      return { of: { kind: "catalogItems", key: catalogItemKey, name: catalogItemKey }, period, value: writeJson(value), told };
    }
    case "Purchase": {
      const { listingKey, name, price, reversalReason } = one.row;
      return { ...named("marketplaceItems", { key: listingKey, name }), points: -price, reason: reversalReason };
    }
    case "Rank": {
      const { leaderboardId, start, rank, outcome } = one.row;
      return {
        ...named("leaderboards", definitions.leaderboardsById.get(leaderboardId)),
        period: start === "" ? null : start,
        rank,
        outcome,
      };
    }
    case "Staff": {
      const { actor, action, difference } = one.row;
      return { actor, action, reason: reasonIn(difference) };
    }
  }
}

/** The reason that a change was given, among its differences. */
export function reasonIn(difference: unknown): string | null {
  const places = Array.isArray(difference) ? (difference as unknown[]) : [];
  const given = places.find((place) => isJsonObject(place) && writeJson(place["path"]) === '["reason"]');
  return isJsonObject(given) && typeof given["value"] === "string" ? given["value"] : null;
}
