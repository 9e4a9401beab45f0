import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { encode } from "next-auth/jwt";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { testDatabase, testProject } from "../../db/testing.ts";
import { MAX_ANSWER_BYTES, withinBudget } from "./answer-budget.ts";
import { CostlyCalls } from "./costly-calls.ts";
import { AUTH_SECRET, serveRpc, testDashboard } from "./testing/dashboard.ts";
import { answerRpc } from "./fetch.ts";
import { createRpc } from "./handle-rpc.ts";
import { sessionCookie } from "./session-cookie.ts";
import { signedIn } from "./testing/signed-in.ts";
import { testCipher } from "../delivery/testing.ts";

/** The edge before the dashboard's procedures: the body of a forbidden call is not read. */
const database = await testDatabase();
const logger = pino({ level: "silent" });
const { dashboard } = testDashboard(database, { logger, baseUrl: "http://points.test", allowPrivateAddresses: false });
/** Bytes read of the last request's body, as counted by its handler. */
let bytesRead = 0;
const { port } = await serveRpc(dashboard, (incoming) => {
  bytesRead = 0;
  const on = incoming.on.bind(incoming);
  incoming.on = (event: string, act: (...of: any[]) => void) =>
    event === "data" ? on(event, (chunk: Buffer) => ((bytesRead += chunk.length), act(chunk))) : on(event, act);
});

const { slug } = await testProject(database);
const editor = await cookieOf(await signedIn(database, slug, "Editor"));

async function cookieOf({ email }: { email: string }): Promise<string> {
  const [session] = await database.sql<{ id: string }[]>`
    select s.id from sessions s join users u on u.id = s.user_id where u.email = ${email}`;
  const { name } = sessionCookie(false);
  return `${name}=${await encode({ token: { sessionId: session!.id }, secret: AUTH_SECRET, salt: name })}`;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const AS_CLIENT = { "content-type": "application/json", "x-csrf-token": "orpc" };

async function send(path: string, { method = "POST", headers = {}, body = "" }: Sent) {
  const outgoing = request({ port, host: "127.0.0.1", method, path, headers: { ...AS_CLIENT, ...headers } });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  outgoing.end(body);
  const [incoming] = await answered;
  const answer = await text(incoming);
  return { status: incoming.statusCode, headers: incoming.headers, json: JSON.parse(answer).json };
}

const input = (json: object) => JSON.stringify({ json });
const here = { project: slug, environment: "sandbox" };

test("a user calls a procedure and gets its answer", async () => {
  const { status, json, headers } = await send("/rpc/definitions/settings", { headers: { cookie: editor }, body: input(here) });
  expect([status, json.baseCurrency, headers["x-content-type-options"]]).toEqual([200, null, "nosniff"]);
  expect(bytesRead).toBeGreaterThan(0);
});

const forged = `${sessionCookie(false).name}=${"x".repeat(300)}`;

test.each<[string, number, Sent]>([
  ["without a session", 401, {}],
  ["with a forged one", 401, { headers: { cookie: forged } }],
  ["without what the client sends along", 403, { headers: { cookie: editor, "x-csrf-token": "" } }],
  ["as a form", 415, { headers: { cookie: editor, "content-type": "multipart/form-data; boundary=x" } }],
  ["as a form, without a session", 401, { headers: { "content-type": "multipart/form-data; boundary=x" } }],
  ["as an encoded form", 415, { headers: { cookie: editor, "content-type": "application/x-www-form-urlencoded" } }],
  ["as a type that begins alike", 415, { headers: { cookie: editor, "content-type": "application/jsonx" } }],
  ["with another method", 405, { method: "PUT", headers: { cookie: editor } }],
  ["to no procedure", 404, { headers: { cookie: editor } }],
  ["that is larger than it says the procedure takes", 413, { headers: { cookie: editor } }],
])("a call %s is refused with %i before a byte of its body is read", async (what, status, sent) => {
  const path = what === "to no procedure" ? "/rpc/definitions/nothing" : "/rpc/definitions/settings";
  const answer = await send(path, { ...sent, body: Buffer.alloc(1024 * 1024, "[") });
  expect([answer.status, bytesRead]).toEqual([status, 0]);
  expect(answer.json.message).toEqual(expect.any(String));
});

test("a signed-out caller is answered while their body is still arriving", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.write("POST /rpc/definitions/importFile HTTP/1.1\r\nHost: x\r\nX-CSRF-Token: orpc\r\nContent-Type: application/json\r\n");
  socket.write("Content-Length: 16000000\r\n\r\n{");
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
  socket.destroy();
});

