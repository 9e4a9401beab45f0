import type { Database } from "../../db/client.ts";
import { withTraceScope } from "../../db/trace-scope.ts";
import { type Caller, type RememberedKey, Unconfirmed } from "../model/kernel/environment.ts";
import { findBadTexts, writeJson } from "../model/kernel/json.ts";
import { MAX_LISTED, Problem, problem, type ProblemEntry } from "../model/kernel/problem.ts";
import { formatInstant } from "../model/kernel/time.ts";
import type { Tracer } from "../model/kernel/monitoring.ts";
import { isJsonObject, isNumeric } from "../model/kernel/values.ts";
import { Admission, type Admitted, type Asker } from "./admission.ts";
import { Aborted, type Arrival, readJson } from "./body.ts";
import { hardened } from "./hardened.ts";
import { type Logger, logRequest, type RequestLine } from "./log.ts";
import { openApiDocument } from "./openapi.ts";
import type { WhenAbandoned } from "./concurrency-limiter.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { LoggedProblem, ServedItems } from "../model/request-log/entry.ts";
import type { RequestLog } from "../insight/request-log/service/recorder.ts";
import { problemBody, problemOf } from "./problems.ts";
import { readQuery } from "./query.ts";
import { judges, router } from "./v1/router.ts";
import { type Endpoint, type Found, routesOf } from "./routes.ts";
import { knownParent, traceIdOf } from "./trace-context.ts";

export interface ApiOptions {
  database: Database;
  /** The public address, without a trailing slash: documentation links start with it. */
  baseUrl: string;
  logger: Logger;
  /** Called when facts were queued, so that this process's worker does not wait for its next poll. */
  wake(): void;
  /** Limits concurrent requests. By default it beats with the requests, for processes that live only while called. */
  heartbeat?: Heartbeat;
  /** Checks every answer against the contract; for tests. */
  checkOutputs?: boolean;
  /** Overrides MAX_ARRIVAL_MS; for tests. */
  maxArrivalMs?: number;
  /** Records served requests; without it nothing is recorded. */
  requestLog?: RequestLog;
  /** Called for every request once it is answered. */
  tracer?: Tracer;
  served?(line: Pick<RequestLine, "route" | "status" | "durationMs">): void;
}

/** A request in transport-independent form. */
export interface ApiRequest {
  method: string;
  /** Path and query as received. */
  target: string;
  header(name: "authorization" | "traceparent"): string | undefined;
  /** The body as text. Problems: request.too_large, request.malformed. Throws Aborted, TooSlow, Crowded. */
  readText(arrival: Arrival): Promise<string>;
  /** If the transport can tell: an abandoned request stops waiting. */
  whenAbandoned?: WhenAbandoned;
}

/** A response in transport-independent form. */
export interface ApiResponse {
  status: number;
  headers: Record<string, string | number>;
  body: string;
}

/** Answers every request, including those outside /v1 (with 404), and logs one line for each. Null: the client disconnected. */
export type Api = (request: ApiRequest) => Promise<ApiResponse | null>;

/** The state of one request, filled in as it proceeds, so that a failure can report how far it got. */
interface Exchange {
  request: ApiRequest;
  path: string;
  query: string;
  traceId: string;
  asker: Asker | null;
  endpoint: Endpoint | null;
  /** The body, once read. */
  body: Promise<string>;
  /** Empty until the body has arrived, and if there is none. */
  rawBody: string;
  items: ServedItems | null;
  /** How many of the accepted items the tail keeps; null until asked. */
  admitted: number | null;
}

interface Outcome {
  status: number;
  contentType: "application/json" | "application/problem+json";
  body: string;
  headers?: Record<string, string>;
  code?: string;
  problems?: readonly LoggedProblem[];
}

