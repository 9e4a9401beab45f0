import { once } from "node:events";
import { Agent, get, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import type { Lifecycle } from "./lifecycle.ts";
import { closeServer, listen, takeUpgrades } from "./listen.ts";
import { serve } from "./main.ts";
import { readSettings } from "./settings.ts";

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const anyPort = { port: 0, host: "127.0.0.1", variable: "PORT" };

test("closing finishes the request in flight on a keep-alive connection, and accepts no other", async () => {
  const release = Promise.withResolvers<void>();
  const server = await listen((_, response) => void release.promise.then(() => response.end("done")), {}, anyPort);
  const url = { host: "127.0.0.1", port: portOf(server), agent: new Agent({ keepAlive: true }) };
  const answered = once(get(url), "response");
  await once(server, "request");
  const closed = closeServer(server);
  await expect(once(get({ ...url, agent: new Agent() }), "response")).rejects.toThrow("ECONNREFUSED");
  release.resolve();
  const [response] = (await answered) as [NodeJS.ReadableStream];
  expect(String(await once(response, "data"))).toBe("done");
  await closed;
});

test("closing ends an upgraded connection, which the server would wait for", async () => {
  const server = await listen(() => {}, { shouldUpgradeCallback: () => true }, anyPort);
  const upgraded = Promise.withResolvers<void>();
  takeUpgrades(server, () => upgraded.resolve());
  const client = connect(portOf(server), "127.0.0.1");
  client.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  await upgraded.promise;
  await Promise.all([once(client, "close"), closeServer(server)]);
});

test("listening waits for a taken port", async () => {
  const first = await listen((_, response) => response.end("first"), {}, anyPort);
  const second = listen((_, response) => response.end("second"), {}, { ...anyPort, port: portOf(first) });
  await closeServer(first);
  await closeServer(await second);
});

test("a port that cannot be opened is refused with the name of its variable", async () => {
  await expect(listen(() => {}, {}, { port: 80, host: "192.0.2.1", variable: "OPERATIONS_PORT" })).rejects.toThrow("OPERATIONS_PORT");
});

test("a start whose operations port is that of the service is refused at once, by its settings", async () => {
  const settings = readSettings({ PORT: "4000", OPERATIONS_PORT: "4000" });
  await expect(serve({ settings } as Lifecycle, { onServing() {} })).rejects.toThrow("OPERATIONS_PORT and PORT are both 4000");
});
