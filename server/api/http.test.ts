import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { revokeKeys, testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { openDatabase } from "../../db/client.ts";
import { archiveProject } from "../people/projects/projects.ts";
import { findEnvironment } from "../people/projects/environments.ts";
import { type TestCall, type Reply, testApi } from "./testing/calls.ts";

const database = await testDatabase();
const api = await testApi(database);

const codes = (reply: Reply): unknown => (reply.json as { errors: { code: string }[] }).errors.map(({ code }) => code);

test("a problem has exactly the members of RFC 9457 and ours", async () => {
  const { sandboxKey } = await testProject(database);
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const reply = await api.call("GET", "/v1/points?Take=x", { key: sandboxKey, headers: { traceparent } });
  expect(reply.status).toBe(400);
  expect(reply.headers["content-type"]).toBe("application/problem+json");
  expect(reply.json).toEqual({
    type: "https://api.test/docs/errors#player.external_id_missing",
    title: "Player id missing",
    status: 400,
    detail: "PlayerId is missing.",
    instance: "/v1/points",
    code: "player.external_id_missing",
    traceId: "0af7651916cd43dd8448eb211c80319c",
    errors: [{ code: "player.external_id_missing", message: "PlayerId is missing.", parameter: "PlayerId" }],
  });
});

test.each<[string, TestCall["headers"]]>([
  ["no header", {}],
  ["another scheme", { authorization: "Basic YTpi" }],
  ["no key", { authorization: "Bearer" }],
  ["a key of another form", { authorization: "Bearer svc_sbox_123" }],
  ["a key of a wrong prefix", { authorization: `Bearer svc_test_${"0".repeat(64)}` }],
  ["an unknown key", { authorization: `Bearer svc_sbox_${"0".repeat(64)}` }],
])("401 with a challenge: %s", async (_, headers) => {
  const reply = await api.call("GET", "/v1/points?PlayerId=ann", { headers });
  expect([reply.status, reply.json.code]).toEqual([401, "auth.api_key_invalid"]);
  expect(reply.headers["www-authenticate"]).toBe("Bearer");
});

test("a revoked key is refused from the next request on", async () => {
  const { slug, sandboxKey, liveKey } = await testProject(database);
  expect((await api.get("/v1/points?PlayerId=ann", sandboxKey)).status).toBe(200);
  await revokeKeys(database, await findEnvironment(database, slug, "sandbox"), "test");
  expect((await api.get("/v1/points?PlayerId=ann", sandboxKey)).json.code).toBe("auth.api_key_invalid");
  expect((await api.get("/v1/points?PlayerId=ann", liveKey)).status).toBe(200);
});

test("the keys of an archived project answer 404", async () => {
  const { slug, liveKey } = await testProject(database);
  await archiveProject(database, slug);
  const reply = await api.get("/v1/points?PlayerId=ann", liveKey);
  expect([reply.status, reply.json.code]).toEqual([404, "project_environment.not_found"]);
});

test("authentication comes before routing, and applies only under /v1", async () => {
  expect((await api.get("/v1/nothing")).status).toBe(401);
  expect((await api.post("/v1/missions/%zz/accept", {})).status).toBe(401);
  expect((await api.call("DELETE", "/v1/points")).status).toBe(401);
  for (const path of ["/", "/v1x", "/points", "//v1/points"]) {
    expect((await api.get(path)).json).toMatchObject({ status: 404, code: "route.not_found", instance: path });
  }
});

test.each([
  ["GET", "/v1/points/"],
  ["GET", "/v1//points"],
  ["GET", "/v1/points/transactions/more"],
  ["GET", "/v1/points%00"],
  ["GET", "/v1"],
  ["DELETE", "/v1/points"],
  ["OPTIONS", "/v1/points"],
  ["GET", "/v1/points/adjustments"],
  ["POST", "/v1/openapi.json"],
])("%s %s is no route", async (method, path) => {
  const { sandboxKey } = await testProject(database);
  const reply = await api.call(method, path, { key: sandboxKey });
  expect(reply.json).toMatchObject({ status: 404, code: "route.not_found", instance: path });
});

test("query parameters match in any case; unknown ones are ignored; an empty language counts as none", async () => {
  const { sandboxKey } = await testProject(database);
  for (const query of ["PlayerId=a", "playerid=a", "PLAYERID=a&x=%FF", "player%49d=a&languageCode="]) {
    expect((await api.get(`/v1/points?${query}`, sandboxKey)).status, query).toBe(200);
  }
});

test("text in a query is UTF-8, percent-encoded, without NUL", async () => {
  const { sandboxKey } = await testProject(database);
  for (const id of ["%00", "a%FF", "%zz", "%ED%A0%80"]) {
    const reply = await api.get(`/v1/points?PlayerId=${id}`, sandboxKey);
    expect(reply.json, id).toMatchObject({ status: 400, code: "request.invalid", errors: [{ parameter: "PlayerId" }] });
  }
});

test("lengths count code points: 200 characters of any script are a player id, 201 are not", async () => {
  const { sandboxKey } = await testProject(database);
  for (const one of ["a", "ü", "漢", "😀"]) {
    expect((await api.post("/v1/players", { playerId: one.repeat(200) }, sandboxKey)).json.playerId).toBe(one.repeat(200));
    expect((await api.get(`/v1/points?PlayerId=${encodeURIComponent(one.repeat(200))}`, sandboxKey)).status).toBe(200);
    expect((await api.post("/v1/players", { playerId: one.repeat(201) }, sandboxKey)).json.code).toBe("player.external_id_too_long");
  }
});

test("every problem of a body is listed, in the order of the contract's fields", async () => {
  const { sandboxKey } = await testProject(database);
  const reply = await api.post("/v1/points/adjustments", { idempotencyKey: "k".repeat(201), amount: 1.5, playerId: 7 }, sandboxKey);
  expect(reply.json.errors).toEqual([
    { code: "request.invalid", message: "playerId must be a string.", pointer: "#/playerId" },
    { code: "points_adjustment.amount_invalid", message: expect.any(String), pointer: "#/amount" },
    { code: "points_adjustment.reason_missing", message: "reason is missing.", pointer: "#/reason" },
    {
      code: "points_adjustment.idempotency_key_too_long",
      message: "idempotencyKey is longer than 200 characters.",
      pointer: "#/idempotencyKey",
    },
  ]);
  expect(reply.json.code).toBe("request.invalid");
});

const json = (body: string) => Buffer.from(body);
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

test.each<[string, Uint8Array, string]>([
  ["nothing", json(""), "request.malformed"],
  ["no JSON", json("playerId=ann"), "request.malformed"],
  ["half of it", json('{"playerId": "ann"'), "request.malformed"],
  ["two values", json('{"playerId":"ann"} {}'), "request.malformed"],
  ["invalid UTF-8", Buffer.concat([json('{"playerId":"'), Buffer.from([0xff, 0xfe]), json('"}')]), "request.malformed"],
  ["a UTF-8 surrogate", Buffer.concat([json('{"playerId":"'), Buffer.from([0xed, 0xa0, 0x80]), json('"}')]), "request.malformed"],
  ["a list", json("[]"), "request.invalid"],
  ["a text", json('"ann"'), "request.invalid"],
  ["null", json("null"), "request.invalid"],
  ["a million levels", json(deep(1_000_000)), "request.malformed"],
  ["a thousand levels", json(deep(1000)), "request.invalid"],
  ["a NUL", json('{"playerId":"a\\u0000"}'), "request.invalid"],
  ["a NUL as it is", json('{"playerId":"a\0"}'), "request.malformed"],
  ["a lone surrogate", json('{"playerId":"a","displayName":"\\ud83d"}'), "request.invalid"],
  ["a lone surrogate somewhere unknown", json('{"playerId":"a","x":[{"y":"\\udc00"}]}'), "request.invalid"],
  ["a player hidden in __proto__", json('{"__proto__":{"playerId":"ann"}}'), "player.external_id_missing"],
  ["more than 4 MiB", json(JSON.stringify({ playerId: "ann", pad: "x".repeat(4 * 1024 * 1024) })), "request.too_large"],
])("a body is refused with 400, never 500: %s", async (_, body, code) => {
  const { sandboxKey } = await testProject(database);
  const reply = await api.call("POST", "/v1/players", { key: sandboxKey, body });
  expect([reply.status, reply.json.code]).toEqual([400, code]);
});

test("4 MiB are accepted, a byte more is not, with and without an announced length", async () => {
  const { sandboxKey } = await testProject(database);
  const ofSize = (size: number) => `{"playerId":"ann","pad":"${"x".repeat(size - 27)}"}`;
  const limit = 4 * 1024 * 1024;
  for (const headers of [{}, { "transfer-encoding": "chunked" }] as Record<string, string>[]) {
    expect((await api.call("POST", "/v1/players", { key: sandboxKey, body: ofSize(limit), headers })).status).toBe(200);
    expect((await api.call("POST", "/v1/players", { key: sandboxKey, body: ofSize(limit + 1), headers })).json.code).toBe(
      "request.too_large",
    );
  }
});

test("pointers locate invalid texts", async () => {
  const { sandboxKey } = await testProject(database);
  const reply = await api.call("POST", "/v1/players", { key: sandboxKey, body: '{"playerId":"a","x":[{"y":"\\u0000"},"\\ud800"]}' });
  const invalid = { code: "request.invalid", message: expect.any(String) };
  expect(reply.json.errors).toEqual([
    { ...invalid, pointer: "#/x/0/y" },
    { ...invalid, pointer: "#/x/1" },
  ]);
});

test("a body is read as JSON whatever its Content-Type; unknown members are ignored; the last of duplicate members counts", async () => {
  const { sandboxKey } = await testProject(database);
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16"]) {
    const body = '{"playerId":"x","playerId":"ann","unknown":1,"__proto__":{"a":1},"constructor":1}';
    const reply = await api.call("POST", "/v1/players", { key: sandboxKey, body, headers: { "content-type": type } });
    expect(reply.json.playerId).toBe("ann");
  }
});

