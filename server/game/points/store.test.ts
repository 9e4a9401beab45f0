import { expect, test } from "vitest";
import type { Transaction } from "#db/client.ts";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { derivedId, playerKey } from "../../model/players/identity.ts";
import { selectBalance, selectTransactions } from "./store.ts";
import { type RewardRow, writeByKind } from "../../engine/store/rewards.ts";

const database = await sharedDatabase();
const { sandbox } = await testProject(database);

const grant = (player: string, source: string, ordinal: number, amount: number): RewardRow => ({
  kind: "grant",
  ...playerKey(sandbox.id, player),
  environmentId: sandbox.id,
  id: derivedId("Grant", player, source, ordinal),
  points: amount,
  sourceType: "Mission",
  sourceId: derivedId(source),
  sourceDefinitionId: 1,
  ordinal,
  at: Date.parse("2026-01-31T09:00:00.123Z"),
});
const write = (grants: RewardRow[], isCut = false) =>
  database.sql.begin((tx: Transaction) => writeByKind(tx, grants, { isCut, epoch: null }));
const balanceOf = (player: string) => selectBalance(database.sql, playerKey(sandbox.id, player));

test("a set of grants is in the ledger and in the balances", async () => {
  await write([grant("a", "m1", 0, 10), grant("b", "m1", 0, 5), grant("a", "m1", 1, 7)]);
  expect(await balanceOf("a")).toEqual({ balance: 17, totalGranted: 17, totalSpent: 0 });
  expect(await balanceOf("b")).toEqual({ balance: 5, totalGranted: 5, totalSpent: 0 });
  expect(await selectTransactions(database.sql, playerKey(sandbox.id, "a"), null)).toMatchObject([
    {
      type: "Grant",
      amount: 7,
      reason: null,
      sourceType: "Mission",
      sourceId: derivedId("m1"),
      occurredAt: Date.parse("2026-01-31T09:00:00.123Z"),
    },
    { amount: 10 },
  ]);
});

test("a grant is not repeated, alone or among new ones", async () => {
  await write([grant("c", "m1", 0, 10)]);
  await write([grant("c", "m1", 0, 10)]);
  await write([grant("c", "m1", 0, 10), grant("c", "m2", 0, 1)]);
  expect(await balanceOf("c")).toEqual({ balance: 11, totalGranted: 11, totalSpent: 0 });
});

test("the same sets written concurrently, in any order, count once and do not deadlock", async () => {
  const grants = Array.from({ length: 50 }, (_, index) => grant(`p${index}`, "m1", 0, 1));
  await Promise.all(Array.from({ length: 8 }, (_, index) => write(index % 2 ? grants : grants.toReversed())));
  const balances = await Promise.all(grants.map((_, index) => balanceOf(`p${index}`)));
  expect(new Set(balances.map(({ balance }) => balance))).toEqual(new Set([1]));
});

test("a balance that would pass 2^53 − 1 fails the whole set", async () => {
  await write([grant("d", "m1", 0, Number.MAX_SAFE_INTEGER)]);
  await expect(write([grant("e", "m1", 0, 1), grant("d", "m2", 0, 1)])).rejects.toThrow("balance_within_range");
  expect((await balanceOf("d")).balance).toBe(Number.MAX_SAFE_INTEGER);
  expect((await balanceOf("e")).balance).toBe(0);
});

test("capped grants never exceed that limit: the remaining room is granted, and other players get their full grants", async () => {
  await write([grant("f", "m1", 0, Number.MAX_SAFE_INTEGER - 12)]);
  const grants = [grant("g", "m1", 0, 1), ...[0, 1, 2].map((ordinal) => grant("f", "m2", ordinal, 10))];
  await write(grants, true);
  expect([(await balanceOf("f")).balance, (await balanceOf("g")).balance]).toEqual([Number.MAX_SAFE_INTEGER, 1]);
  const granted = await selectTransactions(database.sql, playerKey(sandbox.id, "f"), 3);
  expect(granted.map(({ amount }) => amount)).toEqual([0, 2, 10]);
});
