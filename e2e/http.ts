import { once } from "node:events";
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

/** An answer as it came over the wire: `text` is the raw body, on which exact numbers are judged. */
export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as plain JSON; undefined without one. */
  json: any;
  /** The code of a problem; undefined for any other answer. */
  code: string | undefined;
}

export interface Call {
  /** A string or bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A number that is written into a body digit for digit. */
export const exact = (number: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(number);

/** Allows as many connections as a test has concurrent requests. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One request over real HTTP; the path is sent unchanged. */
export function exchange(port: number, method: string, path: string, { body, headers = {} }: Call = {}): Promise<Reply> {
  const bytes = body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const announced = bytes === undefined || "transfer-encoding" in headers ? {} : { "content-length": String(Buffer.byteLength(bytes)) };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, method, path, agent, headers: { ...announced, ...headers } }, (incoming) => {
      text(incoming).then((answer) => resolve(replyOf(incoming.statusCode ?? 0, incoming.headers, answer)), reject);
    });
    outgoing.on("error", reject);
    outgoing.end(bytes);
  });
}

/** A request whose headers the service has received before `meanwhile` runs, and whose body is sent after it. */
export async function exchangeSlowly(
  port: number,
  path: string,
  { body, headers = {} }: Call,
  meanwhile: () => Promise<unknown>,
): Promise<Reply> {
  const bytes = JSON.stringify(body);
  const announced = { "content-length": String(Buffer.byteLength(bytes)), expect: "100-continue" };
  const outgoing = request({ host: "127.0.0.1", port, method: "POST", path, headers: { ...announced, ...headers } });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  outgoing.flushHeaders();
  await once(outgoing, "continue");
  await meanwhile();
  outgoing.end(bytes);
  const [incoming] = await answered;
  return replyOf(incoming.statusCode ?? 0, incoming.headers, await text(incoming));
}

function replyOf(status: number, headers: IncomingHttpHeaders, answer: string): Reply {
  const json = answer === "" ? undefined : (JSON.parse(answer) as { code?: string });
  return { status, headers, text: answer, json, code: status >= 400 ? json?.code : undefined };
}
