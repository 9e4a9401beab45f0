import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { encode } from "next-auth/jwt";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "#db/client.ts";
import { testDatabase, testDatabaseUrl } from "#db/testing.ts";
import { type Caller, MAKERS, openWorld } from "../../api/testing/access-world.ts";
import { AUTH_SECRET, serveRpc, testDashboard } from "../../api/testing/dashboard.ts";
import { createExports } from "../../api/exports.ts";
import { createRpcListener } from "../../api/http.ts";
import { sessionCookie } from "../../api/session-cookie.ts";
import { uploadImage } from "../../authoring/images/service.ts";
import { takeMetricEvent } from "../../game/metrics/service.ts";
import { Decimal } from "../../model/kernel/decimal.ts";
import { adjustPoints } from "../../game/points/service.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { erasePlayer } from "../../operations/privacy/erase.ts";
import { LISTS } from "./lists.ts";
import { ownedPages } from "./pages.ts";
import { readSegmentMembers, readTransactions } from "./store.ts";
import { exportDefinitions, importDefinitions } from "../../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const world = await openWorld(database);
const { name: COOKIE } = sessionCookie(true);
const { dashboard, faults } = testDashboard(database);
const { port } = await serveRpc(dashboard);

const named = (name: string): Caller => world.callers.find((caller) => caller.name === name)!;

async function open(
  path: string,
  { sessionId, authorization }: Caller,
  more: Record<string, string> = {},
  at = port,
): Promise<IncomingMessage> {
  const headers: Record<string, string> = { ...more, ...(authorization !== null && { authorization }) };
  if (sessionId !== null) headers.cookie = `${COOKIE}=${await encode({ token: { sessionId }, secret: AUTH_SECRET, salt: COOKIE })}`;
  const [response] = (await once(get({ port: at, host: "127.0.0.1", path, headers }), "response")) as [IncomingMessage];
  return response;
}

async function read(path: string, caller: Caller, more?: Record<string, string>): Promise<{ status: number; text: string }> {
  const response = await open(path, caller, more);
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
  return { status: response.statusCode!, text };
}

const pathOf = (list: string, format = "csv", query: Record<string, string> = {}) =>
  `/rpc/exports/${list}.${format}?${new URLSearchParams({ project: world.own.slug, environment: "sandbox", ...query })}`;

test("a list needs its role, its project and a permitted token, and cross-site links are refused", async () => {
  const segment = await MAKERS.segment(database, world.own);
  const importId = await MAKERS.import(database, world.own);
  await importDefinitions(database, world.own.environment, {
    version: 1,
    leaderboards: [{ key: "board", name: "Board", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "AllTime" } }],
  });
  const query = { segment, import: importId, leaderboard: "board" };
  for (const [list, { role, scope }] of Object.entries(LISTS)) {
    const isOfProject = scope === "project";
    const status = async (name: string) => (await read(pathOf(list, "csv", query), named(name))).status;
    expect([list, await status("token of role Support")]).toEqual([list, 200]);
    expect([list, await status("token of role Viewer")]).toEqual([list, role === "Viewer" ? 200 : 403]);
    expect([list, await status("token bound to Live")]).toEqual([list, 403]);
    expect([list, await status("token bound to the Sandbox")]).toEqual([list, isOfProject ? 403 : 200]);
    expect([list, await status("Owner of another organization")]).toEqual([list, 404]);
    expect([list, await status("ended session")]).toEqual([list, 401]);
  }
  // The log says of which segment, board and file, and which entries of the log itself.
  await read(pathOf("audit-log", "csv", { subjectKind: "player", subjectKey: "ann" }), named("Owner of the organization"));
  const said = (list: string) => database.sql`
    select difference from audit_log where action = 'export' and subject_key = ${list} order by id desc limit 1`;
  const of = (key: string, value: string) => [{ difference: [{ type: "CREATE", path: [key], value }] }];
  expect(await said("segment-members")).toEqual(of("segment", segment));
  expect(await said("standings")).toEqual(of("leaderboard", "board"));
  expect(await said("refused-lines")).toEqual(of("import", importId));
  expect(await said("audit-log")).toEqual(of("subjectKind", "player"));
  expect(await said("players")).toEqual([{ difference: [] }]);
  const owner = named("Owner of the organization");
  expect((await read(pathOf("players"), owner, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await read(pathOf("players"), owner, { "sec-fetch-site": "same-origin" })).status).toBe(200);
  expect((await read(pathOf("unheard"), owner)).status).toBe(404);
  expect((await read(pathOf("standings", "csv", { leaderboard: "board", start: "\0" }), owner)).status).toBe(400);
  const [entry] = await database.sql<
    { count: number }[]
  >`select count(*) from audit_log where action = 'export' and subject_key = 'players'`;
  expect(entry!.count, "every file that was begun is in the log").toBe(3);
  expect(faults).toEqual([]);
});

