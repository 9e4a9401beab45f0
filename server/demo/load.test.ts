import { expect, test } from "vitest";
import { testDatabase, testProject } from "../../db/testing.ts";
import type { Environment } from "../kernel/environment.ts";
import { readMissions } from "../missions/service.ts";
import { archiveProject, authenticate, findEnvironment } from "../projects/service.ts";
import { audit } from "../work/audit.ts";
import { CAST } from "./cast.ts";
import { ensureDemo } from "./load.ts";

const database = await testDatabase();

const feedOf = (sandbox: Environment, externalId: string) =>
  readMissions(database, sandbox, Date.now(), { externalId, includeCompleted: true, language: null, take: null });

test(
  "the demo comes once, with a key, however many processes start; its clock shows real time in the end",
  { timeout: 120_000 },
  async () => {
    const made = (await Promise.all([1, 2, 3].map(() => ensureDemo(database)))).filter((one) => one !== null);
    expect(made).toEqual([{ slug: "demo", sandboxKey: expect.stringMatching(/^svc_sbox_[0-9a-f]{64}$/), playerId: "sofia" }]);
    const { environment, now } = await authenticate(database.sql, `Bearer ${made[0]!.sandboxKey}`);
    expect(environment).toMatchObject({ projectSlug: "demo", clockOffsetMs: 0 });
    const [told] = await database.sql`
    select count(*) as players, min(created_at) < now() - interval '27 days' as "isFourWeeksOld", max(created_at) <= now() as "isPast" from players`;
    expect(told).toEqual({ players: CAST.length, isFourWeeksOld: true, isPast: true });
    expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
  },
);

test("the books of the demo are in order", async () => {
  expect(await audit(database, await findEnvironment(database, "demo", "sandbox"))).toEqual([]);
});

test("the player that a first start names has missions in every state, and its people differ", async () => {
  const sandbox = await findEnvironment(database, "demo", "sandbox");
  const feed = await feedOf(sandbox, "sofia");
  expect(new Set(feed.map(({ status }) => status))).toEqual(new Set(["InProgress", "Available", "Completed", "Locked"]));
  const fractions = feed
    .filter(({ status }) => status === "InProgress")
    .flatMap(({ objectives }) => objectives.map((one) => one.progress.fraction));
  expect(fractions.filter((fraction) => fraction !== null && Number(fraction) > 0 && Number(fraction) < 1).length).toBeGreaterThan(1);
  // Who stayed away is asked back, who has just come is welcomed.
  const keysOf = async (playerId: string) => (await feedOf(sandbox, playerId)).map(({ missionKey }) => missionKey);
  expect(await keysOf("jesse")).toContain("welcome_back");
  expect(await keysOf("omar")).toContain("warm_welcome");
  const [balances] =
    await database.sql`select count(distinct balance) as different, max(balance) > 10 * min(balance) as "areFarApart" from balances`;
  expect(balances).toEqual({ different: expect.toSatisfy((different: number) => different > CAST.length / 2), areFarApart: true });
  const unsent = await database.sql`
    select key from definitions d where kind = 'events' and not exists (select from events where definition_id = d.id)`;
  expect(unsent.map(({ key }) => key)).toEqual([]);
});

test("an archived demo stays archived, and a project of one's own keeps it away", async () => {
  await archiveProject(database, "demo");
  expect(await ensureDemo(database)).toBeNull();
  await testProject(database);
  expect(await ensureDemo(database)).toBeNull();
});
