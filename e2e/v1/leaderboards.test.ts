import { describe, expect, test } from "vitest";
import type { Backend } from "../backend.ts";
import { EVENTS, measured, mission, points, atLeast } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();

export const board = (key: string, more: object = {}) => ({
  key,
  name: `Board ${key}`,
  scoreSource: "Event",
  event: "order_placed",
  rankOrder: "HighestFirst",
  period: { kind: "AllTime" },
  ...more,
});
const file = (...leaderboards: object[]) => ({ events: EVENTS, leaderboards });
const spent = (playerId: string, amount: unknown, more: object = {}) => ({ playerId, properties: { amount }, ...more });
const bySum = measured("Sum", "amount");

/** Names with ranks, to be compared at a glance. */
const shown = (entries: any[]): string[] => entries.map(({ rank, displayName, score }) => `${rank} ${displayName} ${score}`);

async function named(backend: Backend, ...names: string[]): Promise<void> {
  for (const playerId of names) await backend.post("/v1/players", { playerId, displayName: playerId.toUpperCase() });
}

describe("ranks", () => {
  test("are competition ranks; of equals who reached the score first stands first", async () => {
    const backend = await service.sandbox(file(board("spent", bySum)));
    await named(backend, "ann", "bob", "cid", "dan");
    for (const [name, amount] of [["ann", 5], ["bob", 7], ["cid", 7], ["dan", 1]] as const) await backend.play(spent(name, amount));
    const read = await backend.board("cid", "spent");
    expect(shown(read.top)).toEqual(["1 BOB 7", "1 CID 7", "3 ANN 5", "4 DAN 1"]);
    expect(read.top.map(({ isMe }: any) => isMe)).toEqual([false, true, false, false]);
    expect(read.leaderboard).toMatchObject({ participants: 4, me: { rank: 1, score: 7 }, aggregation: "Sum", isLocked: false });
    expect(shown(read.around)).toEqual(["1 BOB 7", "1 CID 7", "3 ANN 5", "4 DAN 1"]);
    await backend.play(spent("dan", 6));
    expect(shown((await backend.board("dan", "spent", "&Top=2&Neighbours=1")).around)).toEqual(["1 CID 7", "1 DAN 7", "4 ANN 5"]);
  });
});
