import { hash } from "node:crypto";
import type { PlayerKey } from "../kernel/player.ts";

export type { PlayerKey };

const PART_BITS = 10;

/** The player of an environment's external id, derived so that nothing is looked up before a write. */
export function playerKey(environmentId: number, externalId: string): PlayerKey {
  const hex = hash("sha256", `${environmentId}:${externalId}`, "hex");
  return { part: Number.parseInt(hex.slice(0, 3), 16) >> (12 - PART_BITS), playerId: uuidOf(hex) };
}

/** The same parts give the same UUID (version 8): everything that must happen once has an id derived from its subject. */
export function derivedId(...parts: readonly (string | number)[]): string {
  return uuidOf(hash("sha256", JSON.stringify(parts), "hex"));
}

/** The id of an event: one per player, event and idempotency key. */
export const keyedEventId = (playerId: string, eventKey: string, idempotencyKey: string): string =>
  derivedId("event", playerId, eventKey, idempotencyKey);

/** The id of a metric event: one per player, metric and idempotency key. */
export const keyedMetricEventId = (playerId: string, metricKey: string, idempotencyKey: string): string =>
  derivedId("metric event", playerId, metricKey, idempotencyKey);

function uuidOf(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