/** The public API, without a transport. */
export function createApi({
  database,
  baseUrl,
  logger,
  wake,
  heartbeat = new Heartbeat(database),
  checkOutputs,
  maxArrivalMs,
  requestLog,
  served,
  tracer,
}: ApiOptions): Api {
  const routes = routesOf(router, { checkOutputs, judges });
  const always = { ...hardened(baseUrl), "Cache-Control": "no-store" };
  const admission = new Admission(database, heartbeat, maxArrivalMs);

  async function handleRequest(exchange: Exchange): Promise<Outcome> {
    const { request, path } = exchange;
    if (!isUnderV1(path)) throw noRoute(exchange);
    if (path === "/v1/openapi.json" && isRead(request.method)) return json(200, openApiDocument(baseUrl));
    const found = await routes.find(request.method, path);
    exchange.endpoint = found?.endpoint ?? null;
    const admitted = await admission.enter({
      authorization: request.header("authorization"),
      whenAbandoned: request.whenAbandoned,
      onAsker: (asker) => (exchange.asker = asker),
      confirmsKey: found?.endpoint.confirmsKey,
      readBody: found?.endpoint.takesBody ? (arrival) => takeBody(exchange, arrival) : undefined,
    });
    try {
      return await answer(exchange, found, admitted);
    } finally {
      admitted.release();
    }
  }

  /**
   * A result with a remembered key counts only if its statement confirmed the key; otherwise the call is repeated with the key from the
   * database.
   */
  async function answer(exchange: Exchange, found: Found | null, { caller, remembered, identify }: Admitted): Promise<Outcome> {
    if (remembered === null) return callEndpoint(exchange, found, caller, null);
    try {
      if ((await exchange.body).length <= MAX_REPEATED_BODY) return await callEndpoint(exchange, found, caller, remembered);
    } catch (error) {
      if (!(error instanceof Unconfirmed || error instanceof Problem)) throw error;
    }
    return callEndpoint(exchange, found, await identify(), null);
  }

  async function callEndpoint(exchange: Exchange, found: Found | null, caller: Caller, remembered: RememberedKey | null): Promise<Outcome> {
    const { traceId } = exchange;
    if (!found) throw noRoute(exchange);
    const { input, rawBody, problems } = await readInput(exchange, found);
    const noteItems = (items: ServedItems) => void (exchange.items = items);
    const admitToTail = (accepted: number) => (exchange.admitted = requestLog?.admitItems(caller.environment.id, accepted) ?? 0);
    const context = { database, ...caller, remembered, traceId, rawBody, baseUrl, wake, admitToTail, noteItems };
    const output = await found.endpoint.call(input, context, problems);
    const status = found.endpoint.successStatus;
    return json(status, status === 204 ? "" : writeJson(output));
  }

  function refuse(exchange: Exchange, error: unknown): Outcome {
    const found = problemOf(error);
    if (found.isUnforeseen) logger.error({ traceId: exchange.traceId, err: error }, "unforeseen fault");
    const body = problemBody(found.problem, { baseUrl, path: exchange.path, traceId: exchange.traceId });
    const headers = HEADERS_OF[found.problem.code];
    return {
      status: body.status,
      contentType: "application/problem+json",
      body: writeJson(body),
      headers,
      code: body.code,
      problems: body.errors,
    };
  }

  return async (request) => {
    const started = performance.now();
    const span = tracer?.start(request.method, "server", knownParent(request.header("traceparent")));
    const exchange = openExchange(request, span?.traceId);
    let outcome: Outcome | null = null;
    try {
      const traceparent = span?.traceparent ?? null;
      if (traceparent === null) outcome = await handleRequest(exchange);
      else outcome = await withTraceScope({ traceparentOf: () => traceparent }, () => handleRequest(exchange));
    } catch (error) {
      if (!(error instanceof Aborted)) outcome = refuse(exchange, error);
    }
    const { asker, endpoint, traceId } = exchange;
    const line = {
      method: request.method,
      route: endpoint?.template ?? null,
      status: outcome?.status ?? CLIENT_CLOSED,
      durationMs: performance.now() - started,
      traceId,
    };
    served?.(line);
    span?.end(spanOf(line));
    logRequest(logger, { ...line, environment: asker?.environmentId ?? null, code: outcome?.code });
    if (requestLog !== undefined && asker !== null) requestLog.record({ ...line, ...servedOf(exchange, asker, outcome) });
    return outcome === null ? null : responseOf(exchange, outcome, always);
  };
}