test("HEAD answers as GET does, without the body", async () => {
  const { sandboxKey } = await testProject(database);
  const get = await api.get("/v1/points?PlayerId=a", sandboxKey);
  const head = await api.call("HEAD", "/v1/points?PlayerId=a", { key: sandboxKey });
  expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", get.headers["content-length"]]);
});

test("a Sandbox response reports its time once the clock has been moved, even when it is a problem", async () => {
  const { sandbox, sandboxKey, liveKey } = await testProject(database);
  expect((await api.get("/v1/points?PlayerId=a", sandboxKey)).headers["x-sandbox-time"]).toBeUndefined();
  const day = 86_400_000;
  await database.sql`update environments set clock_offset_ms = ${day} where id = ${sandbox.id}`;
  const shown = (await api.get("/v1/points?PlayerId=a", sandboxKey)).headers["x-sandbox-time"] as string;
  expect(shown).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Math.abs(Date.parse(shown) - day - Date.now())).toBeLessThan(60_000);
  expect((await api.get("/v1/nothing", sandboxKey)).headers["x-sandbox-time"]).toBeDefined();
  expect((await api.get("/v1/points?PlayerId=a", liveKey)).headers["x-sandbox-time"]).toBeUndefined();
});

test("a request logs one line, without key, query or body", async () => {
  const { sandbox, sandboxKey } = await testProject(database);
  api.logged.length = 0;
  const traceparent = "00-11111111111111111111111111111111-2222222222222222-00";
  await api.call("POST", "/v1/missions/secret-key/accept?x=secret-query", {
    key: sandboxKey,
    body: '{"playerId":"secret-id"}',
    headers: { traceparent },
  });
  expect(api.logged).toHaveLength(1);
  expect(JSON.parse(api.logged[0]!)).toMatchObject({
    method: "POST",
    route: "/v1/missions/{missionKey}/accept",
    status: 404,
    durationMs: expect.any(Number),
    environment: sandbox.id,
    traceId: "1".repeat(32),
    code: "mission.not_locked_in",
  });
  expect(api.logged[0]).not.toContain("secret");
  expect(api.logged[0]).not.toContain(sandboxKey);
});

