import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { authenticate, keyHash } from "../../people/api-keys/authenticate.ts";
import { createApiKey } from "../../people/api-keys/api-keys.ts";
import { testApi } from "../../api/testing/calls.ts";
import { imageOf } from "../../model/images/image.ts";
import { findImage } from "../../authoring/images/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { archiveProject } from "../../people/projects/projects.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { checkIntegrity } from "../integrity/check.ts";
import { CUSTOMERS } from "./history.ts";
import { ensureDemo } from "./load.ts";

const database = await testDatabase();

const feedOf = (sandbox: Environment, externalId: string) =>
  readMissions(database, sandbox, Date.now(), { externalId, includeCompleted: true, language: null, take: null });

test("the demo is created once, with a key, however many processes start; its clock ends at real time", async () => {
  const made = (await Promise.all([1, 2, 3].map(() => ensureDemo(database)))).filter((one) => one !== null);
  expect(made).toEqual([{ slug: "demo", sandboxKey: expect.stringMatching(/^svc_sbox_[0-9a-f]{64}$/), playerId: "sofia" }]);
  const { environment, now } = await authenticate(database.sql, keyHash(`Bearer ${made[0]!.sandboxKey}`));
  expect(environment).toMatchObject({ projectSlug: "demo", clockOffsetMs: 0 });
  const [row] = await database.sql`
    select count(*) as players, min(created_at) < now() - interval '27 days' as is_four_weeks_old, max(created_at) <= now() as is_past from players`;
  expect(row).toEqual({ players: CUSTOMERS.length, isFourWeeksOld: true, isPast: true });
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
  const log = await database.sql`select distinct actor from audit_log where project_id = ${environment.projectId}`;
  expect(log).toEqual([{ actor: "demo" }]);
});

test("the demo passes the integrity check", async () => {
  expect(await checkIntegrity(database, await findEnvironment(database, "demo", "sandbox"))).toEqual([]);
});

test("the player that a first start names has missions in every state, and its players differ", async () => {
  const sandbox = await findEnvironment(database, "demo", "sandbox");
  const feed = await feedOf(sandbox, "sofia");
  expect(new Set(feed.map(({ status }) => status))).toEqual(new Set(["InProgress", "Available", "Completed", "Locked"]));
  const fractions = feed
    .filter(({ status }) => status === "InProgress")
    .flatMap(({ objectives }) => objectives.map((one) => one.progress.fraction));
  expect(fractions.filter((fraction) => fraction !== null && Number(fraction) > 0 && Number(fraction) < 1).length).toBeGreaterThan(1);
  // Absent players get win-back missions, and new ones welcome missions.
  const keysOf = async (playerId: string) => (await feedOf(sandbox, playerId)).map(({ missionKey }) => missionKey);
  expect(await keysOf("jesse")).toContain("welcome_back");
  expect(await keysOf("omar")).toContain("warm_welcome");
  const [balances] =
    await database.sql`select count(distinct balance) as different, max(balance) > 10 * min(balance) as are_far_apart from balances`;
  expect(balances).toEqual({ different: expect.toSatisfy((different: number) => different > CUSTOMERS.length / 2), areFarApart: true });
  const unsent = await database.sql`
    select key from definitions d where kind = 'events' and not exists (select from events where definition_id = d.id)`;
  expect(unsent.map(({ key }) => key)).toEqual([]);
});

test("every image that the demo's API names exists", async () => {
  const api = await testApi(database);
  const sandboxKey = await createApiKey(database, await findEnvironment(database, "demo", "sandbox"), "images");
  const ask = async (path: string) => (await api.get(`${path}?PlayerId=sofia`, sandboxKey)).json;
  const post = async (path: string) => (await api.post(path, { playerId: "sofia", includeCompleted: true }, sandboxKey)).json;
  const collections = ["getting_started", "weekend", "for_connoisseurs"].map((key) => post(`/v1/mission-collections/${key}`));
  const shop = [ask("/v1/marketplace-items"), ask("/v1/marketplace-collections/morning"), ask("/v1/streaks"), ask("/v1/leaderboards")];
  const boards = ["barista_league", "top_guests"].map((key) => ask(`/v1/leaderboards/${key}`));
  const answers = await Promise.all([post("/v1/missions"), ...collections, ...shop, ...boards]);
  for (const answer of answers) expect(JSON.stringify(answer)).toContain('"images":{"');
  const named = JSON.stringify(answers)
    .match(/"images":\{[^}]+\}/g)!
    .flatMap((images) => images.match(/https?:[^"]+/g) ?? []);
  const addresses = new Set(named);
  expect(addresses.size).toBeGreaterThan(8);
  for (const address of addresses) {
    expect(address).toMatch(/^https:\/\/api\.test\/images\/[0-9a-f]{64}$/);
    expect(await findImage(database, address.slice(-64)), address).toMatchObject({ type: "image/svg+xml" });
  }
});

test("the demo's images are the drawings beside it", async () => {
  const folder = new URL("images/", import.meta.url);
  const { images } = JSON.parse(await readFile(new URL("definitions.json", import.meta.url), "utf8")) as { images: object[] };
  const drawings = await Promise.all((await readdir(folder)).map(async (name) => imageOf(await readFile(new URL(name, folder)))));
  const kept = drawings.map((drawing) => {
    if ("code" in drawing) throw new Error(drawing.code);
    return { id: drawing.id, bytes: drawing.bytes.toString("base64") };
  });
  expect(images).toEqual(kept.sort((a, b) => (a.id < b.id ? -1 : 1)));
});

test("an archived demo stays archived, and an existing project prevents it", async () => {
  await archiveProject(database, "demo");
  expect(await ensureDemo(database)).toBeNull();
  await testProject(database);
  expect(await ensureDemo(database)).toBeNull();
});
