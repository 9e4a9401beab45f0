import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { SERVER_OPTIONS } from "../api/http.ts";
import { createBoundedServer } from "./listen.ts";

const MAX = 20;
const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createBoundedServer(SERVER_OPTIONS, listener, MAX).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** An open connection that has sent these bytes. */
async function open(port: number, bytes = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

async function isAnswered(port: number): Promise<boolean> {
  const socket = await open(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const answer = await new Promise((resolve) => socket.once("data", resolve).once("close", resolve));
  socket.destroy();
  return String(answer).startsWith("HTTP/1.1 200");
}

test.each([
  ["say nothing", ""],
  ["send half a head", "GET / HTTP/1.1\r\nHost"],
  ["send half a body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx"],
])("ten times as many connections as allowed that %s lock no client out", async (_, bytes) => {
  const port = await serve((request, response) => void request.resume().on("end", () => response.end("done")));
  for (let at = 0; at < MAX * 10; at++) await open(port, bytes);
  for (let at = 0; at < MAX * 2; at++) expect(await isAnswered(port)).toBe(true);
});

test("a burst does not close new connections before their request arrives", async () => {
  const port = await serve((_, response) => response.end("done"));
  // Time stands still, however long the burst takes here.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const socket = await open(port);
  for (let at = 0; at < MAX; at++) await open(port);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const [answer] = await once(socket, "data");
  clock.mockRestore();
  expect(String(answer)).toMatch(/^HTTP\/1.1 200/);
});

test("a request in progress is never cut for a new connection, which is refused", async () => {
  const waiting: ServerResponse[] = [];
  let isHeld = true;
  const port = await serve((_, response) => void (isHeld ? waiting.push(response) : response.end("done")));
  const busy = await Promise.all(Array.from({ length: MAX }, () => open(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")));
  await expect.poll(() => waiting.length).toBe(MAX);
  expect(await isAnswered(port)).toBe(false);
  const answers = Promise.all(busy.map((socket) => once(socket, "data")));
  isHeld = false;
  for (const response of waiting) response.end("done");
  expect((await answers).every(([answer]) => String(answer).startsWith("HTTP/1.1 200"))).toBe(true);
  expect(await isAnswered(port)).toBe(true);
});

test("a connection that pipelines requests without waiting for answers is cut off", async () => {
  let asked = 0;
  const port = await serve(() => void (asked += 1));
  const socket = await open(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(5_000));
  await new Promise((resolve) => socket.resume().once("close", resolve));
  expect(asked).toBeLessThan(100);
});
