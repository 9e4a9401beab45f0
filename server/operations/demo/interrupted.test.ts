import { expect, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { testDatabase, testDatabaseUrl } from "#db/testing.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { createProject, listProjects } from "../../people/projects/projects.ts";
import { checkIntegrity } from "../integrity/check.ts";
import { CUSTOMERS, fixturesOf } from "./history.ts";
import { ensureDemo } from "./load.ts";

const database = await testDatabase();
const DAYS = 6;
const DAY = 86_400_000;

/** Where a first start is interrupted: at the n-th write of a kind. */
const BREAKS: readonly (readonly [writing: string, time: number])[] = [
  ["insert on definitions for each statement", 1],
  ["insert on players for each statement", 3],
  ["insert on mission_states for each statement", 5],
  ["insert on events for each statement", 1],
  ["insert on events for each statement", 12],
  ["insert on api_keys for each statement", 1],
  ["update on environments for each row when (new.clock_offset_ms = 0)", 1],
];

/** A first start that dies in the middle of a statement, as after `kill -9`, with its connections. */
async function breakOffAt(writing: string, time: number): Promise<void> {
  await database.sql.unsafe(`
    create sequence times;
    create function break_off() returns trigger language plpgsql as $$ begin
      if nextval('times') >= ${time} then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$;
    create trigger break_off before ${writing} execute function break_off();`);
  const doomed = openDatabase(await testDatabaseUrl());
  await expect(ensureDemo(doomed, { days: DAYS, isShort: true })).rejects.toThrow();
  await doomed.sql.end({ timeout: 0 });
  await database.sql.unsafe("drop function break_off cascade; drop sequence times");
}

test("the next start completes an interrupted first start, and nothing exists twice", async () => {
  for (const [writing, time] of BREAKS) {
    await breakOffAt(writing, time);
    expect((await findEnvironment(database, "demo", "sandbox")).clockOffsetMs, writing).toBeLessThan(0);
  }
  // An incomplete demo is completed even if there is another project by now.
  await createProject(database, { slug: "acme", name: "Acme", defaultLanguage: "en", timeZone: "UTC" });
  // Its key is returned even if the connection that holds the lock of first starts is lost at the end.
  await database.sql.unsafe(`
    create function lose_lock() returns trigger language plpgsql as $$ begin
      perform pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = (hashtext('engagement demo')::bigint & x'ffffffff'::bigint)::oid;
      return new;
    end $$;
    create trigger lose_lock after update on environments for each row when (new.clock_offset_ms = 0) execute function lose_lock();`);
  expect(await ensureDemo(database, { days: DAYS, isShort: true })).toMatchObject({ slug: "demo" });
  await database.sql.unsafe("drop function lose_lock cascade");
  expect(await ensureDemo(database, { days: DAYS, isShort: true })).toBeNull();

  const sandbox = await findEnvironment(database, "demo", "sandbox");
  expect(sandbox.clockOffsetMs).toBe(0);
  expect(await checkIntegrity(database, sandbox)).toEqual([]);
  const { createdAt } = (await listProjects(database)).find(({ slug }) => slug === "demo")!;
  const planned = fixturesOf(CUSTOMERS, { startsAt: createdAt - DAYS * DAY, endsAt: createdAt }, sandbox.timeZone).filter(
    ({ kind }) => kind === "sendsEvent",
  );
  const [counted] = await database.sql`
    select (select count(*) from events) as events, (select count(*) from projects) as projects,
      (select coalesce(sum(amount), 0)::int from points_transactions where type = 'Adjustment') as adjustments`;
  const adjusted = CUSTOMERS.flatMap(({ joins, adjustments = [] }) => adjustments.filter(([day]) => joins + day < DAYS)).reduce(
    (sum, [, points]) => sum + points,
    0,
  );
  expect(counted).toEqual({ events: planned.length, projects: 2, adjustments: adjusted });
});
