import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { writeAttributes } from "../game/attributes/service.ts";
import { countWaiting } from "../engine/store/queue.ts";
import { dueFills } from "../game/leaderboards/store/fills.ts";
import { JOB_NAMES, JOBS } from "../operations/worker/registry.ts";
import { createApiHandler } from "../api/fetch.ts";
import { serverless } from "./serverless.ts";
import { signedIn } from "../api/testing/signed-in.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";

const database = await testDatabase();
const SECRET = "0123456789abcdef";
const AUTH_SECRET = "only for this test";
const AS_SCHEDULER = `Bearer ${SECRET}`;

/** The work that the process has scheduled after its answers. */
const afterwards: (() => Promise<void>)[] = [];
const later = (work: () => Promise<void>) => void afterwards.push(work);

const NOTHING = { BASE_URL: "", DATABASE_URL: "", AUTH_SECRET, CRON_SECRET: "", LOG_LEVEL: "silent" };

/** Resets the module state, as in a new process. */
const begin = (environment: Record<string, string>) => {
  Reflect.deleteProperty(globalThis, Symbol.for("engagement-service.serverless"));
  for (const [name, value] of Object.entries({ ...NOTHING, ...environment })) vi.stubEnv(name, value);
};

beforeEach(async () => {
  afterwards.length = 0;
  begin({ DATABASE_URL: await testDatabaseUrl(), CRON_SECRET: SECRET });
});
afterEach(() => vi.unstubAllEnvs());

const ask = (path: string, init?: RequestInit) => serverless(later).answer(new Request(`https://points.test${path}`, init));

test("all routes of a process share one service, even with modules of their own", async () => {
  const again = "./serverless.ts?again";
  const other = (await import(again)) as { serverless: typeof serverless };
  expect(other.serverless).not.toBe(serverless);
  expect(other.serverless(later)).toBe(serverless(later));
});

test("accepted events are applied after the answer; with an empty queue nothing is scheduled", async () => {
  const { sandbox, sandboxKey } = await testProject(database);
  await importDefinitions(database, sandbox, { version: 1, events: [{ key: "order_placed", name: "Order placed" }] });
  const send = async (event: string) => {
    const events = [{ playerId: "ann", event, occurredAt: new Date().toISOString() }];
    const headers = { authorization: `Bearer ${sandboxKey}` };
    return (await ask("/v1/events", { method: "POST", headers, body: JSON.stringify({ events }) })).json();
  };
  expect(await send("unknown")).toMatchObject({ accepted: 0 });
  // The request log is written after each answer.
  expect(afterwards).toHaveLength(1);
  await afterwards.pop()!();
  const [logged] = await database.sql<{ count: number }[]>`select count(*) as count from request_log where environment_id = ${sandbox.id}`;
  expect(logged!.count).toBe(1);
  expect(await send("order_placed")).toMatchObject({ accepted: 1 });
  expect(await countWaiting(database.sql, sandbox.id)).toBe(1);
  expect(afterwards).toHaveLength(2);
  for (const act of afterwards) await act();
  expect(await countWaiting(database.sql, sandbox.id)).toBe(0);
});

test("a body that arrives too late is a 408 here too, and took no slot", async () => {
  const { sandboxKey } = await testProject(database);
  const api = createApiHandler({
    database,
    baseUrl: "https://api.test",
    logger: pino({ level: "silent" }),
    wake: () => {},
    maxArrivalMs: 50,
  });
  const send = (body: BodyInit) => {
    const headers = { authorization: `Bearer ${sandboxKey}` };
    return api(new Request("https://points.test/v1/players", { method: "POST", headers, body, duplex: "half" } as RequestInit));
  };
  const never = () => new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
  const slow = Promise.all(Array.from({ length: 30 }, () => send(never())));
  expect((await send('{"playerId":"ann"}')).status).toBe(200);
  const [first, ...others] = await slow;
  expect([first!.headers.get("connection"), (await first!.json()).code]).toEqual(["close", "request.timeout"]);
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([408]));
});