test.each([
  "00-00000000000000000000000000000000-b7ad6b7169203331-01",
  "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  "nonsense",
])("an invalid traceparent gets a new trace id: %s", async (traceparent) => {
  const { traceId } = (await api.call("GET", "/v1/points", { headers: { traceparent } })).json;
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(traceparent).not.toContain(traceId);
});

test.each([
  ["out of reach", { port: "1" }],
  ["that refuses the login", { username: "nobody" }],
])("a database %s is 503 with Retry-After", async (_, changed) => {
  const gone = openDatabase(Object.assign(new URL(await testDatabaseUrl()), changed).href, { connections: 1 });
  const other = await testApi(gone);
  const reply = await other.get("/v1/points?PlayerId=a", `svc_sbox_${"0".repeat(64)}`);
  expect([reply.status, reply.json.code, reply.headers["retry-after"]]).toEqual([503, "service.unavailable", "2"]);
  await gone.close();
});

test.each([
  ["an unexpected error is 500", "XX000", 500, "internal_error"],
  ["a statement over the role's own timeout is 503", "57014", 503, "service.unavailable"],
])("%s without internal details, and logged with its trace id", async (_, sqlState, status, code) => {
  const { sandboxKey } = await testProject(database);
  const fail = () => Promise.reject(Object.assign(new Error("inner detail"), { code: sqlState }));
  const broken = { ...database, sql: Object.assign(fail, { options: database.sql.options }) as unknown as typeof database.sql };
  const other = await testApi(broken);
  const reply = await other.get("/v1/points?PlayerId=a", sandboxKey);
  expect([reply.status, reply.json.code]).toEqual([status, code]);
  expect(reply.text).not.toContain("inner");
  expect(other.logged.join()).toContain("inner detail");
  expect(other.logged.join()).toContain(reply.json.traceId);
});