test("an environment's definitions are a file for every member, the same that a promotion reads, and not audited", async () => {
  const viewer = named("token of role Viewer");
  const images = { images: "true" };
  const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><title>T</title></svg>');
  const uploaded = await uploadImage(database, world.own.environment, bytes, { userId: null, name: "ann" });
  if ("code" in uploaded) throw new Error(uploaded.code);
  const catalogItems = [{ key: "pictured", name: "Pictured", valueType: "Number", images: { icon: uploaded.id } }];
  expect(await importDefinitions(database, world.own.environment, { version: 1, catalogItems })).not.toHaveProperty("problems");
  for (const query of [{}, images]) {
    const { status, text } = await read(pathOf("definitions", "json", query), viewer);
    const exported = await exportDefinitions(database, world.own.environment, { images: query === images });
    expect([status, text]).toEqual([200, `${JSON.stringify(exported, null, 2)}\n`]);
  }
  expect((await read(pathOf("definitions", "json", { ...images, environment: "live" }), viewer)).text).toContain('"images": []');
  const texts = await read(pathOf("translations", "csv", { search: "pictured", languages: "en,de", missing: "true" }), viewer);
  expect([texts.status, texts.text]).toEqual([200, "\uFEFFkind,key,field,default,en,de\r\ncatalogItems,pictured,/name,en,Pictured,\r\n"]);
  expect((await read(pathOf("translations", "csv", { languages: "no language" }), viewer)).status).toBe(422);
  for (const refused of [pathOf("definitions"), pathOf("translations", "jsonl"), pathOf("players", "json")])
    expect((await read(refused, named("Owner of the organization"))).status).toBe(404);
  expect((await read(pathOf("definitions", "json"), named("Owner of another organization"))).status).toBe(404);
  expect((await read(pathOf("definitions", "json"), named("token bound to Live"))).status).toBe(403);
  const entries = await database.sql`select id from audit_log where action = 'export' and subject_key in ('definitions', 'translations')`;
  expect(entries).toEqual([]);
  expect(faults).toEqual([]);
});

test("twenty thousand rows are read no faster than the client takes them, and each comes once", async () => {
  const { environment } = world.ownLive;
  await database.sql`
    insert into players (part, player_id, environment_id, external_id, display_name, created_at)
    select n % 1024, gen_random_uuid(), ${environment.id}, 'p' || lpad(n::text, 5, '0'), repeat('x', 1000), now() from generate_series(1, 20000) n`;
  const source = LISTS.players!;
  let pages = 0;
  const plain = source.open;
  source.open = async function (...of) {
    const all = await plain(...of);
    return (async function* () {
      for await (const page of all) {
        pages++;
        yield page;
      }
    })();
  };
  const response = await open(pathOf("players", "jsonl", { environment: "live" }), named("Owner of the organization"));
  response.pause();
  await delay(600);
  // Each page is more than a megabyte: sockets and streams buffer some of them, whatever the length of the list.
  const whilePaused = pages;
  expect(whilePaused).toBeLessThan(16);
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
  source.open = plain;
  expect(pages).toBeGreaterThan(whilePaused);
  const ids = text.trimEnd().split("\n").map((line) => (JSON.parse(line) as { playerId: string }).playerId); // oxfmt-ignore
  expect([ids.length, new Set(ids).size]).toEqual([20_000, 20_000]);
});

