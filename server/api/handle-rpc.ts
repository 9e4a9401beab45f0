import { ORPCError, toORPCError } from "@orpc/client";
import { traverseContractProcedures } from "@orpc/server";
import { StandardRPCHandler } from "@orpc/server/standard";
import { findBadTexts } from "../model/kernel/json.ts";
import { MAX_LISTED, Problem } from "../model/kernel/problem.ts";
import { isJsonObject } from "../model/kernel/values.ts";
import { type DashboardContext, type DashboardMeta, ORDINARY_BODY } from "./access.ts";
import { withinBudget, writeAnswer } from "./answer-budget.ts";
import { type TokenSettings, identifyCaller } from "./credentials.ts";
import { Aborted, readJson, TooSlow } from "./body.ts";
import type { Credentials } from "./caller.ts";
import { dashboardRouter } from "./rpc/router.ts";
import { hardened } from "./hardened.ts";
import { LargeBodies } from "./large-bodies.ts";

/** A call in transport-independent form. */
export interface RpcRequest {
  method: string;
  /** Path and query as received. */
  target: string;
  header(name: string): string | undefined;
  /**
   * The body as text, up to a number of bytes; `late` aborts the wait. Problems: request.too_large, request.malformed. Throws Aborted,
   * TooSlow.
   */
  readText(most: number, late?: AbortSignal): Promise<string>;
}

export interface RpcAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Answers POST /rpc/<domain>/<procedure>. Null: the client disconnected. */
export type Rpc = (request: RpcRequest) => Promise<RpcAnswer | null>;

type Interceptor = <T>(options: { next(): Promise<T> }) => Promise<T>;

interface RpcOptions {
  context: Omit<DashboardContext, keyof Credentials>;
  token: TokenSettings;
  /** Wraps everything that may fail, and turns an unexpected error into a response that reveals nothing. */
  translateErrors: Interceptor;
}

/**
 * The dashboard's procedures over HTTP. Unauthorized callers, cross-site forms and bodies of the wrong type or size are refused by their
 * headers, before the body is read.
 */
export function createRpc({ context, token, translateErrors }: RpcOptions): Rpc {
  const briefly: Interceptor = async ({ next }) => withFewProblems(await next());
  const handler = new StandardRPCHandler<DashboardContext>(dashboardRouter, {
    clientInterceptors: [briefly, translateErrors, withinBudget],
  });
  const procedures = listProcedures();
  const largeBodies = new LargeBodies();
  const headers = { ...hardened(context.baseUrl), "Cache-Control": "no-store", "Content-Type": "application/json" };

  async function call(request: RpcRequest): Promise<{ status: number; body: unknown }> {
    const { method, target, header } = request;
    if (method !== "POST") throw new ORPCError("METHOD_NOT_SUPPORTED", { message: "A procedure is called with POST." });
    const credentials = await translateErrors({ next: () => identifyCaller(context.database, token, header) });
    if (!JSON_TYPE.test(header("content-type") ?? ""))
      throw new ORPCError("UNSUPPORTED_MEDIA_TYPE", { message: "A procedure accepts only application/json." });
    const procedure = procedures.get(target.split("?", 1)[0]!);
    if (procedure === undefined) throw new ORPCError("NOT_FOUND", { message: "There is no such procedure." });
    const announced = Number(header("content-length") ?? Infinity);
    const isLarge = procedure.largest > ORDINARY_BODY && announced > ORDINARY_BODY;
    const release = isLarge ? largeBodies.acquire(credentials.caller.person.userId) : () => {};
    try {
      const body = await readInput(request, procedure.largest, isLarge ? AbortSignal.timeout(LARGE_BODY_MS) : undefined);
      const asked = { method, url: procedure.url, headers: {}, signal: undefined, body: async () => body };
      const { response } = await handler.handle(asked, { prefix: "/rpc", context: { ...context, ...credentials } });
      return response!;
    } finally {
      release();
    }
  }

  return async (request) => {
    try {
      const { status, body } = await call(request);
      return { status, headers, body: writeAnswer(body) };
    } catch (error) {
      if (error instanceof Aborted) return null;
      const refusal = toORPCError(error);
      return { status: refusal.status, headers, body: JSON.stringify({ json: refusal.toJSON() }) };
    }
  };
}

