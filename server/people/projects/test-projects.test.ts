import { expect, test } from "vitest";
import { TABLE_NAMES, tablesWhere } from "#db/tables.ts";
import { testDatabase, testProject } from "#db/testing.ts";
import { createRouterClient } from "@orpc/server";
import { dashboardRouter } from "../../api/rpc/router.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { authenticate, keyHash } from "../api-keys/authenticate.ts";
import { ingest } from "../../game/events/service.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { testCipher } from "../../delivery/testing.ts";
import { findEnvironment } from "./environments.ts";
import { removeData } from "./removal.ts";
import { MAX_KEPT, MAX_TEST_PROJECTS } from "../../model/projects/settings.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const { sql } = database;

/** A project with a token for tests, made by a member with that role. */
async function home(role: "Editor" | "Viewer" = "Editor") {
  const { slug } = await testProject(database);
  const member = await signedIn(database, slug, role);
  const made = await member.rpc.tokens.create({ project: slug, name: "tests", role, environment: "tests", days: 1 });
  if (!("token" in made)) return { slug, member, problems: made.problems, bot: null as never };
  const context = {
    database,
    sessionId: null,
    authorization: `Bearer ${made.token}`,
    baseUrl: "",
    allowPrivateAddresses: true,
    cipher: testCipher,
  };
  return { slug, member, problems: [], bot: createRouterClient(dashboardRouter, { context: { ...context, wake: () => {} } }) };
}

async function made(bot: Awaited<ReturnType<typeof home>>["bot"], project: string, more: object = {}): Promise<string> {
  const answer = await bot.testProjects.create({ project, ...more });
  if ("problems" in answer) throw new Error(JSON.stringify(answer.problems));
  return answer.slug;
}

const count = async (table: string): Promise<number> =>
  (await sql.unsafe<{ count: number }[]>(`select count(*)::int as count from ${table}`))[0]!.count;

/** The number of rows of every table. */
async function rows(): Promise<Record<string, number>> {
  return Object.fromEntries(await Promise.all(TABLE_NAMES.map(async (table) => [table, await count(table)] as const)));
}

/** Adds a made-up row to a table, for that environment and its first player, period, endpoint, delivery, segment and notice. */
async function fill(table: string, environmentId: number): Promise<void> {
  const columns = await sql<{ name: string; type: string }[]>`
    select column_name as name, udt_name as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} 
      and (is_nullable = 'NO' and column_default is null and is_identity = 'NO' or column_name in ('project_id', 'environment_id'))`;
  const first = (what: string, from: string) => `(select ${what} from ${from} where environment_id = ${environmentId} order by 1 limit 1)`;
  const known: Record<string, string> = {
    environment_id: String(environmentId),
    project_id: `(select project_id from environments where id = ${environmentId})`,
    organization_id: `(select p.organization_id from projects p join environments e on e.project_id = p.id where e.id = ${environmentId})`,
    part: `(select part from players where environment_id = ${environmentId} order by player_id limit 1)`,
    player_id: first("player_id", "players"),
    period_id: first("id", "leaderboard_periods"),
    endpoint_id: first("id", "webhook_endpoints"),
    delivery_id: first("id", "webhook_deliveries"),
    segment_id: first("segment_id", "segment_counts"),
    mailing: first("mailing", "notices"),
    user_id: "(select id from users limit 1)",
    membership_id: "(select id from memberships limit 1)",
    invited_by_id: "(select id from users limit 1)",
    email: "gen_random_uuid()::text",
    role: "'Viewer'",
  };
  const madeUp: Record<string, string> = {
    ...{ uuid: "gen_random_uuid()", text: "'x'", timestamptz: "now()", date: "now()::date", bool: "false", numeric: "7", json: "'{}'" },
    ...{ jsonb: "'{}'", bytea: "sha256(gen_random_uuid()::text::bytea)", float4: "7", float8: "7", int2: "7", int4: "7", int8: "7" },
  };
  const values = columns.map(({ name, type }) => known[name] ?? madeUp[type] ?? "'{}'");
  await sql.unsafe(`insert into ${table} (${columns.map(({ name }) => name).join(", ")}) values (${values.join(", ")})`);
}

const DEFINITIONS = {
  version: 1,
  events: [{ key: "order_placed", name: "Order placed" }],
  attributes: [{ key: "level", name: "Level", type: "Number" }],
  catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
  segments: [{ key: "rich", name: "Rich", rule: { points: "Balance", operator: "GreaterThan", value: 1 } }],
  streaks: [{ key: "daily", name: "Daily", event: "order_placed", cadence: "Day" }],
  leaderboards: [
    { key: "orders", name: "Orders", scoreSource: "Event", event: "order_placed", rankOrder: "HighestFirst", period: { kind: "AllTime" } },
  ],
  missions: [
    {
      key: "one",
      name: "One",
      objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }],
      rewards: [
        { kind: "Points", points: 10 },
        { kind: "CatalogItem", catalogItem: "coffee", value: 1 },
      ],
    },
  ],
};