const spanOf = ({ method, route, status }: Pick<RequestLine, "method" | "route" | "status">) => ({
  name: route === null ? method : `${method} ${route}`,
  failed: status >= 500,
  attributes: { "http.request.method": method, "http.response.status_code": status, ...(route === null ? {} : { "http.route": route }) },
});

const servedOf = ({ request, rawBody, items, admitted }: Exchange, { key, isRevoked }: Asker, outcome: Outcome | null) => ({
  key,
  isRevoked,
  at: Date.now(),
  target: request.target,
  code: outcome?.code ?? null,
  problems: outcome?.problems ?? [],
  body: rawBody,
  items,
  admitted,
});

/** The longest body, in characters, whose call may be repeated. */
const MAX_REPEATED_BODY = 20_000;

/** The logged status if the client disconnected before the response. */
const CLIENT_CLOSED = 499;

const HEADERS_OF: Partial<Record<Problem["code"], Record<string, string>>> = {
  "auth.api_key_invalid": { "WWW-Authenticate": "Bearer" },
  "rate_limit.concurrency_exceeded": { "Retry-After": "1" },
  // The rest of the body is not awaited.
  "request.timeout": { Connection: "close" },
  "service.unavailable": { "Retry-After": "2" },
};

const isUnderV1 = (path: string): boolean => path === "/v1" || path.startsWith("/v1/");
const isRead = (method: string): boolean => method === "GET" || method === "HEAD";
const json = (status: number, body: string): Outcome => ({ status, contentType: "application/json", body });
const noRoute = ({ request, path }: Exchange): Problem =>
  problem("route.not_found", `There is no ${request.method} ${path.toWellFormed()}.`);

const NO_BODY = Promise.resolve("");

function openExchange(request: ApiRequest, traceId: string = traceIdOf(request.header("traceparent"))): Exchange {
  const target = originForm(request.target);
  const mark = target.indexOf("?");
  return {
    request,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? "" : target.slice(mark + 1),
    traceId,
    asker: null,
    endpoint: null,
    body: NO_BODY,
    rawBody: "",
    items: null,
    admitted: null,
  };
}

/** The usual target; a proxy's "http://host/path" is reduced to its path (RFC 9112, 3.2.2). */
const originForm = (target: string): string => (target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*/i, "") || "/");

/** Reads the body. Errors in it are reported once the key has been found valid. */
async function takeBody(exchange: Exchange, arrival: Arrival): Promise<void> {
  exchange.body = exchange.request.readText(arrival);
  await exchange.body.catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
  });
}

interface ReadInput {
  /** One flat object of path parameters with the members of the body or the query. */
  input: unknown;
  rawBody: string;
  /** Of texts that cannot be stored. */
  problems: ProblemEntry[];
}

async function readInput(exchange: Exchange, { endpoint, parameters }: Found): Promise<ReadInput> {
  if (!endpoint.takesBody) {
    const { found, problems } = readQuery(exchange.query, endpoint.query);
    return { input: { ...found, ...parameters }, rawBody: "", problems };
  }
  const rawBody = await exchange.body;
  exchange.rawBody = rawBody;
  const body = await readJson(rawBody);
  const badTexts = endpoint.textIsJudgedPerItem ? [] : findBadTexts(rawBody, body, MAX_LISTED);
  const message = "A text has a NUL character or a lone surrogate.";
  const problems = badTexts.map((pointer): ProblemEntry => ({ code: "request.invalid", message, pointer }));
  // A number wider than JavaScript's is an object here, and would pass for one without members.
  const input = isNumeric(body) ? null : body;
  // Assigns into the body, which is not shared and may have a hundred thousand members.
  return { input: parameters && isJsonObject(input) ? Object.assign(input, parameters) : input, rawBody, problems };
}

function responseOf({ asker }: Exchange, { status, contentType, body, headers }: Outcome, always: Record<string, string>): ApiResponse {
  const all: Record<string, string | number> = { ...always, ...headers };
  if (status !== 204) {
    all["Content-Type"] = contentType;
    all["Content-Length"] = Buffer.byteLength(body);
  }
  if (asker !== null && asker.sandboxTime !== null) all["X-Sandbox-Time"] = formatInstant(asker.sandboxTime);
  return { status, headers: all, body };
}
