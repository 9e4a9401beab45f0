import { expect, test } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { testDatabase, testDatabaseUrl } from "../../db/testing.ts";
import { openBreakableWay } from "../../e2e/crash/breakable.ts";
import { createProject, findEnvironment, listProjects } from "../projects/service.ts";
import { audit } from "../work/audit.ts";
import { activity } from "./activity.ts";
import { GESTURES } from "./cast.ts";
import { ensureDemo } from "./load.ts";

const database = await testDatabase();
const DAYS = 6;
const DAY = 86_400_000;

/** A first start that is over at its n-th statement, as after `kill -9`: all its connections are gone. */
async function breakOffAt(statement: number): Promise<void> {
  const way = await openBreakableWay(await testDatabaseUrl());
  const doomed = openDatabase(way.url);
  way.arm(statement, { when: "after", how: "rudely" });
  await expect(ensureDemo(doomed, { days: DAYS })).rejects.toThrow();
  await Promise.all([way.close(), doomed.sql.end({ timeout: 0 })]);
}

test("what a first start left unfinished the next one goes through with, and nothing is there twice", { timeout: 120_000 }, async () => {
  for (const statement of [20, 60, 200, 500, 1_500]) {
    await breakOffAt(statement);
    const { clockOffsetMs } = await findEnvironment(database, "demo", "sandbox");
    expect(clockOffsetMs).toBeLessThan(0);
  }
  // The demo is there by half: what else there is does not matter any more.
  await createProject(database, { slug: "acme", name: "Acme", defaultLanguage: "en", timeZone: "UTC" });
  expect(await ensureDemo(database, { days: DAYS })).toMatchObject({ slug: "demo" });
  expect(await ensureDemo(database, { days: DAYS })).toBeNull();

  const sandbox = await findEnvironment(database, "demo", "sandbox");
  expect(sandbox.clockOffsetMs).toBe(0);
  expect(await audit(database, sandbox)).toEqual([]);
  const { createdAt } = (await listProjects(database)).find(({ slug }) => slug === "demo")!;
  const planned = activity({ startsAt: createdAt - DAYS * DAY, endsAt: createdAt }, sandbox.timeZone).filter(({ kind }) => kind === "does");
  const [{ events, adjustments, projects }] = await database.sql`
    select (select count(*) from events) as events, (select count(*) from projects) as projects,
      (select coalesce(sum(amount), 0)::int from points_transactions where type = 'Adjustment') as adjustments`;
  expect({ events, projects }).toEqual({ events: planned.length, projects: 2 });
  expect(adjustments).toBe(GESTURES.filter(({ day }) => day < DAYS).reduce((sum, { points }) => sum + points, 0));
});