test("a client that disconnects releases its slot", async () => {
  const owner = named("Owner of the organization");
  const path = pathOf("players", "jsonl", { environment: "live" });
  const held = [await open(path, owner), await open(path, owner)];
  expect((await read(path, owner)).status).toBe(429);
  for (const one of held) one.destroy();
  await expect.poll(async () => (await read(pathOf("players"), owner)).status).toBe(200);
  const header = (name: string) => (name === "authorization" ? named("token of role Owner").authorization! : undefined);
  for (let at = 0; at < 4; at++) {
    const { status, body } = await dashboard.exports({ method: "GET", target: path, header });
    expect(status, "also where nothing was ever read").toBe(200);
    await body[Symbol.asyncIterator]().return!();
  }
});

test("an organization whose clients read nothing holds three files, and others get theirs", async () => {
  const path = pathOf("players", "jsonl", { environment: "live" });
  const [owner, admin] = [named("Owner of the organization"), named("Admin of the organization")];
  const held = [await open(path, owner), await open(path, owner), await open(path, admin)];
  expect((await read(path, named("token of role Owner"))).status).toBe(429);
  const foreign = named("Owner of another organization");
  expect((await read(pathOf("players", "csv", { project: world.foreign.slug }), foreign)).status).toBe(200);
  for (const one of held) one.destroy();
  await expect.poll(async () => (await read(pathOf("players"), owner)).status).toBe(200);
});

test("an export ends within a minute of its reader's access", async () => {
  const { sql } = database;
  const { authorization, userId } = named("token of role Support");
  const header = (name: string) => (name === "authorization" ? authorization! : undefined);
  const { body } = await dashboard.exports({ method: "GET", target: pathOf("players", "jsonl", { environment: "live" }), header });
  const pages = body[Symbol.asyncIterator]();
  expect((await pages.next()).value, "the head").toBe("");
  const start = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(start + 61_000);
  onTestFinished(() => void clock.mockRestore());
  expect((await pages.next()).value, "access is read again").toContain("playerId");
  const { count } = await sql`update memberships set live_role = 'Viewer' where user_id = ${userId}`;
  expect(count).toBe(1);
  onTestFinished(() => sql`update memberships set live_role = null where user_id = ${userId}`.then(() => {}));
  expect((await pages.next()).value, "at most once a minute").toContain("playerId");
  clock.mockReturnValue(start + 122_000);
  await expect(pages.next()).rejects.toThrow("needs the Support role");
});

test("a client that takes too long is cut off, its slot is released, and the log says so", async () => {
  const said: string[] = [];
  const exports = createExports({
    ...{ database, baseUrl: "https://points.test", token: dashboard.signInService.settings, maxMs: 50 },
    translateErrors: ({ next }) => next(),
    logger: pino({ level: "warn" }, { write: (line: string) => void said.push(line) }),
  });
  const patient = createServer((request, response) => void createRpcListener({ ...dashboard, exports })(request, response));
  await once(patient.listen(0, "127.0.0.1"), "listening");
  const path = pathOf("players", "jsonl", { environment: "live" });
  for (let at = 0; at < 4; at++) {
    const reader = await open(path, named("token of role Owner"), {}, (patient.address() as AddressInfo).port);
    expect(reader.pause().statusCode, "no place is held for ever").toBe(200);
    await expect(reader.resume().toArray()).rejects.toThrow("aborted");
  }
  expect(said.filter((line) => line.includes("an export was cut off") && line.includes(world.own.slug))).toHaveLength(4);
  patient.close();
});

