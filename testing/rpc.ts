import { setTimeout as sleep } from "node:timers/promises";

/** Calls a dashboard procedure, such as "keys/create"; returns its result. Throws KitError with the service's message. */
export type Rpc = <Answer>(procedure: string, input?: object) => Promise<Answer>;

/** An error of a test run, worded for the test's author. */
export class KitError extends Error {
  override readonly name = "KitError";
}

/** How long a request that is refused with 429 is sent again. */
const PATIENCE_MS = 60_000;

/** Calls procedures with a token. */
export function rpcWithToken(url: string, token: string): Rpc {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (procedure, input = {}) =>
    answerOf(procedure, ask(`${url}/rpc/${procedure}`, { method: "POST", headers, body: JSON.stringify({ json: input }) }));
}

/**
 * Sends a request to the service. A 429 had no effect and means that too many are in flight, such as those of the other workers: it
 * is sent again, at growing intervals.
 */
export async function ask(address: string, init: RequestInit): Promise<Response> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 2_000)) {
    const answer = await request(address, init);
    if (answer.status !== 429 || performance.now() > deadline) return answer;
    await answer.body?.cancel();
    await sleep(pauseMs);
  }
}

/** Sends a request. Throws KitError for an invalid address, and if `who`, the program at that address, does not respond. */
export async function request(address: string, init: RequestInit, who = "The engagement service"): Promise<Response> {
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? "")) {
    throw new KitError(`${who} cannot be called at ${address}: give an http or https address, such as http://localhost:3000.`);
  }
  try {
    return await fetch(address, init);
  } catch (error) {
    const { cause } = error as { cause?: { message?: string } };
    throw new KitError(`${who} does not answer at ${new URL(address).origin}: ${cause?.message ?? String(error)}`);
  }
}

/** A response of fetch, or of Playwright. */
interface Answered {
  status: number | (() => number);
  text(): Promise<string>;
}

/** Unwraps a procedure's response. Throws KitError unless its status is 200. */
export async function answerOf<Answer>(procedure: string, asked: Answered | Promise<Answered>): Promise<Answer> {
  const answer = await asked;
  const status = typeof answer.status === "function" ? answer.status() : answer.status;
  const text = await answer.text();
  const json = jsonOf(text) as { message?: string; data?: unknown } | undefined;
  if (status === 200) return json as Answer;
  const data = json?.data === undefined ? "" : JSON.stringify(json.data);
  // Most data only repeat the message.
  const more = data === JSON.stringify({ problems: [json?.message] }) ? "" : ` ${data}`;
  throw new KitError(`${procedure} was refused (${status}): ${json?.message ?? problemOf(text)}${more}`.trimEnd());
}

/** The problem that a response describes; another program at that address answers with a page. */
export function problemOf(text: string): string {
  try {
    const { code, detail, title } = JSON.parse(text) as { code?: string; detail?: string; title?: string };
    return `${code ?? ""} ${detail ?? title ?? text}`.trim();
  } catch {
    return /^\s*</.test(text) ? "the answer is a web page. Is this the service's address?" : text.slice(0, 500);
  }
}

function jsonOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { json?: unknown }).json;
  } catch {
    return undefined;
  }
}
