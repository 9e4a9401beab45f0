import type { IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import { type ApiOptions, type ApiRequest, createApi } from "./answer.ts";
import { readText } from "./body.ts";

export type ApiListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** For the server that the listener is given to: long enough for slow senders, and kept open longer than load balancers keep theirs. */
export const SERVER_OPTIONS = {
  noDelay: true,
  keepAliveTimeout: 75_000,
  headersTimeout: 30_000,
  requestTimeout: 120_000,
} as const satisfies ServerOptions;

/** The public API on node:http. */
export function createApiListener(options: ApiOptions): ApiListener {
  const api = createApi(options);
  return async (request, response) => {
    const answer = await api(requestOf(request));
    if (answer !== null && !response.destroyed) response.writeHead(answer.status, answer.headers).end(answer.body);
  };
}

const requestOf = (request: IncomingMessage): ApiRequest => ({
  method: request.method ?? "GET",
  target: request.url ?? "/",
  header: (name) => request.headers[name] as string | undefined,
  readText: () => readText(request),
  whenAbandoned: (act) => (request.destroyed ? act() : request.once("close", act)),
});
