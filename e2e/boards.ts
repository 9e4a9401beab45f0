import { setTimeout as delay } from "node:timers/promises";
import type { Backend } from "./backend.ts";
import { EVENTS } from "./definitions.ts";

/** Leaderboards as product staff write them, short: orders are counted for all time, unless `more` has it otherwise. */
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

/** Entries with rank, name and score, to be compared at a glance. */
export const shown = (entries: any[]): string[] => entries.map(({ rank, displayName, score }) => `${rank} ${displayName} ${score}`);

/** Players whose names are shown in capitals. */
export async function players(backend: Backend, ...names: string[]): Promise<void> {
  for (const playerId of names) await backend.post("/v1/players", { playerId, displayName: playerId.toUpperCase() });
}

/** Waits until a read shows what it should, which is soon after what was sent has been worked off. */
export async function soon<Value>(read: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    await delay(20);
  }
}