test("a removed user's session opens nothing", async () => {
  const person = await signedIn(database, slug, "Viewer");
  const cookie = await cookieOf(person);
  await database.sql`delete from sessions using users where users.id = user_id and email = ${person.email}`;
  expect((await send("/rpc/projects/me", { headers: { cookie }, body: input({}) })).status).toBe(401);
});

test("a page made for one user opens nothing once another has signed in in the same browser", async () => {
  const { email } = await signedIn(database, slug, "Editor");
  const cookie = await cookieOf({ email });
  const from = (person: string) =>
    send("/rpc/tokens/current", { headers: { cookie, "x-signed-in-as": encodeURIComponent(person) }, body: input({}) });
  expect((await from(email)).json).toMatchObject({ email });
  for (const person of ["jörg@example.com", ""])
    expect(await from(person)).toMatchObject({
      status: 401,
      json: { code: "UNAUTHORIZED", message: expect.stringContaining("Another user") },
    });
});

test("a body without a length is cut off at the procedure's limit", async () => {
  const headers = { cookie: editor, "transfer-encoding": "chunked" };
  const { status } = await send("/rpc/definitions/settings", { headers, body: Buffer.alloc(1024 * 1024, " ") });
  expect(status).toBe(413);
});

test.each([
  "",
  "{",
  '{"json":',
  "[]",
  "null",
  '"x"',
  "\0",
  "[".repeat(200_000),
  input({ project: "a\0" }),
  input({ project: "\ud800" }),
  Buffer.from([0x22, 0xff, 0x22]),
])("a body that is no call is refused in words (%#)", async (body) => {
  const { status, json } = await send("/rpc/definitions/settings", { headers: { cookie: editor }, body });
  expect([status, json.code]).toEqual([expect.any(Number), expect.stringMatching(/BAD_REQUEST|NOT_FOUND/)]);
  expect(status).toBeLessThan(500);
});

test("a list of hundreds of thousands is refused before validation", async () => {
  const chosen = Array.from({ length: 60_000 }, () => []);
  const body = input({ ...here, chosen, dryRun: true });
  const { status, json } = await send("/rpc/definitions/promote", { headers: { cookie: editor }, body });
  expect([status, json.message]).toEqual([400, "A list or an object has at most 10,000 entries."]);
});

test("an invalid input is refused in sentences that name its fields", async () => {
  const refused = async (path: string, json: object) => {
    const { json: answer } = await send(`/rpc/${path}`, { headers: { cookie: editor }, body: input({ ...here, ...json }) });
    expect([answer.code, answer.message]).toEqual(["BAD_REQUEST", answer.data.problems[0]]);
    return answer.data.problems;
  };
  expect(await refused("definitions/get", { kind: "missions" })).toEqual(["key is missing."]);
  const wrong = await refused("definitions/get", { kind: "Mission", key: 5 });
  expect(wrong).toEqual([expect.stringMatching(/^kind must be one of (\w+, )+\w+[.]$/), "key must be a string."]);
  expect(await refused("alerts/switch", { id: "x", isOn: "yes" })).toEqual(["id must be a UUID.", "isOn must be true or false."]);
  expect(await refused("changeRequests/list", { limit: 0 })).toEqual(["limit must be at least 1."]);
});

test("of thousands of input problems the first hundred are reported, with the number of the rest", async () => {
  const body = input({ ...here, chosen: Array.from({ length: 9_000 }, () => []), dryRun: true });
  const { status, json } = await send("/rpc/definitions/promote", { headers: { cookie: editor }, body });
  expect([status, json.data.problems.length, json.message]).toEqual([400, 100, expect.stringMatching(/8900 more problems are not listed/)]);
});

