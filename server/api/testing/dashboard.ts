import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll } from "vitest";
import type { Database } from "#db/client.ts";
import { testCipher } from "../../delivery/testing.ts";
import { openDashboard } from "../dashboard.ts";
import { createRpcListener, SERVER_OPTIONS } from "../http.ts";

/** Encrypts the sessions of tests. */
export const AUTH_SECRET = "only for this test";

/** The dashboard's procedures; `faults` are the errors that it has logged. */
export function testDashboard(database: Database, options: Partial<Parameters<typeof openDashboard>[0]> = {}) {
  const faults: string[] = [];
  const dashboard = openDashboard({
    database,
    baseUrl: "https://points.test",
    allowPrivateAddresses: true,
    cipher: testCipher,
    wake: () => {},
    logger: pino({ level: "error" }, { write: (line: string) => void faults.push(line) }),
    authSecret: AUTH_SECRET,
    providers: [],
    addressOf: () => null,
    ...options,
  });
  return { dashboard, faults };
}

/** Serves procedures on a port of their own until the end of the test file; `around` may answer by itself. */
export async function serveRpc(
  dashboard: Parameters<typeof createRpcListener>[0],
  around: (...call: Parameters<RequestListener>) => boolean | void = () => {},
): Promise<{ server: Server; port: number; url: string }> {
  const listener = createRpcListener(dashboard);
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    if (around(request, response) !== true) void listener(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, url: `http://127.0.0.1:${port}` };
}