test("a client that disconnects in the middle of a body leaves only a log line", async () => {
  const { sandboxKey } = await testProject(database);
  api.logged.length = 0;
  const socket = connect(api.port, "127.0.0.1");
  socket.write(
    `POST /v1/players HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandboxKey}\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{`,
  );
  // The service has started reading.
  await once(socket, "data");
  socket.destroy();
  await expect.poll(() => api.logged.map((line) => JSON.parse(line).status)).toEqual([499]);
});

test("the OpenAPI document needs no key and describes every endpoint with its problems", async () => {
  const { status, json: document } = await api.get("/v1/openapi.json");
  expect([status, document.openapi]).toEqual([200, "3.1.1"]);
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(["/v1/events", "/v1/players", "/v1/missions", "/v1/missions/{missionKey}/accept", "/v1/points"]),
  );
  const adjust = document.paths["/v1/points/adjustments"].post;
  expect(Object.keys(adjust.responses)).toEqual(["200", "400", "401", "404", "408", "409", "429", "500", "503"]);
  expect(adjust.responses["400"].content["application/problem+json"].schema.allOf[1].properties.code.enum).toContain(
    "points_adjustment.reason_too_long",
  );
  expect(document.paths["/v1/missions/{missionKey}/accept"].post.responses["204"].content).toBeUndefined();
  for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    expect(document.components.schemas).toHaveProperty(name!);
  }
});

test("a list in the place of a text is one problem, whatever its length", async () => {
  const { sandboxKey } = await testProject(database);
  const walk = { externalPlayerId: "ann", value: 1, occurredAtUtc: new Date().toISOString() };
  for (const metricKey of [[], Array.from({ length: 500 }, () => "a")]) {
    const { json } = await api.post("/v1/metric-events", { ...walk, metricKey }, sandboxKey);
    expect(json.errors).toEqual([{ code: "request.invalid", message: "metricKey must be a string.", pointer: "#/metricKey" }]);
  }
});

test("problems of the whole body and of one field are reported together", async () => {
  const { sandboxKey } = await testProject(database);
  expect(codes(await api.post("/v1/players", { playerId: "", displayName: "x".repeat(201), timeZoneId: "+02:00" }, sandboxKey))).toEqual([
    "player.external_id_missing",
    "request.invalid",
    "request.invalid",
  ]);
});