test("of thousands of problems of a file the first hundred are reported, with the number of the rest", async () => {
  const text = JSON.stringify({ version: 1, events: Array.from({ length: 5_000 }, () => 0) });
  const body = input({ ...here, text });
  const { status, json } = await send("/rpc/definitions/importFile", { headers: { cookie: editor }, body });
  expect([status, json.problems.length, json.problems.at(-1).message]).toEqual([200, 101, "1900 more problems are not listed"]);
});

test("an answer above the size limit is refused with a message, and never sent", async () => {
  let answer: unknown = { text: "é".repeat(MAX_ANSWER_BYTES / 2 - 100) };
  const token = { secret: AUTH_SECRET, isSecure: false };
  const context = { database, baseUrl: "http://points.test", allowPrivateAddresses: false, cipher: testCipher, wake: () => {} };
  const translateErrors = async <T>({ next }: { next(): Promise<T> }) => {
    const own = (await next()) as object;
    return ("defaultLanguage" in own ? answer : own) as T;
  };
  const rpc = createRpc({ context, token, translateErrors });
  const headers: Record<string, string> = { ...AS_CLIENT, cookie: editor };
  const request = { method: "POST", target: "/rpc/definitions/catalogue", header: (name: string) => headers[name] };
  const call = () => rpc({ ...request, readText: async () => input(here) });
  expect(await call()).toMatchObject({ status: 200 });
  answer = { text: "é".repeat(MAX_ANSWER_BYTES / 2) };
  const refused = await call();
  expect([refused!.status, JSON.parse(refused!.body).json]).toEqual([
    422,
    expect.objectContaining({ code: "ANSWER_TOO_LARGE", message: expect.stringContaining("more than 8 MiB") }),
  ]);
});

/** A clock that stands still until it is moved on. */
function stoppedClock() {
  const start = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(start);
  onTestFinished(() => void clock.mockRestore());
  return { moveOn: (ms: number) => clock.mockReturnValue(start + ms) };
}

test("a session that ends while its body arrives opens nothing any more", async () => {
  const person = await signedIn(database, slug, "Editor");
  const headers: Record<string, string> = { ...AS_CLIENT, cookie: await cookieOf(person) };
  const { moveOn } = stoppedClock();
  const readText = async () => {
    await database.sql`delete from sessions using users where users.id = user_id and email = ${person.email}`;
    moveOn(1001);
    return input(here);
  };
  const request = { method: "POST", target: "/rpc/definitions/settings", header: (name: string) => headers[name], readText };
  expect(await dashboard.rpc(request)).toMatchObject({ status: 401 });
});

test("a membership that ends while a costly call waits its turn opens nothing any more", async () => {
  const person = await signedIn(database, slug, "Editor");
  const { moveOn } = stoppedClock();
  const run = vi.spyOn(CostlyCalls.prototype, "run").mockImplementation(async (userId, _, call) => {
    await database.sql`delete from memberships where user_id = ${userId}`;
    moveOn(1001);
    return call();
  });
  onTestFinished(() => void run.mockRestore());
  const sent = { headers: { cookie: await cookieOf(person) }, body: input(here) };
  expect((await send("/rpc/definitions/catalogue", sent)).status).toBe(404);
});

test("a call that waits for nothing looks its caller up once", async () => {
  stoppedClock();
  const statements: string[] = [];
  const sql = new Proxy(database.sql, {
    apply(target, self, args: [TemplateStringsArray]) {
      statements.push(args[0].join("?"));
      return Reflect.apply(target, self, args);
    },
  });
  const token = { secret: AUTH_SECRET, isSecure: false };
  const context = { database: { ...database, sql }, baseUrl: "", allowPrivateAddresses: false, cipher: testCipher, wake: () => {} };
  const rpc = createRpc({ context, token, translateErrors: ({ next }) => next() });
  const headers: Record<string, string> = { ...AS_CLIENT, cookie: editor };
  const request = { method: "POST", target: "/rpc/definitions/settings", header: (name: string) => headers[name] };
  expect(await rpc({ ...request, readText: async () => input(here) })).toMatchObject({ status: 200 });
  expect(statements.filter((text) => text.includes("from sessions"))).toHaveLength(1);
});

