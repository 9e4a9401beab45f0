import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ADDRESS_HEADER } from "../../api/client-address.ts";
import { SERVER_OPTIONS } from "../../api/http.ts";
import { guardedPages } from "./guard.ts";

/** Stands in for Next: answers with the form's text once released. */
let [rendering, mostAtOnce, asked] = [0, 0, 0];
/** Requests whose headers have arrived. */
let arrived = 0;
let isLet: Promise<unknown> = Promise.resolve();
const pages = guardedPages(
  {
    async handle(incoming, response) {
      asked += 1;
      mostAtOnce = Math.max(mostAtOnce, ++rendering);
      const said = await text(incoming);
      await isLet;
      rendering -= 1;
      response.end(`page ${said}`);
    },
  },
  { baseUrl: "https://points.test", isDevelopment: false },
);
const server = createServer(SERVER_OPTIONS, (...of) => void pages.handle(...of)).listen(0, "127.0.0.1");
server.on("request", () => (arrived += 1));
await once(server, "listening");
const { port } = server.address() as AddressInfo;
beforeEach(() => {
  [rendering, mostAtOnce, asked] = [0, 0, 0];
  arrived = 0;
  isLet = Promise.resolve();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(path: string, { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {}) {
  const outgoing = request({ port, host: "127.0.0.1", path, method: body === undefined ? "GET" : "POST", headers });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  outgoing.end(body);
  const [incoming] = await answered;
  return { status: incoming.statusCode, headers: incoming.headers, text: await text(incoming) };
}

test("a form reaches its page whole, and answers carry the security headers", async () => {
  const { status, text, headers } = await ask("/sign-in", { body: "x".repeat(16_000), headers: { "content-length": "16000" } });
  expect([status, text.length]).toEqual([200, 16_005]);
  expect(headers["strict-transport-security"]).toContain("max-age=");
  expect(headers["x-content-type-options"]).toBe("nosniff");
});

test("an address too long for Next's redirect headers is refused; a provider's callback is not", async () => {
  expect(await ask(`/dashboard//x?a=${"a".repeat(2_048)}`)).toMatchObject({ status: 414, text: "The address is too long.\n" });
  expect(await ask(`/api/auth/callback/google?state=${"a".repeat(4_096)}`)).toMatchObject({ status: 200 });
  expect(await ask(`/api/auth/callback/google?state=${"a".repeat(9_000)}`)).toMatchObject({ status: 414 });
});

test("forms are refused at the providers' callback addresses", async () => {
  for (const path of ["/api/auth/session", "//api/auth/callback/credentials?x=1", "/api//auth/anything"])
    expect(await ask(path, { body: "a=b", headers: { "content-length": "3" } }), path).toMatchObject({ status: 405 });
  expect(asked).toBe(0);
});

test("a chunked form reaches its page whole; a truncated one is refused before any page runs", async () => {
  const headers = { "content-type": 'multipart/form-data; boundary="x"' };
  const whole = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
  expect(await ask("/sign-in", { body: whole, headers: { ...headers, "content-length": String(whole.length) } })).toMatchObject({
    status: 200,
    text: `page ${whole}`,
  });
  for (const body of ["--x\r\n".repeat(3_000), ""])
    expect((await ask("/sign-in", { body, headers: { ...headers, "content-length": String(body.length) } })).status).toBe(400);
  expect(asked).toBe(1);
});

test("a form that arrives in pieces reaches its page whole", async () => {
  const form = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
  const headers = ["Host: x", "Connection: close", "Content-Type: multipart/form-data; boundary=x", `Content-Length: ${form.length}`];
  const client = connect(port, "127.0.0.1");
  client.write(`POST /sign-in HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${form.slice(0, 20)}`);
  await vi.waitUntil(() => arrived === 1);
  client.write(form.slice(20));
  expect(await text(client)).toContain(form);
});

test.each([
  [413, { "content-length": "17000" }],
  [411, { "transfer-encoding": "chunked" }],
  [403, { origin: "https://evil.test", "content-length": "17" }],
])(
  "an oversized or malformed request of a signed-out client is refused with %i, before the page is called",
  async (status, headers: Record<string, string>) => {
    expect((await ask("/sign-in", { body: "x".repeat(Number(headers["content-length"] ?? 17_000)), headers })).status).toBe(status);
    expect(asked).toBe(0);
  },
);

test("the page's own form is accepted, by the requested host and by the public address", async () => {
  for (const origin of [`http://127.0.0.1:${port}`, "https://points.test"])
    expect((await ask("/sign-in", { body: "a", headers: { origin, "content-length": "1" } })).status).toBe(200);
});

test("few pages render at a time, all get their turn, and disconnected clients are skipped", async () => {
  isLet = delay(200);
  const leaving = connect(port, "127.0.0.1");
  const answers = Array.from({ length: 30 }, () => ask("/docs"));
  leaving.write("GET /docs HTTP/1.1\r\nHost: x\r\n\r\n");
  setTimeout(() => leaving.destroy(), 10);
  expect((await Promise.all(answers)).every(({ status }) => status === 200)).toBe(true);
  expect(mostAtOnce).toBeLessThanOrEqual(4);
});

test("a client that requests many pages does not keep others waiting", async () => {
  // A page loses its slot after two seconds, which must not pass while hundreds of requests arrive.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const gate = Promise.withResolvers<void>();
  isLet = gate.promise;
  const greedy = Array.from({ length: 250 }, () => ask("/docs", { headers: { [ADDRESS_HEADER]: "192.0.2.1" } }));
  await expect.poll(() => asked).toBe(3);
  const other = ask("/docs", { headers: { [ADDRESS_HEADER]: "192.0.2.2" } });
  await expect.poll(() => asked).toBe(4);
  gate.resolve();
  expect((await other).status).toBe(200);
  // Three render and two hundred wait; the rest get a 503.
  expect((await Promise.all(greedy)).filter(({ status }) => status === 503)).toHaveLength(47);
});

test("pipelined pages are rendered one at a time and answered in order", async () => {
  const gate = Promise.withResolvers<void>();
  isLet = gate.promise;
  const greedy = connect(port, "127.0.0.1");
  greedy.write("GET /docs HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20));
  await expect.poll(() => asked).toBe(1);
  // A second page would have been requested by now.
  await delay(100);
  expect(asked).toBe(1);
  let said = "";
  greedy.on("data", (chunk: Buffer) => (said += String(chunk)));
  gate.resolve();
  await expect.poll(() => said.split("HTTP/1.1 200").length - 1).toBe(20);
  expect(mostAtOnce).toBe(1);
  greedy.destroy();
});

test.each(["", "/"])("clients that do not read their images do not keep others from theirs, and few are held: …%s", async (end) => {
  // A shared buffer: two hundred of their own would take six seconds to fill.
  const image = Buffer.alloc(8 * 1024 * 1024);
  const large = guardedPages(
    { handle: async (_, response) => void response.write(image) },
    { baseUrl: "https://points.test", isDevelopment: false },
  );
  const other = createServer(SERVER_OPTIONS, (...of) => void large.handle(...of)).listen(0, "127.0.0.1");
  await once(other, "listening");
  const head = `GET /images/${"a".repeat(64)}${end} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const sockets = Array.from({ length: 201 }, () => connect((other.address() as AddressInfo).port, "127.0.0.1").pause());
  for (const socket of sockets) socket.on("error", () => {});
  for (const socket of sockets.slice(0, 200)) socket.write(head);
  await delay(300);
  sockets[200]!.write(head);
  const [answer] = (await once(sockets[200]!.resume(), "data")) as [Buffer];
  expect(String(answer.subarray(0, 12))).toBe("HTTP/1.1 200");
  expect(await promisify(other.getConnections.bind(other))()).toBe(200);
  for (const socket of sockets) socket.destroy();
  other.close();
});

test.each([
  ["invalid", "*"],
  ["not resolved", "/_next/static/../../sign-in"],
  ["not resolved, escaped", "/images/%2e%2E"],
  ["not resolved, with a backslash", "/images\\..\\docs"],
])("a path that is %s is no page", async (_, path) => {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1.1 404 /);
  expect(asked).toBe(0);
  socket.destroy();
});

test("a form that never arrives holds no slot", async () => {
  const slow = Array.from({ length: 20 }, () => connect(port, "127.0.0.1"));
  for (const socket of slow) socket.write("POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
  await expect.poll(() => arrived).toBe(20);
  expect((await ask("/sign-in")).status).toBe(200);
  // A page without its form would have been requested by now.
  await delay(100);
  expect(asked).toBe(1);
  for (const socket of slow) socket.destroy();
});

test("too many concurrent page requests are refused with a message, and pages are served again soon", async () => {
  const gate = Promise.withResolvers<void>();
  isLet = gate.promise;
  const refused = Promise.withResolvers<string>();
  const answers = Array.from({ length: 450 }, async () => {
    const { status, text: words } = await ask("/docs");
    if (status === 503) refused.resolve(words);
    return status;
  });
  expect(await refused.promise).toContain("Try again in a moment");
  gate.resolve();
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200, 503]));
  expect((await ask("/docs")).status).toBe(200);
});
