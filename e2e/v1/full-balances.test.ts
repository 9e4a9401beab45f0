import { expect, test } from "vitest";
import { checkIntegrity } from "../../server/operations/integrity/check.ts";
import type { Backend } from "../backend.ts";
import { mission, points, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const MAX = Number.MAX_SAFE_INTEGER;
const GOLD = { attribute: "tier", operator: "EqualTo", target: "gold" };
const MEMBER = { attribute: "member", operator: "EqualTo", target: true };
const COMPLETED = { includeCompleted: true };

/** Missions that an attribute, an entry and an accept complete; each pays a hundred points. */
const FILE = {
  attributes: [
    { key: "tier", name: "Tier", type: "String" },
    { key: "member", name: "Member", type: "Boolean" },
  ],
  leaderboards: [{ key: "points", name: "Points", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "AllTime" } }],
  ...shop(
    mission("by_attribute", { objectives: [GOLD], rewards: [points(100)] }),
    mission("by_entry", { objectives: [MEMBER], rewards: [points(100)] }),
    mission("by_accept", { objectives: [MEMBER], optIn: "Manual", rewards: [points(100)] }),
  ),
};

/** A player whose balance has room for this many points. */
async function almostFull(room: number): Promise<Backend> {
  const backend = await service.sandbox(FILE);
  await backend.customer("ann", MAX - room);
  return backend;
}

const grants = async (backend: Backend): Promise<number[]> =>
  (await backend.transactions("ann")).filter(({ type }) => type === "Grant").map(({ amount }) => amount);
const isCompleted = async (backend: Backend, key: string): Promise<boolean> =>
  (await backend.missions("ann", COMPLETED)).some(({ missionKey, status }) => missionKey === key && status === "Completed");

test("an attribute write, a mission read and an accept succeed at a nearly full balance, and grant up to its limit", async () => {
  const backend = await almostFull(130);
  await backend.missions("ann");
  expect(await backend.setAttributes("ann", { tier: "gold" })).toEqual({ tier: "Changed" });
  expect(await grants(backend)).toEqual([100]);
  expect(await backend.setAttributes("ann", { member: true })).toEqual({ member: "Changed" });
  expect(await grants(backend)).toEqual([30, 100]);
  expect((await backend.accept("ann", "by_accept")).status).toBe(204);
  expect(await grants(backend)).toEqual([0, 30, 100]);
  expect((await backend.points("ann")).balance).toBe(MAX);
  for (const key of ["by_attribute", "by_entry", "by_accept"]) expect(await isCompleted(backend, key), key).toBe(true);
  const { leaderboard } = await backend.board("ann", "points");
  expect(leaderboard.me).toEqual({ rank: 1, score: 130 });
  expect(await checkIntegrity(service.database, backend.environment)).toEqual([]);
});

test("a mission read that completes by entering succeeds at a full balance", async () => {
  const backend = await almostFull(0);
  await backend.setAttributes("ann", { member: true });
  expect((await backend.missions("ann")).map(({ missionKey }) => missionKey)).not.toContain("by_entry");
  expect(await isCompleted(backend, "by_entry")).toBe(true);
  expect(await grants(backend)).toEqual([0]);
  expect(await checkIntegrity(service.database, backend.environment)).toEqual([]);
});