test.each<[string, unknown]>([
  ["texts", Array.from({ length: 1_000 }, () => "x".repeat(MAX_ANSWER_BYTES / 500))],
  ["a list of nothing", Array.from({ length: MAX_ANSWER_BYTES + 1 }, () => null)],
  ["names", Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}`.padEnd(MAX_ANSWER_BYTES / 50), 1]))],
])("%s of more bytes than an answer may have are refused before they are copied", async (_, answer) => {
  await expect(withinBudget({ next: async () => ({ deep: { in: answer } }) })).rejects.toMatchObject({ code: "ANSWER_TOO_LARGE" });
});

test("a costly call waits its turn among its user's calls, and a cheap one does not wait", async () => {
  const run = vi.spyOn(CostlyCalls.prototype, "run");
  const person = await signedIn(database, slug, "Viewer");
  const sent = { headers: { cookie: await cookieOf(person) }, body: input(here) };
  const [row] = await database.sql<{ id: string }[]>`select id from users where email = ${person.email}`;
  await send("/rpc/definitions/catalogue", sent);
  await send("/rpc/definitions/settings", sent);
  expect(run.mock.calls.map(([who, cost]) => [who === row!.id, cost])).toEqual([
    [true, "costly"],
    [true, "cheap"],
  ]);
  run.mockRestore();
});

test("oRPC's type hints in a body are ignored: values stay plain JSON", async () => {
  const meta = [
    [5, "project"],
    [3, "x"],
  ];
  const body = JSON.stringify({ json: { ...here, project: "/(a+)+$/" }, meta });
  expect((await send("/rpc/definitions/settings", { headers: { cookie: editor }, body })).status).toBe(404);
});

/** Sends the beginning of two large files, and no more. */
function beginTwoFiles() {
  const head = ["POST /rpc/definitions/importFile HTTP/1.1", "Host: x", `Cookie: ${editor}`, "Content-Type: application/json"];
  const sockets = Array.from({ length: 2 }, () => connect(port, "127.0.0.1"));
  for (const socket of sockets) socket.write([...head, "X-CSRF-Token: orpc", "Content-Length: 1000000", "", "{"].join("\r\n"));
  return sockets;
}

test("two concurrent large files of a user are accepted, a third is refused with a message, and accepted once a slot is free", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  const opened = beginTwoFiles();
  // Until both hold a slot, the third could take one of them.
  await expect.poll(() => timeout.mock.calls.length).toBe(2);
  timeout.mockRestore();
  const third = () => send("/rpc/definitions/importFile", { headers: { cookie: editor }, body: Buffer.alloc(300_000, " ") });
  expect(await third()).toMatchObject({ status: 429, json: { message: expect.stringContaining("still being uploaded") } });
  const small = await send("/rpc/definitions/importFile", {
    headers: { cookie: editor },
    body: input({ ...here, text: "{}" }),
  });
  expect(small.status).toBe(200);
  for (const socket of opened) socket.destroy();
  await expect.poll(async () => (await third()).status).toBe(400);
});

test("a large file that does not arrive in time releases its slot and its connection", async () => {
  const late = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(late.signal);
  const slow = beginTwoFiles();
  await expect.poll(() => timeout.mock.calls.length).toBe(2);
  const answers = slow.map((socket) => text(socket));
  late.abort();
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 408 [^]*connection: close[^]*did not arrive/i);
  timeout.mockRestore();
  const { status } = await send("/rpc/definitions/importFile", { headers: { cookie: editor }, body: Buffer.alloc(300_000, " ") });
  expect(status).toBe(400);
});

test("fetch requests get the same answers: a procedure's result, 401 when signed out, 413 for a body that is too large", async () => {
  const asked = (headers: Record<string, string>, body: string) =>
    answerRpc(dashboard, new Request("http://points.test/rpc/definitions/settings", { method: "POST", headers, body }));
  const answers = [
    await asked({ ...AS_CLIENT, cookie: editor }, input(here)),
    await asked(AS_CLIENT, input(here)),
    await asked({ ...AS_CLIENT, cookie: editor }, " ".repeat(300_000)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 413]);
});
