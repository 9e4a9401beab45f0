import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { testDatabase, testDatabaseUrl } from "../db/testing.ts";
import { startPooler } from "../db/testing/pooler.ts";
import { countWaiting } from "../server/engine/store/queue.ts";
import { until } from "../db/testing/work.ts";
import { Backend } from "./backend.ts";
import { atLeast, measured, mission, points, shop } from "./definitions.ts";
import { type Call, exact, exchange, type Reply } from "./http.ts";
import { BASE_URL, startService } from "./listening.ts";
import { startNext } from "./serverless.ts";
import { startReceiver, TEST_AUTH_SECRET } from "../server/delivery/testing.ts";

/** The same database behind two transports: node:http, here for comparison and idle, and Next alone, behind a pooler. */
const service = await startService(await testDatabase());
await service.pause();
const pooler = await startPooler(await testDatabaseUrl());
const CRON_SECRET = "0123456789abcdef";
const next = await startNext({
  DATABASE_URL: pooler.url,
  BASE_URL,
  TRUST_PROXY: "true",
  AUTH_SECRET: TEST_AUTH_SECRET,
  CRON_SECRET,
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true",
});
const receiver = await startReceiver();
afterAll(async () => {
  await next.stop();
  await receiver.close();
  pooler.close();
  expect(pooler.faults).toEqual([]);
  // Any other output is a warning, an error or a stack.
  expect(
    next
      .printed()
      .replace(/^(▲ Next|- Local|- Network|✓ ).*\n/gm, "")
      .trim(),
  ).toBe("");
});

const throughNext = ({ environment, key }: Backend) => new Backend({ ...service, port: next.port }, environment, key);
const shopOf = (...missions: object[]) => service.sandbox(shop(...missions));

const cron = (work: string, secret?: string) =>
  fetch(`http://127.0.0.1:${next.port}/api/cron/${work}`, secret === undefined ? {} : { headers: { authorization: `Bearer ${secret}` } });

// Runs first: every later request to Next also does the due work, and would leave none for this test.
test("due work runs for the scheduler, and for no other caller", async () => {
  const backend = await shopOf(mission("first"));
  const { id } = backend.environment;
  const posts = () => receiver.received.filter(({ path }) => path === "/hooks/cron");
  const waiting = () => countWaiting(service.database.sql, id);
  await backend.subscribe(`${receiver.url}/cron`, "mission.completed");
  await backend.missions("ann");
  await backend.send({ playerId: "ann" });

  for (const secret of [undefined, "", "wrong", `${CRON_SECRET}0`]) expect((await cron("facts", secret)).status).toBe(401);
  expect((await cron("unknown", CRON_SECRET)).status).toBe(404);
  expect(await waiting()).toBe(1);
  expect(await (await cron("facts", CRON_SECRET)).json()).toEqual({ work: "facts", done: 1, isThrough: true });
  expect([await waiting(), posts().length]).toEqual([0, 0]);
  expect(await (await cron("deliveries", CRON_SECRET)).json()).toEqual({ work: "deliveries", done: 1, isThrough: true });
  expect(posts()).toHaveLength(1);
  expect((await cron("deliveries", CRON_SECRET)).headers.get("cache-control")).toBe("no-store");
});

test("an event completes a mission, pays and is delivered, with no process but the request that brought it", async () => {
  const backend = throughNext(await shopOf(mission("first", { rewards: [points(10)] })));
  await backend.subscribe(`${receiver.url}/after`, "mission.completed");
  await backend.missions("ann");
  await backend.send({ playerId: "ann" });
  await until(async () => (await backend.points("ann")).balance === 10);
  await until(() => receiver.received.some(({ path }) => path === "/hooks/after"));
});

test("numbers are exact in both directions", async () => {
  const WIDE = "12345678901234567890.12345678";
  const sum = atLeast(exact("99999999999999999999.99999999"), measured("Sum", "amount"));
  const backend = throughNext(await shopOf(mission("wide", { objectives: [sum] })));
  await backend.missions("ann");
  await backend.send({ playerId: "ann", properties: { amount: exact(WIDE) } });
  await backend.applied();
  const { text } = await backend.post("/v1/missions", { playerId: "ann" });
  expect(text).toContain(`"value":${WIDE}}`);
  expect(text).toContain(`"value":99999999999999999999.99999999}`);
});

const LIMIT = 4 * 1024 * 1024;
const ofSize = (size: number) => `{"playerId":"ann","pad":"${"x".repeat(size - 27)}"}`;
const chunked = { "transfer-encoding": "chunked" };
const player = (id: string): Call => ({ body: `{"playerId":"${id}"}` });

