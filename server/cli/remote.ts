import { setTimeout as sleep } from "node:timers/promises";
import { createORPCClient, ORPCError } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import type { DashboardClient } from "../api/dashboard.ts";
import { parseJson } from "../model/kernel/json.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Connection } from "./connection.ts";
import { kindOf, type EnvironmentRef, type Service, type Where } from "./service.ts";

/** A remote service, called with a token. */
export class Remote implements Service {
  readonly url: string;
  readonly rpc: DashboardClient;
  readonly #headers: Record<string, string>;
  #bounds: Bounds | undefined;

  constructor({ url, token }: Connection) {
    this.url = url;
    const headers = { authorization: `Bearer ${token}` };
    this.#headers = headers;
    this.rpc = createORPCClient(new RPCLink({ url: `${url}/rpc`, headers, fetch: (request, init) => answerOf(url, request, init) }));
  }

  /** Downloaded as a file, which may be longer than a call's response. */
  async definitions({ project, environment }: EnvironmentRef, images: boolean): Promise<unknown> {
    const query = new URLSearchParams({ project, environment, images: String(images) });
    const answer = await patiently(() => fetch(`${this.url}/rpc/exports/definitions.json?${query}`, { headers: this.#headers }));
    // Refusals are plain text; another service at that address would answer with a page.
    const own = answer.ok ? /^application\/json\b/ : /^text\/plain\b/;
    if (!own.test(answer.headers.get("content-type") ?? "")) throw otherService(this.url, answer);
    const text = await answer.text();
    if (answer.ok) return parseJson(text);
    throw new ORPCError(answer.status === 401 ? "UNAUTHORIZED" : "REFUSED", { status: answer.status, message: text.trim() });
  }

  /** The project and environment of the token, so that commands need not name them. */
  async bounds(): Promise<Bounds> {
    if (this.#bounds === undefined) {
      const { email, token } = await this.rpc.tokens.current();
      this.#bounds = { email, ...token! };
    }
    return this.#bounds;
  }

  /** The token's present role in words. Its maker's role may be lower by now, possibly only in Live. */
  async role(): Promise<string> {
    const { project, environment, role } = await this.bounds();
    if (environment === "tests") return role;
    const { roles } = await this.rpc.projects.place({ project });
    if (environment !== null) return roles[environment];
    return roles.sandbox === roles.live ? roles.sandbox : `${roles.sandbox} in the Sandbox, ${roles.live} in Live`;
  }

  /** Throws OperatorError if a token for test projects is used without naming one. */
  async project({ project }: Pick<Where, "project">): Promise<string> {
    if (project !== undefined) return project;
    const bounds = await this.bounds();
    if (bounds.environment !== "tests") return bounds.project;
    throw new OperatorError("The token is for test projects: say which one with --project. `engagement test create` makes one.");
  }

  async where({ project, environment }: Where): Promise<EnvironmentRef> {
    const own = await this.project({ project });
    if (environment !== undefined) return { project: own, environment: kindOf(environment) };
    const { environment: bound } = await this.bounds();
    // A token for tests only reaches the Sandbox of a test project.
    return { project: own, environment: bound === "tests" ? "sandbox" : kindOf(bound ?? undefined) };
  }

  /** The same for Sandbox-only commands. Throws OperatorError. */
  async sandbox({ project }: Pick<Where, "project">): Promise<{ project: string; environment: "sandbox" }> {
    return { project: await this.project({ project }), environment: "sandbox" };
  }
}

/** How long a call that is refused with 429 is sent again, as by the testing kits. */
const PATIENCE_MS = 60_000;

/** A 429 had no effect and means that other calls of the same user are under way: the call is sent again, at growing intervals. */
async function patiently(send: () => Promise<Response>): Promise<Response> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 2_000)) {
    const answer = await send();
    if (answer.status !== 429 || performance.now() > deadline) return answer;
    await answer.body?.cancel();
    await sleep(pauseMs);
  }
}

/** The service always answers with JSON; anything else comes from another server at that address, or from a proxy. */
async function answerOf(url: string, request: Request, init: RequestInit): Promise<Response> {
  const answer = await patiently(() => fetch(request.clone(), init));
  if (/^application\/json\b/.test(answer.headers.get("content-type") ?? "")) return answer;
  throw otherService(url, answer);
}

const otherService = (url: string, { status, statusText }: Response): OperatorError =>
  new OperatorError(
    status >= 500
      ? `${url} answers ${status} ${statusText}. Is the service running?`
      : `${url} answers, but not as an engagement service. Is the address right?`,
  );

type Bounds = { email: string } & NonNullable<Awaited<ReturnType<DashboardClient["tokens"]["current"]>>["token"]>;

/** Whether the service itself refused the call, so it can be reached. */
export const isRefusal = (error: unknown): error is ORPCError<string, unknown> => error instanceof ORPCError;

/** Whether a retry would not help: the service has refused. While starting or stopping, it or its proxy answers 5xx. */
export const isFinal = (error: unknown): boolean => isRefusal(error) && error.status < 500 && error.status !== 429 && error.status !== 408;

/** Turns a failed call into a message for the terminal; other errors are returned unchanged. `url` is null beside the database. */
export function explainCall(error: unknown, url: string | null): unknown {
  if (isRefusal(error)) return Object.assign(new OperatorError(...linesOf(error, url)), { cause: error });
  if (url === null || !(error instanceof Error)) return error;
  const cause = error.cause instanceof Error ? error.cause : null;
  const code = codeIn(error);
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET")
    return new OperatorError(`${url} ended the connection before its answer was complete. The call may have taken effect: look before you repeat it.`); // oxfmt-ignore
  if (error instanceof TypeError && error.message === "fetch failed")
    return new OperatorError(`${url} cannot be reached: ${code ?? cause?.message ?? error.message}.`);
  return error;
}

/** The system's code of an error, or of the one that caused it. */
function codeIn(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return "code" in error && typeof error.code === "string" ? error.code : codeIn(error.cause);
}

function linesOf({ code, message, data }: ORPCError<string, unknown>, url: string | null): string[] {
  const { problems } = (data ?? {}) as { problems?: unknown };
  if (Array.isArray(problems) && problems.every((one) => typeof one === "string")) return problems;
  if (code === "UNAUTHORIZED" && url !== null)
    return [`${message} Log in again with "engagement login --url ${url}", or give another token.`];
  return [message];
}