test("the transactions of all players, including erased ones, add up to their balances", async () => {
  const { environment } = world.sibling;
  for (let at = 0; at < 5; at++) await savePlayer(database, environment, 0, `p${at}`, {});
  for (let at = 0; at < 30; at++)
    await adjustPoints(database, environment, 0, { externalId: `p${at % 5}`, amount: at + 1, reason: "=1+1", idempotencyKey: null });
  await erasePlayer(database, environment, "p4", "They asked");
  const rows: { id: string; amount: number }[] = [];
  const current = (await loadEnvironment(database.sql, environment.id))!;
  for await (const page of ownedPages(database.sql, current.id, readTransactions, { page: 4, owners: 2 }))
    rows.push(...page.map((text) => JSON.parse(text) as (typeof rows)[number]));
  expect([rows.length, new Set(rows.map(({ id }) => id)).size]).toEqual([30, 30]);
  const file = await read(
    `/rpc/exports/transactions.csv?project=${world.sibling.slug}&environment=sandbox`,
    named("Owner of the organization"),
  );
  const lines = file.text.trimEnd().split("\r\n");
  expect(lines).toHaveLength(31);
  expect(lines.filter((line) => line.startsWith(","))).toHaveLength(6);
  expect(lines[1]).toContain("'=1+1");
  expect(lines.slice(1).reduce((sum, line) => sum + Number(line.split(",")[3]), 0)).toBe(465);
});

test("metric events are a list with instants as the API writes them, and amounts as sent and in the base currency, digit for digit", async () => {
  const { environment, slug } = world.sibling;
  const metrics = [{ key: "spend", name: "Spend", kind: "Currency" }];
  await importDefinitions(database, environment, { version: 1, baseCurrency: "EUR", metrics });
  await takeMetricEvent(database, (await loadEnvironment(database.sql, environment.id))!, 0, {
    ...{ externalId: "p0", metricKey: "spend", value: Decimal.parse("-2345678901234567890.12345678")!, currencyCode: "USD" },
    ...{ exchangeRate: 0.5, idempotencyKey: null, occurredAt: 0, properties: {}, timeZone: null },
  });
  const file = await read(`/rpc/exports/metric-events.csv?project=${slug}&environment=sandbox`, named("Owner of the organization"));
  expect(file.text).toContain(
    ",1970-01-01T00:00:00.000Z,1970-01-01T00:00:00.000Z,-2345678901234567890.12345678,USD,0.5,-1172839450617283945.06172839,{}\r\n",
  );
});

test("a page of a segment's members reads these members alone", async () => {
  const { sql } = database;
  const id = world.own.environment.id;
  const [row] = await sql<{ id: number }[]>`
    insert into definitions (environment_id, kind, key, active, body, created_at, updated_at)
    values (${id}, 'segments', 'paged', true, '{}', now(), now()) returning id`;
  await sql`insert into segment_counts (segment_id, environment_id, rule, definitions_version, clock_offset_ms, generation) values (${row!.id}, ${id}, '', 0, 0, 1)`;
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at)
    select n % 1024, md5(n::text)::uuid, ${id}, 'member ' || n, now() from generate_series(1, 3000) n`;
  await sql`
    insert into segment_members select ${row!.id}, 1, part, player_id from players where environment_id = ${id} and external_id like 'member %'`;
  await sql`analyze segment_members, segment_counts, definitions, players`;
  const pool = openDatabase(await testDatabaseUrl(), { connections: 1 });
  const membersRead = async () => {
    await pool.sql`select pg_stat_force_next_flush()`;
    const [table] = await pool.sql<{ count: number }[]>`
      select seq_tup_read + idx_tup_fetch as count from pg_stat_user_tables where relname = 'segment_members'`;
    const [index] = await pool.sql<{ count: number }[]>`
      select idx_tup_read as count from pg_stat_user_indexes where relname = 'segment_members'`;
    return table!.count + index!.count;
  };
  const before = await membersRead();
  expect(await readSegmentMembers("paged")(pool.sql, id, "", 20)).toHaveLength(20);
  expect((await membersRead()) - before).toBeLessThan(200);
  await pool.close();
});