/** Requests of every sort; `$` stands for a mission waiting to be accepted. Other tests check the answers; here, that Next changes none. */
const REQUESTS: [string, string, Call?][] = [
  ["GET", "/v1/openapi.json"],
  ["POST", "/v1/openapi.json"],
  ["GET", "/v1/points?PlayerId=ann"],
  ["HEAD", "/v1/points?PlayerId=ann"],
  ["GET", "/v1/points?playerid=a%20b%26c&x=1&&PLAYERID=ann&languageCode="],
  ["GET", "/v1/points?PlayerId=%00"],
  ["GET", "/v1/points?PlayerId=a%FF"],
  ["GET", "/v1/points?PlayerId=%ED%A0%80"],
  ["GET", "/v1/points?PlayerId=a?b%3F"],
  ["GET", "/v1/points?PlayerId=%F0%9F%98%80+%2B&_rsc=1"],
  ["GET", "/v1/points/transactions?PlayerId=ann&take=x"],
  ["GET", "/v1/points", { headers: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" } }],
  ["GET", "/v1/points?PlayerId=ann", { headers: { authorization: "Basic YTpi" } }],
  ["GET", "/v1/points?PlayerId=ann", { headers: { authorization: `Bearer svc_sbox_${"0".repeat(64)}` } }],
  ["POST", "/v1/missions/$/accept", player("bob")],
  ["POST", "/v1/missions/$/accept", player("bob")],
  ["POST", "/v1/missions/%6Danual/accept", player("bob")],
  ["POST", "/v1/missions/%20/accept", player("ann")],
  ["POST", "/v1/missions/a%2Fb%00/accept", player("ann")],
  ["POST", "/v1/missions/%zz/accept", player("ann")],
  ["POST", "/v1/missions/%FF/accept", player("ann")],
  ["GET", "/v1/missions/$/accept"],
  ["GET", "/v1/points/"],
  ["GET", "/v1/points%00"],
  ["GET", "/v1"],
  ["GET", "/v1/"],
  ["DELETE", "/v1/points"],
  ["PUT", "/v1/points", { body: "{}" }],
  ["PATCH", "/v1/points", { body: "{}" }],
  ["OPTIONS", "/v1/points"],
  ["GET", "/"],
  ["GET", "/", { headers: { accept: "*/*" } }],
  ["GET", "/v1x"],
  ["GET", "/V1/points"],
  ["POST", "/nothing?x=%FF", { body: "{}" }],
  ["POST", "/v1/players", { body: '{"playerId":"carl","__proto__":{"a":1}}', headers: { "content-type": "text/plain" } }],
  ["POST", "/v1/players", { ...player("carl"), headers: { "content-type": "application/x-www-form-urlencoded" } }],
  ["POST", "/v1/players", { ...player("carl"), headers: { "content-type": "application/json; charset=utf-16" } }],
  ["POST", "/v1/players", player("carl\\u0000")],
  ["POST", "/v1/players"],
  ["POST", "/v1/players", { body: "" }],
  ["POST", "/v1/players", { body: '{"playerId":' }],
  ["POST", "/v1/players", { body: Buffer.from([0x22, 0xff, 0x22]) }],
  ["POST", "/v1/players", { body: ofSize(LIMIT) }],
  ["POST", "/v1/players", { body: ofSize(LIMIT + 1) }],
  ["POST", "/v1/players", { body: ofSize(LIMIT), headers: chunked }],
  ["POST", "/v1/players", { body: ofSize(LIMIT + 1), headers: chunked }],
  ["POST", "/v1/players", { body: ofSize(20 * LIMIT), headers: chunked }],
  ["GET", "/v1/points?PlayerId=carl"],
];

const SEEN = ["content-type", "cache-control", "www-authenticate", "retry-after", "x-sandbox-time", "location", "allow"];

test("Next answers as node:http does, for any request", async () => {
  const ask = async (port: number) => {
    const backend = await shopOf(mission("manual", { optIn: "Manual" }));
    await backend.missions("bob");
    const answers: object[] = [];
    for (const [method, path, { body, headers } = {}] of REQUESTS) {
      const call = { body, headers: { authorization: `Bearer ${backend.key}`, ...headers } };
      answers.push({ asked: `${method} ${path}`, ...comparable(await exchange(port, method, path.replace("$", "manual"), call)) });
    }
    return answers;
  };
  expect(await ask(next.port)).toEqual(await ask(service.port));
});

/** Random parts of an answer are left out. */
function comparable({ status, headers, text }: Reply): object {
  const seen = Object.fromEntries(SEEN.map((name) => [name, headers[name]]));
  return { status, seen, text: text.replace(/"(traceId|createdAtUtc)":"[^"]+"/, '"$1":""') };
}

test("a body that is too large is read to its end, so that its sender gets the answer", async () => {
  const headers = { authorization: `Bearer ${(await shopOf()).key}`, ...chunked };
  const outgoing = request({ host: "127.0.0.1", port: next.port, method: "POST", path: "/v1/players", headers });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  outgoing.end(ofSize(20 * LIMIT));
  await once(outgoing, "finish");
  const [answer] = await answered;
  expect(answer.statusCode).toBe(400);
  answer.resume();
});

test("a browser gets pages, but a problem on a path of the API", async () => {
  const asBrowser = (path: string) => fetch(`http://127.0.0.1:${next.port}${path}`, { headers: { accept: "text/html" } });
  for (const [path, status, type] of [
    ["/", 404, "text/html; charset=utf-8"],
    ["/docs/errors", 200, "text/html; charset=utf-8"],
    ["/v1/nothing", 401, "application/problem+json"],
  ] as const) {
    const { status: answered, headers } = await asBrowser(path);
    expect([path, answered, headers.get("content-type")]).toEqual([path, status, type]);
    expect(headers.has("content-security-policy"), path).toBe(type.startsWith("text/html"));
  }
});

test("Next redirects two slashes in a row to one, which is why an empty key is written %20 above", async () => {
  const { status, headers } = await fetch(`http://127.0.0.1:${next.port}/v1/missions//accept`, { method: "POST", redirect: "manual" });
  expect([status, headers.get("location")]).toEqual([308, "/v1/missions/accept"]);
});
