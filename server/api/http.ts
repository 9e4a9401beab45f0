import type { IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import type { Database } from "../../db/client.ts";
import { findBadText, writeJson } from "../kernel/json.ts";
import { type Problem, problem } from "../kernel/problem.ts";
import { formatInstant } from "../kernel/time.ts";
import { isJsonObject, isNumeric } from "../kernel/values.ts";
import { authenticate, type Caller } from "../projects/service.ts";
import { Aborted, readJson, readText } from "./body.ts";
import { type Logger, logRequest } from "./log.ts";
import { openApiDocument } from "./openapi.ts";
import { problemBody, problemOf } from "./problems.ts";
import { readQuery } from "./query.ts";
import { router } from "./router.ts";
import { type Endpoint, type Found, routesOf } from "./routes.ts";
import { traceIdOf } from "./trace.ts";

export interface ApiOptions {
  database: Database;
  /** The public address, without a slash at its end: documentation links start with it. */
  baseUrl: string;
  logger: Logger;
  /** Called when facts were queued, so that a worker in this process need not wait for its next look. */
  wake(): void;
  /** Checks every answer against the contract; for tests. */
  checkOutputs?: boolean;
}

export type ApiListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** For the server that the listener is given to: long enough for slow senders, and kept open longer than load balancers keep theirs. */
export const SERVER_OPTIONS = {
  noDelay: true,
  keepAliveTimeout: 75_000,
  headersTimeout: 30_000,
  requestTimeout: 120_000,
} as const satisfies ServerOptions;

/** What becomes of one request; filled in on the way, so that a failure can tell how far it came. */
interface Exchange {
  request: IncomingMessage;
  method: string;
  path: string;
  query: string;
  traceId: string;
  caller: Caller | null;
  endpoint: Endpoint | null;
}

interface Answer {
  status: number;
  contentType: "application/json" | "application/problem+json";
  body: string;
  headers?: Record<string, string>;
  code?: string;
}

/** The public API on node:http: answers every request, also those outside /v1 (with 404), and logs one line for each. */
export function createApiListener({ database, baseUrl, logger, wake, checkOutputs }: ApiOptions): ApiListener {
  const routes = routesOf(router, { checkOutputs });

  async function answer(exchange: Exchange): Promise<Answer> {
    const { request, method, path, traceId } = exchange;
    if (!isUnderV1(path)) throw noRoute(exchange);
    if (path === "/v1/openapi.json" && isRead(method)) return json(200, await openApiDocument(baseUrl));
    exchange.caller = await authenticate(database.sql, request.headers.authorization);
    const found = await routes.find(method, path);
    if (!found) throw noRoute(exchange);
    exchange.endpoint = found.endpoint;
    const { input, rawBody } = await readInput(exchange, found);
    const output = await found.endpoint.call(input, { database, ...exchange.caller, traceId, rawBody, wake });
    const status = found.endpoint.successStatus;
    return json(status, status === 204 ? "" : writeJson(output));
  }

  function refuse(exchange: Exchange, error: unknown): Answer {
    const found = problemOf(error);
    if (found.isUnforeseen) logger.error({ traceId: exchange.traceId, err: error }, "unforeseen fault");
    const body = problemBody(found.problem, { baseUrl, path: exchange.path, traceId: exchange.traceId });
    const headers = HEADERS_OF[found.problem.code];
    return { status: body.status, contentType: "application/problem+json", body: writeJson(body), headers, code: body.code };
  }

  return async (request, response) => {
    const started = performance.now();
    const exchange = openExchange(request);
    let answered: Answer | null = null;
    try {
      answered = await answer(exchange);
    } catch (error) {
      if (!(error instanceof Aborted)) answered = refuse(exchange, error);
    }
    if (answered) send(response, exchange, answered);
    logRequest(logger, {
      method: exchange.method,
      route: exchange.endpoint?.template ?? null,
      status: answered?.status ?? CLIENT_CLOSED,
      durationMs: performance.now() - started,
      environment: exchange.caller?.environment.id ?? null,
      traceId: exchange.traceId,
      code: answered?.code,
    });
  };
}

/** In the log, for who went away before there was an answer. */
const CLIENT_CLOSED = 499;

const HEADERS_OF: Partial<Record<Problem["code"], Record<string, string>>> = {
  "auth.api_key_invalid": { "WWW-Authenticate": "Bearer" },
  "service.unavailable": { "Retry-After": "2" },
};

const isUnderV1 = (path: string): boolean => path === "/v1" || path.startsWith("/v1/");
const isRead = (method: string): boolean => method === "GET" || method === "HEAD";
const json = (status: number, body: string): Answer => ({ status, contentType: "application/json", body });
const noRoute = ({ method, path }: Exchange): Problem => problem("route.not_found", `There is no ${method} ${path.toWellFormed()}.`);

function openExchange(request: IncomingMessage): Exchange {
  const target = originForm(request.url ?? "/");
  const mark = target.indexOf("?");
  return {
    request,
    method: request.method ?? "GET",
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? "" : target.slice(mark + 1),
    traceId: traceIdOf(request.headers.traceparent as string | undefined),
    caller: null,
    endpoint: null,
  };
}

/** A target as it is nearly always: a proxy's "http://host/path" is its path (RFC 9112, 3.2.2). */
const originForm = (target: string): string => (target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*/i, "") || "/");

/** One flat object of path parameters and the members of the body or the query. */
async function readInput(exchange: Exchange, { endpoint, parameters }: Found): Promise<{ input: unknown; rawBody: string }> {
  if (!endpoint.takesBody) return { input: { ...readQuery(exchange.query, endpoint.query), ...parameters }, rawBody: "" };
  const rawBody = await readText(exchange.request);
  const body = readJson(rawBody);
  const badText = endpoint.textIsJudgedPerItem ? null : findBadText(rawBody, body);
  if (badText !== null) {
    throw problem("request.invalid", "A text has a NUL character or a lone surrogate.", { pointer: badText });
  }
  // A wide number would pass for an object without members.
  const input = isNumeric(body) ? null : body;
  return { input: parameters && isJsonObject(input) ? { ...input, ...parameters } : input, rawBody };
}

function send(response: ServerResponse, { caller }: Exchange, { status, contentType, body, headers }: Answer): void {
  if (response.destroyed) return;
  const all: Record<string, string | number> = { "Cache-Control": "no-store", ...headers };
  if (status !== 204) {
    all["Content-Type"] = contentType;
    all["Content-Length"] = Buffer.byteLength(body);
  }
  if (caller && caller.environment.clockOffsetMs > 0) all["X-Sandbox-Time"] = formatInstant(caller.now);
  response.writeHead(status, all).end(body);
}