test("a board is filled after the answer that switches it on", async () => {
  const { sandbox, slug } = await testProject(database);
  const levels = { key: "levels", name: "Levels", scoreSource: "Attribute", attribute: "level", rankOrder: "HighestFirst" };
  await importDefinitions(database, sandbox, {
    version: 1,
    attributes: [{ key: "level", name: "Level", type: "Number" }],
    leaderboards: [{ ...levels, period: { kind: "AllTime" }, active: false }],
  });
  await writeAttributes(database, sandbox, { playerId: "ann", attributes: { level: 3 } }, []);
  const { email } = await signedIn(database, slug, "Editor");
  const [session] = await database.sql<{ id: string }[]>`
    select s.id from sessions s join users u on u.id = s.user_id where u.email = ${email}`;
  const rpc = serverless(later).dashboard().client(session!.id);
  await rpc.definitions.setActive({ project: slug, environment: "sandbox", kind: "leaderboards", key: "levels", active: true });
  expect(afterwards).toHaveLength(1);
  expect(await dueFills(database.sql, sandbox.id)).toHaveLength(1);
  await afterwards[0]!();
  expect(await dueFills(database.sql, sandbox.id)).toEqual([]);
});

test("a scheduler needs the secret and the name of an existing job", async () => {
  const statusOf = async (work: string, authorization: string | null) => (await serverless(later).runWork(work, authorization)).status;
  for (const wrong of [
    null,
    "",
    SECRET,
    "Bearer ",
    `Bearer ${SECRET}x`,
    `Bearer ${SECRET.slice(1)}`,
    `bearer ${SECRET}`,
    "Bearer undefined",
  ])
    expect(await statusOf("facts", wrong), String(wrong)).toBe(401);
  expect(await statusOf("unknown", null)).toBe(401);
  expect(await statusOf("unknown", AS_SCHEDULER)).toBe(404);
  expect(await statusOf("facts", AS_SCHEDULER)).toBe(200);
});

test("a scheduler hears of work that could not be done in its time", async () => {
  begin({ DATABASE_URL: "postgres://localhost:1/x", CRON_SECRET: SECRET });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const asked = serverless(later).runWork("budgets", AS_SCHEDULER);
  await vi.advanceTimersByTimeAsync(45_000);
  vi.useRealTimers();
  const response = await asked;
  expect([response.status, await response.json()]).toEqual([503, { work: "budgets", done: 0, isThrough: false }]);
});

test("vercel.json schedules every job", async () => {
  const file = fileURLToPath(new URL("../../vercel.json", import.meta.url));
  const crons = JOB_NAMES.map((work) => ({
    path: `/api/cron/${work}`,
    schedule: JOBS[work].everyMinutes === 5 ? "*/5 * * * *" : "* * * * *",
  }));
  const config = { ...(JSON.parse(readFileSync(file, "utf8")) as object), crons };
  await expect(`${JSON.stringify(config, null, 2)}\n`).toMatchFileSnapshot(file);
});

test("without a secret no work is done", async () => {
  begin({ DATABASE_URL: await testDatabaseUrl() });
  for (const authorization of [null, "Bearer ", "Bearer undefined", AS_SCHEDULER]) {
    const response = await serverless(later).runWork("facts", authorization);
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("CRON_SECRET")]);
  }
});

test.each([
  ["DATABASE_URL must be set", { CRON_SECRET: SECRET }],
  ["AUTH_SECRET must be set", { DATABASE_URL: "postgres://localhost/x", AUTH_SECRET: "" }],
  ["CRON_SECRET must", { DATABASE_URL: "postgres://localhost/x", CRON_SECRET: "short" }],
])("wrong settings are named in the log (%s …) only; requests get a problem without them", async (line, environment) => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  begin(environment);
  const response = await ask("/v1/points");
  const body = await response.text();
  const cron = await serverless(later).runWork("facts", AS_SCHEDULER);
  expect(said.mock.calls.join()).toContain(line);
  said.mockRestore();
  expect([response.status, response.headers.get("content-type"), cron.status]).toEqual([503, "application/problem+json", 503]);
  expect(JSON.parse(body)).toMatchObject({ code: "service.unavailable", instance: "/v1/points" });
  expect(body + (await cron.text())).not.toMatch(/DATABASE_URL|AUTH_SECRET|CRON_SECRET/);
});
