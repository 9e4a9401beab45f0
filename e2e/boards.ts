import { setTimeout as delay } from "node:timers/promises";
import type { Backend } from "./backend.ts";
import { EVENTS } from "./definitions.ts";

/** Leaderboards in short form: orders counted for all time, unless `more` overrides it. */
export const board = (key: string, more: object = {}) => ({
  key,
  name: `Board ${key}`,
  scoreSource: "Event",
  event: "order_placed",
  rankOrder: "HighestFirst",
  period: { kind: "AllTime" },
  ...more,
});

export const ATTRIBUTES = [
  { key: "tier", name: "Tier", type: "String" },
  { key: "office", name: "Office", type: "String" },
  { key: "level", name: "Level", type: "Number" },
];
export const METRICS = [{ key: "steps", name: "Steps", kind: "Number", properties: [{ key: "indoors", type: "Boolean" }] }];
export const boards = (...leaderboards: object[]) => ({ events: EVENTS, attributes: ATTRIBUTES, metrics: METRICS, leaderboards });

export const WEEKLY = { period: { kind: "Calendar", every: "Week" } };

/** An order of some amount. */
export const spent = (playerId: string, amount: unknown, more: object = {}) => ({ playerId, properties: { amount }, ...more });

/** Entries with rank, name and score, for compact comparison. */
export const shown = (entries: any[]): string[] => entries.map(({ rank, displayName, score }) => `${rank} ${displayName} ${score}`);

/** Creates players with upper-case display names. */
export async function players(backend: Backend, ...names: string[]): Promise<void> {
  for (const playerId of names) await backend.post("/v1/players", { playerId, displayName: playerId.toUpperCase() });
}

/** Polls a read until it shows the expected result, soon after the events have been applied. */
export async function soon<Value>(read: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    await delay(20);
  }
}