/** A large body holds its slot while it arrives: without a limit, four users with slow connections would block everyone. */
const LARGE_BODY_MS = 20_000;

const JSON_TYPE = /^application\/json(;|$)/i;

interface Listed {
  url: URL;
  /** Bytes. */
  largest: number;
}

function listProcedures(): Map<string, Listed> {
  const listed = new Map<string, Listed>();
  traverseContractProcedures({ router: dashboardRouter, path: [] }, ({ contract, path }) => {
    const { largestBody = ORDINARY_BODY } = contract["~orpc"].meta as DashboardMeta;
    const url = new URL(`/rpc/${path.join("/")}`, "http://dashboard.invalid");
    listed.set(url.pathname, { url, largest: largestBody });
  });
  return listed;
}

/** The input, in oRPC's envelope. Contracts use only plain JSON, so oRPC's `meta` (dates, sets, regular expressions) is ignored. */
async function readInput({ readText }: RpcRequest, largest: number, late?: AbortSignal): Promise<{ json: unknown; meta: [] }> {
  try {
    const text = await readText(largest, late);
    const body = await readJson(text);
    if (isTooWide(body))
      throw new ORPCError("BAD_REQUEST", { message: `A list or an object has at most ${MAX_MEMBERS.toLocaleString("en")} entries.` });
    // Neither PostgreSQL nor UTF-8 can represent such text, so no procedure takes it.
    if (findBadTexts(text, body, 1).length > 0)
      throw new ORPCError("BAD_REQUEST", { message: "A text has a NUL character or a lone surrogate." });
    return { json: isJsonObject(body) ? body["json"] : undefined, meta: [] };
  } catch (error) {
    if (error instanceof Problem && error.code === "request.too_large")
      throw new ORPCError("PAYLOAD_TOO_LARGE", { message: `This is more than the ${sizeWords(largest)} that are accepted here.` });
    if (error instanceof TooSlow)
      throw new ORPCError("TIMEOUT", {
        message: `This did not arrive within ${LARGE_BODY_MS / 1000} seconds. Send it over a faster connection.`,
      });
    if (error instanceof SyntaxError || error instanceof Problem)
      throw new ORPCError("BAD_REQUEST", { message: "The body is not valid JSON." });
    throw error;
  }
}

/** More than any screen sends; validating hundreds of thousands would block the process for seconds. */
const MAX_MEMBERS = 10_000;

function isTooWide(body: unknown): boolean {
  const waiting = [body];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one !== "object" || one === null) continue;
    const inner: unknown[] = Object.values(one);
    if (inner.length > MAX_MEMBERS) return true;
    for (const value of inner) if (typeof value === "object") waiting.push(value);
  }
  return false;
}

/** Bounds an answer that lists a document's problems. */
function withFewProblems<Answer>(answer: Answer): Answer {
  const { problems } = (answer ?? {}) as { problems?: unknown };
  if (!Array.isArray(problems) || problems.length <= MAX_LISTED) return answer;
  // The last problem may already be the count of the rest.
  const { code, params } = problems.at(-1) as { code?: string; params?: { more: number } };
  const more = problems.length - MAX_LISTED + (code === "document.more_problems" ? params!.more - 1 : 0);
  const last = {
    ...problems[0],
    pointer: "",
    message: `${more} more problems are not listed`,
    code: "document.more_problems",
    params: { more },
  };
  return { ...answer, problems: [...problems.slice(0, MAX_LISTED), last] };
}

const KIB = 1024;
const sizeWords = (bytes: number): string => (bytes < KIB * KIB ? `${bytes / KIB} KiB` : `${bytes / KIB / KIB} MiB`);
