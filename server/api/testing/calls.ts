import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll } from "vitest";
import type { Database } from "#db/client.ts";
import { createApiListener, SERVER_OPTIONS } from "../http.ts";
import type { ApiOptions } from "../handle-request.ts";
import type { RequestLog } from "../../insight/request-log/service/recorder.ts";
import type { Heartbeat } from "../heartbeat.ts";

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as plain JSON; undefined if none. */
  json: any; // oxlint-disable-line typescript/no-explicit-any -- tests look into it as they please
}

export interface TestCall {
  key?: string;
  /** A string or bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestApi {
  port: number;
  /** The lines logged so far. */
  logged: string[];
  call(method: string, path: string, call?: TestCall): Promise<Reply>;
  get(path: string, key?: string): Promise<Reply>;
  post(path: string, body: unknown, key?: string): Promise<Reply>;
}

/** The public API on its own port, with every answer checked against the contract; closed at the end of the test file. */
export async function testApi(
  database: Database,
  {
    wake = () => {},
    ...options
  }: { wake?: () => void; heartbeat?: Heartbeat; requestLog?: RequestLog } & Pick<ApiOptions, "served" | "maxArrivalMs"> = {},
): Promise<TestApi> {
  const logged: string[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void logged.push(line) });
  const listener = createApiListener({ database, baseUrl: "https://api.test", logger, wake, ...options, checkOutputs: true });
  const server = createServer(SERVER_OPTIONS, (incoming, response) => void listener(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const call: TestApi["call"] = (method, path, options) => send(port, method, path, options);
  return {
    port,
    logged,
    call,
    get: (path, key) => call("GET", path, { key }),
    post: (path, body, key) => call("POST", path, { key, body }),
  };
}

function send(port: number, method: string, path: string, { key, body, headers = {} }: TestCall = {}): Promise<Reply> {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, method, path, headers: { ...authorization, ...headers } }, (incoming) => {
      text(incoming).then((answer) => {
        const json = answer === "" ? undefined : (JSON.parse(answer) as unknown);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: answer, json });
      }, reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body));
  });
}
