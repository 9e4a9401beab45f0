import { randomUUIDv7 } from "node:crypto";
import { keyedEventId, playerKey } from "../../server/model/players/identity.ts";
import { requestOf } from "./http.ts";
import { sized } from "./size.ts";

/** An item of POST /v1/events, of about 250 bytes. */
export interface Item {
  playerId: string;
  event: string;
  occurredAt: string;
  idempotencyKey?: string;
  properties: Record<string, string | number | boolean>;
}

export const BATCH = sized({ smoke: 100, usual: 1_000 });
const DRINKS = ["espresso", "flat white", "cappuccino", "filter coffee", "matcha latte", "hot chocolate"];
const FIRST_INSTANT = Date.UTC(2026, 0, 1);

export const playerName = (index: number): string => `player-${String(index).padStart(7, "0")}`;

const pick = (below: number): number => Math.floor(Math.random() * below);

/** The items made so far: gives each its own idempotency key and time. */
let made = 0;

/** A player's event; every second item has its own idempotency key. */
export function makeItem(playerId: string, event = "order_placed"): Item {
  const order = `order-${process.pid}-${++made}`;
  return {
    playerId,
    event,
    occurredAt: new Date(FIRST_INSTANT + made * 1000).toISOString(),
    ...(made % 2 === 0 && { idempotencyKey: order }),
    properties: {
      amount: (300 + pick(3000)) / 100,
      drink: DRINKS[pick(DRINKS.length)]!,
      takeaway: made % 3 === 0,
      shop: `shop-${pick(400)}`,
      channel: made % 5 === 0 ? "app" : "counter",
      ...(made % 2 === 1 && { receipt: order }),
    },
  };
}

export interface Players {
  count: number;
  /** The event keys to draw from, in equal parts. */
  events?: readonly string[];
}

export const makeBatch = ({ count, events = ["order_placed"] }: Players): Item[] =>
  Array.from({ length: BATCH }, (_, index) => makeItem(playerName(pick(count)), events[index % events.length]));

export const makeBatches = (batches: number, players: Players): Item[][] => Array.from({ length: batches }, () => makeBatch(players));

export const batchRequest = (key: string, items: readonly Item[]): Buffer =>
  requestOf("POST", "/v1/events", { key, body: JSON.stringify({ events: items }) });

/** Batches with new idempotency keys, as bytes to send. */
export const makeRequests = (key: string, batches: number, players: Players): Buffer[] =>
  Array.from({ length: batches }, () => batchRequest(key, makeBatch(players)));

/** Requests with one event of every player, so that the process knows them all before the measurement. */
export function requestsForEveryone(key: string, { count, events = ["order_placed"] }: Players): Buffer[] {
  return Array.from({ length: Math.ceil(count / BATCH) }, (_, batch) =>
    batchRequest(
      key,
      Array.from({ length: Math.min(BATCH, count - batch * BATCH) }, (__, index) =>
        makeItem(playerName(batch * BATCH + index), events[index % events.length]),
      ),
    ),
  );
}

/** The log's rows for some items, as lines of COPY's text format in the order of the table's columns. */
export function copyLines(environmentId: number, definitionId: number, items: readonly Item[]): string {
  const received = new Date().toISOString();
  return items
    .map(({ playerId, event, occurredAt, idempotencyKey, properties }, index) => {
      const player = playerKey(environmentId, playerId);
      const id = idempotencyKey === undefined ? randomUUIDv7() : keyedEventId(player.playerId, event, idempotencyKey);
      return [
        player.part,
        player.playerId,
        id,
        environmentId,
        definitionId,
        index + 1,
        occurredAt,
        received,
        JSON.stringify(properties),
      ].join("\t");
    })
    .join("\n");
}