test("a token for tests grants Admin access to the Sandboxes of its project's test projects, and nothing else", async () => {
  const { slug, bot } = await home();
  const other = await home();
  const own = await made(bot, slug, { timeZone: "Asia/Tokyo" });
  expect(own).toMatch(/^test-[0-9a-f]{16}$/);
  const sandbox = { project: own, environment: "sandbox" } as const;
  expect((await bot.keys.create({ ...sandbox, name: "tests" })).key).toMatch(/^svc_sbox_/);
  expect(await bot.projectSettings.read({ project: own })).toMatchObject({ timeZone: "Asia/Tokyo", defaultLanguage: "en" });
  const refused = { code: "FORBIDDEN", message: expect.stringContaining("test projects alone") };
  for (const elsewhere of [slug, other.slug, await made(other.bot, other.slug), "no-such-project"])
    await expect(bot.definitions.list({ ...sandbox, project: elsewhere, kind: "events" }), elsewhere).rejects.toMatchObject(refused);
  await expect(bot.definitions.list({ ...sandbox, environment: "live", kind: "events" })).rejects.toMatchObject(refused);
  const save = { ...sandbox, kind: "events" as const, document: '{"key":"a","name":"A"}', isNew: true };
  await expect(bot.definitions.save({ ...save, alsoIn: { revision: null } })).rejects.toMatchObject(refused);
  expect(await bot.definitions.save(save)).toMatchObject({ problems: [] });
  await expect(bot.definitions.promote({ ...sandbox, chosen: [{ kind: "events", key: "a" }], dryRun: false })).rejects.toMatchObject(
    refused,
  );
  await expect(bot.definitions.promoteAll({ ...sandbox, dryRun: false })).rejects.toMatchObject(refused);
  await expect(bot.auditLog.list({ project: own })).rejects.toMatchObject(refused);
  const [inLive] = await database.sql`
    select count(*)::int as count from definitions d join environments e on e.id = d.environment_id join projects p on p.id = e.project_id
    where p.slug = ${own} and e.kind = 'live'`;
  expect(inLive).toEqual({ count: 0 });
  await expect(bot.testProjects.create({ project: other.slug })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect((await bot.projects.me()).projects.map((one) => one.slug)).toEqual([slug]);
});

test("members of the project can open its test projects with their own role; non-members cannot, and a Viewer cannot create one", async () => {
  const { slug, bot, member } = await home();
  const own = await made(bot, slug);
  const scope = { project: own, environment: "sandbox", kind: "events" } as const;
  expect(await member.rpc.definitions.list(scope)).toBeDefined();
  const guest = { project: own, email: "guest@example.com", role: "Viewer", scope: "project" } as const;
  await expect(member.rpc.members.invite(guest), "an Editor invites nobody").rejects.toMatchObject({ code: "FORBIDDEN" });
  expect((await member.rpc.projects.me()).projects.map((one) => one.slug)).toEqual([slug]);
  expect((await member.rpc.notices.choices()).projects.map((one) => one.slug)).toEqual([slug]);
  await expect(member.rpc.testProjects.create({ project: own })).rejects.toThrow("no test projects of its own");
  const viewer = await signedIn(database, slug, "Viewer");
  expect(await viewer.rpc.projects.place({ project: own })).toMatchObject({ roles: { sandbox: "Viewer", live: "Viewer" } });
  await expect(viewer.rpc.testProjects.create({ project: slug })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect((await home()).member.rpc.definitions.list(scope)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await home("Viewer")).problems).toMatchObject([{ pointer: "#/role" }]);
});

test("a project has a bounded number of test projects, even with concurrent requests; its audit log says who creates and removes them", async () => {
  const { slug, bot, member } = await home();
  const first = await made(bot, slug);
  const answers = await Promise.allSettled(Array.from({ length: MAX_TEST_PROJECTS + 4 }, () => made(bot, slug)));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX_TEST_PROJECTS - 1);
  await bot.testProjects.remove({ project: slug, slug: first });
  await made(bot, slug);
  await expect(bot.testProjects.remove({ project: slug, slug: first })).rejects.toThrow("removed already");
  const { entries } = await (
    await signedIn(database, slug, "Admin")
  ).rpc.auditLog.list({ project: slug, subjectKind: "testProject", action: "remove" });
  expect(entries).toMatchObject([{ actor: member.email, token: "tests", subjectKey: first }]);
});

