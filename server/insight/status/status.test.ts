import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { testDatabase, testDatabaseUrl, testProject } from "#db/testing.ts";
import { createUser } from "../../people/identity/accounts.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { createProject } from "../../people/projects/projects.ts";
import { ingest } from "../../game/events/service.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { startBeat } from "./service/beat.ts";
import { readStatus } from "./service/read.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const { sql } = database;

async function owner(projectSlug?: string): Promise<{ userId: string }> {
  const { email } = await createUser(database, { email: `${randomUUID()}@example.com`, role: "Owner", projectSlug });
  const [row] = await sql<{ id: string }[]>`select id from users where email = ${email}`;
  return { userId: row!.id };
}

const errors = { serverErrors: 1, failedAttempts: 2, quarantined: 3 };
const OWN = { pools: () => new Map([["facts", { size: 7, inUse: 2, waiting: 1, refused: 0 }]]), errors: async () => errors };

test("the first organization's Owners see the installation and every backlog, a project's Owner only the project's backlog", async () => {
  const [own, other] = [await testProject(database), await testProject(database)];
  expect(await importDefinitions(database, own.live, { version: 1, events: [{ key: "order", name: "Order" }] })).not.toHaveProperty(
    "problems",
  );
  const now = Date.now() - 90_000;
  const items = [{ playerId: "ann", event: "order", occurredAt: formatInstant(now) }];
  await ingest(database, own.live, { items, mayHoldBadText: false, now });
  const beat = startBeat(database, OWN, { isServing: false, isWorking: true });
  await beat.stop();
  const living = startBeat(database, OWN, { isServing: true, isWorking: false });
  await expect.poll(async () => (await sql`select from instances`).length).toBe(1);
  await sql`analyze events`;

  const theirs = `theirs-${randomUUID()}`;
  await createProject(database, { slug: theirs, name: "Theirs", defaultLanguage: "en", timeZone: "UTC" }, theirs);
  const all = await readStatus(database, await owner(), own.live.projectId, Date.now());
  expect(all.environments[0]).toMatchObject({ project: own.live.projectSlug, environment: "live", facts: 1, isOpen: true });
  expect(
    all.environments.find(({ project }) => project === theirs),
    "whose pages they may not open",
  ).toMatchObject({ isOpen: false });
  expect(all.environments[0]!.oldestFactSeconds).toBeGreaterThanOrEqual(90);
  expect(all.environments.map(({ project }) => project)).toContain(other.live.projectSlug);
  const { processes, lanes, database: at, tables, statements, older } = all.installation!;
  expect(processes).toEqual([expect.objectContaining({ isServing: true, isWorking: false, pid: process.pid, version: "0.1.0" })]);
  expect(lanes).toBe(4);
  expect(processes[0]).toMatchObject({ pools: [{ name: "facts", size: 7, inUse: 2, waiting: 1 }], errors });
  expect(at.bytes).toBeGreaterThan(1_000_000);
  expect(tables.map(({ name }) => name)).toContain("definitions");
  expect(statements).toBeNull();
  expect(older?.map(({ days }) => days)).toEqual([30, 90, 180, 395, 760]);
  await living.stop();

  const part = await readStatus(database, await owner(own.live.projectSlug), own.live.projectId, Date.now());
  expect(part.installation).toBeNull();
  expect(new Set(part.environments.map(({ project }) => project))).toEqual(new Set([own.live.projectSlug]));
});

test("of more environments than are listed, those with events in quarantine are", async () => {
  for (let made = 0; made < 50; made++) await testProject(database);
  const slug = `zz-${randomUUID()}`;
  await createProject(database, { slug, name: "Last", defaultLanguage: "en", timeZone: "UTC" });
  const { id, projectId } = await findEnvironment(database, slug, "live");
  await sql`
    insert into quarantined_facts (seq, environment_id, part, player_id, kind, source_id, definition_id, occurred_at, received_at, error)
    values (1, ${id}, 0, ${randomUUID()}, 'Event', ${randomUUID()}, 1, now(), now(), 'Broken')`;
  const { environments } = await readStatus(database, await owner(), projectId, Date.now());
  expect(environments.filter(({ quarantined }) => quarantined > 0)).toMatchObject([{ project: slug, environment: "live" }]);
});

test("if the database keeps statement statistics, they are shown without values", async () => {
  const [row] = await sql<{ libraries: string; name: string }[]>`
    select current_setting('shared_preload_libraries') as libraries, current_database() as name`;
  if (!row!.libraries.includes("pg_stat_statements")) return;
  await sql.unsafe(`create extension pg_stat_statements; alter database "${row!.name}" set pg_stat_statements.track = 'top'`);
  const counted = openDatabase(await testDatabaseUrl(), { connections: 1 });
  // Slow enough to be among the ten statements with the longest total time.
  await counted.sql.unsafe("select 'a secret' as value, count(*) from generate_series(1, 3000000)");
  const { installation } = await readStatus(counted, await owner(), (await testProject(database)).live.projectId, Date.now());
  await counted.close();
  expect(installation!.statements).toContainEqual(
    expect.objectContaining({ query: "select $1 as value, count(*) from generate_series($2, $3)", calls: 1, rows: 1 }),
  );
});
