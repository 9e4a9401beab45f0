import type { IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { type ApiOptions, type ApiRequest, createApi } from "./handle-request.ts";
import { MAX_BODY_BYTES, readText } from "./body.ts";
import { type Exports, IS_EXPORT } from "./exports.ts";
import type { Rpc } from "./handle-rpc.ts";

export type ApiListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Server options for these listeners: time enough for slow senders, and a longer keep-alive than load balancers use. Headers are short, so
 * they get little time. Timeouts are checked every five seconds. A leaderboard read with a hundred ids of 200 characters has an address of
 * 21 kB.
 */
export const SERVER_OPTIONS = {
  noDelay: true,
  keepAliveTimeout: 75_000,
  headersTimeout: 20_000,
  maxHeaderSize: 64 * 1024,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
} as const satisfies ServerOptions;

/** The public API on node:http. */
export function createApiListener(options: ApiOptions): ApiListener {
  const api = createApi(options);
  return async (request, response) => {
    const answer = await api(requestOf(request, response));
    if (answer !== null && !response.destroyed) response.writeHead(answer.status, answer.headers).end(answer.body);
  };
}

const requestOf = (request: IncomingMessage, response: ServerResponse): ApiRequest => ({
  method: request.method ?? "GET",
  target: request.url ?? "/",
  header: (name) => request.headers[name] as string | undefined,
  readText: (arrival) => readText(request, MAX_BODY_BYTES, arrival),
  whenAbandoned(act) {
    // The request itself is closed as soon as its body has been read.
    const { socket } = request;
    if (socket.destroyed) return act();
    socket.once("close", act);
    response.once("close", () => socket.off("close", act));
  },
});

const compress = promisify(gzip);
/** Shorter responses fit a packet anyway. */
const WORTH_COMPRESSING = 1_400;

/** The dashboard's procedures on node:http, bypassing Next, which would buffer an unauthorized body. */
export function createRpcListener({ rpc, exports }: { rpc: Rpc; exports: Exports }): ApiListener {
  return async (request, response) => {
    if (IS_EXPORT.test(request.url ?? "")) return sendExport(exports, request, response);
    const answer = await rpc({
      method: request.method ?? "GET",
      target: request.url ?? "/",
      header: (name) => request.headers[name] as string | undefined,
      readText: (most, late) => readText(request, most, { late }),
    });
    if (answer === null || response.destroyed) return;
    const { status, headers, body } = answer;
    const isCompressed = body.length > WORTH_COMPRESSING && /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
    const bytes = isCompressed ? await compress(body) : Buffer.from(body);
    response.writeHead(status, {
      ...headers,
      // The rest of a slow body is not awaited.
      ...(status === 408 ? { Connection: "close" } : {}),
      Vary: "Accept-Encoding",
      "Content-Length": bytes.length,
      ...(isCompressed ? { "Content-Encoding": "gzip" } : {}),
    });
    response.end(bytes);
  };
}

/** A client that reads nothing for this long is considered gone. */
const IDLE_MS = 60_000;

/** Streams a file with backpressure: a page is read when the socket has room for it. An error in the middle closes the connection. */
async function sendExport(exports: Exports, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body, late } = await exports({
    method: request.method ?? "GET",
    target: request.url ?? "/",
    header: (name) => request.headers[name] as string | undefined,
  });
  response.setTimeout(IDLE_MS, () => response.destroy());
  response.writeHead(status, headers);
  await pipeline(Readable.from(body, { highWaterMark: 1 }), response, { signal: late }).catch(() => response.destroy());
}
