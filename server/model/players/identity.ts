import { hash } from "node:crypto";
import type { PlayerKey } from "../kernel/player.ts";

export type { PlayerKey };

const PART_BITS = 10;

/** The player of an environment's external id, derived so that nothing is looked up before a write. */
export function playerKey(environmentId: number, externalId: string): PlayerKey {
  const bytes = hash("sha256", `${environmentId}:${externalId}`, "latin1");
  const first = (bytes.charCodeAt(0) << 8) | bytes.charCodeAt(1);
  return { part: first >> (16 - PART_BITS), playerId: uuidOf(bytes) };
}

/** The same parts give the same UUID (version 8): everything that must happen once has an id derived from its subject. */
export function derivedId(...parts: readonly (string | number)[]): string {
  return uuidOf(hash("sha256", JSON.stringify(parts), "latin1"));
}

/** The id of an event: one per player, event and idempotency key. */
export const keyedEventId = (playerId: string, eventKey: string, idempotencyKey: string): string =>
  derivedId("event", playerId, eventKey, idempotencyKey);

/** The id of a metric event: one per player, metric and idempotency key. */
export const keyedMetricEventId = (playerId: string, metricKey: string, idempotencyKey: string): string =>
  derivedId("metric event", playerId, metricKey, idempotencyKey);

const DIGITS = Buffer.from("0123456789abcdef");
/** The index of each byte's first digit in the text of a UUID. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const text = Buffer.alloc(36, "-");

/** The UUID of the first 16 characters, each a byte. Written digit by digit: pieces put together would leave much garbage for each event. */
function uuidOf(bytes: string): string {
  for (let at = 0; at < PLACES.length; at++) {
    const place = PLACES[at]!;
    const byte = bytes.charCodeAt(at);
    const marked = at === 6 ? (byte & 0x0f) | 0x80 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    text[place] = DIGITS[marked >> 4]!;
    text[place + 1] = DIGITS[marked & 0x0f]!;
  }
  return text.toString("latin1");
}