test("test projects created faster than they are removed are bounded per project and organization, even with concurrent requests", async () => {
  const { slug, bot } = await home();
  const other = await home();
  await sql`
    update projects p set organization_id = (select organization_id from projects where slug = ${slug}) where slug = ${other.slug}`;
  await sql`
    update memberships set organization_id = (select organization_id from projects where slug = ${slug})
    where project_id = (select id from projects where slug = ${other.slug})`;
  const keep = (home: string, kept: number) => sql`
    insert into projects (organization_id, slug, name, default_language, time_zone, test_of, expires_at, archived_at)
    select organization_id, 'test-kept-' || slug || n, name, default_language, time_zone, id, now(), now()
    from projects, generate_series(1, ${kept}::int) n where slug = ${home}`;
  await keep(slug, MAX_KEPT.project - 2);
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => made(bot, slug)));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  await expect(made(bot, slug)).rejects.toThrow(`This project has made ${MAX_KEPT.project} test projects`);
  const third = await home();
  await sql`
    update projects p set organization_id = (select organization_id from projects where slug = ${slug}) where slug = ${third.slug}`;
  await keep(third.slug, MAX_KEPT.organization - MAX_KEPT.project - 1);
  await made(other.bot, other.slug);
  await expect(made(other.bot, other.slug)).rejects.toThrow(`This organization has made ${MAX_KEPT.organization} test projects`);
  await sql`delete from projects where slug like 'test-kept-%'`;
});

test("a removed test project is unknown immediately, and its rows are deleted soon after, with any slice size; other projects keep theirs", async () => {
  const { slug, bot } = await home();
  const neighbour = await made(bot, slug);
  // Removes the projects of earlier tests.
  await removeData(database, () => false, 0);
  const before = await rows();
  const own = await made(bot, slug);
  const scope = { project: own, environment: "sandbox" } as const;
  const { key } = await bot.keys.create({ ...scope, name: "tests" });
  await bot.webhooks.create({ ...scope, url: "http://127.0.0.1:9/hooks", events: ["mission.completed"] });
  for (const kind of ["sandbox", "live"] as const) {
    expect(await importDefinitions(database, await findEnvironment(database, own, kind), DEFINITIONS)).not.toHaveProperty("problems");
    const environment = await findEnvironment(database, own, kind);
    const players = Array.from({ length: 5 }, (_, at) => `player ${at}`);
    for (const externalId of players)
      await readMissions(database, environment, Date.now(), { externalId, take: null, includeCompleted: true, language: null });
    const items = players.map((playerId) => ({ playerId, event: "order_placed", occurredAt: new Date().toISOString() }));
    await ingest(database, environment, { items, mayHoldBadText: false, now: Date.now() });
    await drainFacts(database, environment.id);
    await ingest(database, environment, { items: items.slice(1), mayHoldBadText: false, now: Date.now() });
  }
  const { id } = await findEnvironment(database, own, "sandbox");
  await bot.players.hideFromBoards({ ...scope, externalId: "player 0", reason: "What hidden players have goes too" });
  expect(await count("leaderboard_scores where period_id < 0")).toBe(1);
  const full = await rows();
  const ofNone: readonly string[] = tablesWhere({ by: "nothing" });
  const tables = TABLE_NAMES.filter((table) => !ofNone.includes(table));
  await sql`
    insert into segment_counts (segment_id, environment_id, rule, definitions_version, clock_offset_ms) values (${-id}, ${id}, 'a rule', 0, 0)`;
  await sql`
    insert into notices (environment_id, project_id, kind, cause, details, mailing)
    select id, project_id, 'Quarantined', 'x', '{}', gen_random_uuid() from environments where id = ${id}`;
  for (const table of tables.filter((one) => !["segment_counts", "notices"].includes(one) && full[one] === before[one]))
    await fill(table, id);
  const filled = await rows();
  expect(tables.filter((table) => filled[table] === before[table])).toEqual([]);

  await bot.testProjects.remove({ project: slug, slug: own });
  await expect(bot.keys.list(scope)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await authenticate(sql, keyHash(`Bearer ${key}`))).toMatchObject({ isArchived: true });
  // During the grace period nothing is deleted.
  expect(await removeData(database)).toBe(0);
  const both = await Promise.all([removeData(database, () => false, 0, 10), removeData(database, () => false, 0, 10)]);
  expect(both[0] + both[1]).toBe(1);
  // All that is left are two entries in the audit log of the project that it was made for.
  expect(await rows()).toEqual({ ...before, audit_log: before["audit_log"]! + 2 });
  expect(await bot.projects.place({ project: neighbour })).toMatchObject({ project: neighbour });
});

test("an expired test project is removed automatically", async () => {
  const { slug, bot } = await home();
  const own = await made(bot, slug, { hours: 1 });
  await removeData(database, () => false, 0);
  expect(await bot.projects.place({ project: own })).toMatchObject({ project: own });
  await sql`update projects set expires_at = now() - interval '1 second' where slug = ${own}`;
  // Instants are stored in milliseconds, and may be rounded up.
  await expect.poll(() => removeData(database, () => false, 0)).toBe(1);
  await expect(bot.projects.place({ project: own })).rejects.toMatchObject({ code: "FORBIDDEN" });
});
