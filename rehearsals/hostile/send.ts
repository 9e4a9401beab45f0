import { Agent, request } from "node:http";

/** A response: its status, its length, and the code of a refusal. With status 0 there was none, and `code` is the reason. */
export interface Outcome {
  status: number;
  bytes: number;
  type: string;
  code: string;
}

export interface Sent {
  port: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Far longer than any request takes. */
const PATIENCE_MS = 60_000;

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/**
 * One request; never fails. If the connection ends while a body is being sent, the response received before counts. A kept-alive connection
 * may be closed just as the next request is written: like every client, this one then retries on a new connection.
 */
export function send(sent: Sent): Promise<Outcome> {
  const { port, method, path, headers, body } = sent;
  return new Promise((resolve) => {
    const end = (status: number, code: string) => resolve({ status, bytes: 0, type: "", code });
    const length = body === null ? {} : { "content-length": String(body.length) };
    const outgoing = request({ host: "127.0.0.1", port, method, path, agent, headers: { ...headers, ...length } }, (incoming) => {
      const type = incoming.headers["content-type"] ?? "";
      let [bytes, start] = [0, ""];
      incoming.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (start.length < 4_000) start += chunk.toString();
      });
      const done = () => resolve({ status: incoming.statusCode ?? 0, bytes, type, code: codeOf(start) });
      incoming.on("end", done).on("error", done);
    });
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error("no answer in time")));
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && error.code === "ECONNRESET") return resolve(send(sent));
      end(0, error.code ?? error.message);
    });
    outgoing.end(body ?? undefined);
  });
}

/** The code in a problem, in a refused call, or in a refusal for too many pages. */
const codeOf = (answer: string): string => /"code":"([\w.]+)"/.exec(answer)?.[1] ?? (answer.startsWith("Too many pages") ? "pages" : "");

/** The approximate bytes of the request on the wire. */
export const sizeOf = ({ method, path, headers, body }: Sent): number =>
  method.length +
  path.length +
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 30) +
  (body?.length ?? 0);

export const closeConnections = (): void => agent.destroy();
