import { ReadableStream } from "node:stream/web";
import { type ApiResponse, type ApiOptions, type ApiRequest, createApi } from "./handle-request.ts";
import { MAX_BODY_BYTES, readFetchedText } from "./body.ts";
import { type Exports, IS_EXPORT } from "./exports.ts";
import type { Rpc } from "./handle-rpc.ts";

export type ApiHandler = (request: Request) => Promise<Response>;

/** The public API for fetch requests and responses, as serverless platforms use them. */
export function createApiHandler(options: ApiOptions): ApiHandler {
  const api = createApi(options);
  return async (request) => responseOf(request.method, await api(requestOf(request)));
}

const requestOf = (request: Request): ApiRequest => ({
  method: request.method,
  target: targetOf(request.url),
  header: (name) => request.headers.get(name) ?? undefined,
  readText: (arrival) => readFetchedText(request, MAX_BODY_BYTES, arrival),
  whenAbandoned: (act) => (request.signal.aborted ? act() : request.signal.addEventListener("abort", act, { once: true })),
});

/**
 * Path and query of a URL without parsing, which would re-encode them. Next has re-encoded the query, and put U+FFFD in place of invalid
 * UTF-8; this is undone, or different ids would be taken for one.
 */
function targetOf(url: string): string {
  const target = url.slice(url.indexOf("/", url.indexOf("://") + "://".length));
  const mark = target.indexOf("?");
  return mark < 0 ? target : target.slice(0, mark) + target.slice(mark).replaceAll("%EF%BF%BD", "%FF");
}

function responseOf(method: string, answer: ApiResponse | null): Response {
  // The client has disconnected, but Next requires a response.
  if (answer === null) return new Response(null, { status: 499 });
  const { status, headers, body } = answer;
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(method === "HEAD" || status === 204 ? null : body, { status, headers: fields });
}

/** Answers the dashboard's procedures and exports for fetch requests. */
export async function answerRpc({ rpc, exports }: { rpc: Rpc; exports: Exports }, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const header = (name: string) => request.headers.get(name) ?? undefined;
  if (IS_EXPORT.test(pathname)) {
    const { status, headers, body } = await exports({ method: request.method, target: pathname + search, header });
    return new Response(ReadableStream.from(inBytes(body)) as unknown as BodyInit, { status, headers });
  }
  const answer = await rpc({
    method: request.method,
    target: pathname,
    header,
    readText: (most, late) => readFetchedText(request, most, { late }),
  });
  return answer === null ? new Response(null, { status: 499 }) : new Response(answer.body, answer);
}

async function* inBytes(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}
