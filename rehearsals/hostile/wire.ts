import { execFile } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

/** The bytes sent on a connection, and its required end. */
export interface WireAttack {
  name: string;
  connections: number;
  /** Sent one after another, with a pause between. */
  pieces: string[];
  /** A list: HTTP/1.1 responses with these statuses, in order. "over": answered or closed. "open": stays open without blocking others. */
  becomes: "over" | "open" | number[];
}

const h2c = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA"];
const head = (...lines: string[]): string => `${lines.join("\r\n")}\r\n\r\n`;
const LAST = "Connection: close";
const webSocket = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13"];

const over = (name: string, connections: number, piece: string): WireAttack => ({ name, connections, pieces: [piece], becomes: "over" });

/** Known attacks on the HTTP protocol; `key` is an API key. `pages`: the number of concurrent connections that may ask for pages. */
export function wireAttacks(key: string, pages: number): WireAttack[] {
  const bearer = `Authorization: Bearer ${key}`;
  const last = head("GET /v1/openapi.json HTTP/1.1", "Host: x", LAST);
  const body = '{"playerId":"ann"}';
  const read = "GET /v1/points?PlayerId=ann HTTP/1.1";
  const post = "POST /v1/players HTTP/1.1";
  const chunked = head(post, "Host: x", bearer, "Transfer-Encoding: chunked");
  const write = [post, "Host: x", bearer, `Content-Length: ${body.length}`];
  return [
    // Each request has a second one behind it, which is not answered if the first one is malformed: the connection is closed.
    { name: "a read that asks for HTTP/2", connections: 20, pieces: [head(read, "Host: x", bearer, ...h2c) + last], becomes: [200] },
    { name: "a write that asks for HTTP/2", connections: 20, pieces: [head(...write, ...h2c) + body + last], becomes: [200] },
    {
      name: "a write that asks for HTTP/2, its body late",
      connections: 5,
      pieces: [head(...write, ...h2c), body, last],
      becomes: [200],
    },
    ...["/v1/points?PlayerId=ann", "/", "/dashboard", "/_next/hmr", "/_next/webpack-hmr", "/rpc/projects/me"].map((path) =>
      // Some render a page for every connection.
      over(
        `a web socket to ${path}`,
        path.startsWith("/_next/") ? pages / 5 : pages,
        head(`GET ${path} HTTP/1.1`, "Host: x", ...webSocket),
      ),
    ),
    over("HTTP/2 without asking", 5, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    over("a tunnel", 5, head("CONNECT example.com:443 HTTP/1.1", "Host: example.com:443")),
    // Invalid lengths.
    ...["-1", "1e3", "0x10", "9".repeat(40), "1, 2", ""].map((length) =>
      over(`a length of "${length}"`, 2, head(post, "Host: x", bearer, `Content-Length: ${length}`)),
    ),
    over("a length and chunks", 2, head(post, "Host: x", "Content-Length: 4", "Transfer-Encoding: chunked") + "0\r\n\r\n"),
    over("a chunk of nonsense", 5, chunked + "zz\r\n"),
    { name: "a chunk larger than memory", connections: 5, pieces: [chunked + "ffffffffffff\r\nx"], becomes: "open" },
    over(
      "a body in chunks of a byte, with chunk extensions",
      2,
      `${chunked}${"1;a=b\r\n \r\n".repeat(20_000)}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n${last}`,
    ),
    over("an unsupported transfer encoding", 2, head(post, "Host: x", bearer, "Transfer-Encoding: gzip, chunked") + "0\r\n\r\n"),
    // Large amounts.
    over("requests without waiting for answers", 2, head("GET /nothing HTTP/1.1", "Host: x").repeat(3_000)),
    over("pages without waiting for answers", 2, head("GET /docs/errors HTTP/1.1", "Host: x", "Accept: text/html").repeat(5 * pages)),
    over("headers by the thousand", 5, `GET / HTTP/1.1\r\nHost: x\r\n${"A: b\r\n".repeat(20_000)}`),
    over("a header of a megabyte", 5, `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${"a=b; ".repeat(200_000)}`),
    over("a line of a megabyte", 5, `GET /${"x".repeat(1_000_000)} HTTP/1.1\r\n\r\n`),
    // Slow and incomplete requests.
    { name: "idle connections", connections: 500, pieces: [], becomes: "open" },
    { name: "half a request", connections: 500, pieces: ["GET / HTTP/1.1\r\nHost: x\r\nX-"], becomes: "open" },
    { name: "a request letter by letter", connections: 100, pieces: "GET /v1/points HTTP/1.1\r\n".split(""), becomes: "open" },
    {
      name: "a form whose body never arrives",
      connections: 500,
      pieces: [head("POST /sign-in HTTP/1.1", "Host: x", "Content-Type: multipart/form-data; boundary=x", "Content-Length: 16000")],
      becomes: "open",
    },
    {
      name: "a call whose body never arrives",
      connections: 500,
      pieces: [
        head(
          "POST /rpc/definitions/importFile HTTP/1.1",
          "Host: x",
          "X-CSRF-Token: orpc",
          "Content-Type: application/json",
          "Content-Length: 16000000",
        ),
      ],
      becomes: [401],
    },
    { name: "connections closed before the response", connections: 200, pieces: [head(read, "Host: x", bearer)], becomes: "open" },
    over("zeros", 20, "\0".repeat(10_000)),
    over("a greeting of TLS", 20, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(20)),
  ];
}

/** More requests than an organization may have running and queued, and fewer than a process may have in flight. */
export const bodiesThatNeverArrive = (key: string): WireAttack => ({
  name: "bodies of one byte",
  connections: 60,
  pieces: [head("POST /v1/events HTTP/1.1", "Host: x", `Authorization: Bearer ${key}`, "Content-Length: 100000"), "{"],
  becomes: [408],
});

/** Makes an attack; returns the service's fault, null for none. */
export async function tryOnWire(port: number, { name, connections, pieces, becomes }: WireAttack): Promise<string | null> {
  const ends = await Promise.all(Array.from({ length: connections }, () => one(port, pieces, becomes)));
  const wrong = ends.filter((end) => end !== null);
  return wrong.length === 0 ? null : `${name}: ${wrong.length} of ${connections} connections ${wrong[0]}`;
}

/** A connection that is neither answered nor closed within this time counts as stuck. Long, since a busy machine renders pages slowly. */
const PATIENCE_MS = 100_000;
const MOMENT_MS = 5;

function one(port: number, pieces: string[], becomes: WireAttack["becomes"]): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    const end = (wrong: string | null) => {
      clearTimeout(patience);
      socket.destroy();
      resolve(wrong);
    };
    const patience = setTimeout(() => end(`were left with ${JSON.stringify(answer.slice(0, 60))}`), PATIENCE_MS);
    const judge = (isClosed: boolean) => {
      const statuses = Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
      if (Array.isArray(becomes)) {
        if (statuses.length >= becomes.length || isClosed)
          end(statuses.join() === becomes.join() ? null : `were answered [${statuses.join()}]`);
      } else if (statuses.some((status) => status >= 500)) end(`were answered [${statuses.join()}]`);
      else if (statuses.length > 0 || isClosed) end(null);
    };
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      answer += chunk.slice(0, 10_000);
      judge(false);
    });
    socket.on("error", () => {}).on("close", () => judge(true));
    const sendPieces = async () => {
      for (const [at, piece] of pieces.entries()) {
        if (at > 0) await delay(MOMENT_MS);
        if (!socket.destroyed) socket.write(piece, "latin1");
      }
      if (becomes === "open") setTimeout(() => end(null), 100);
    };
    socket.on("connect", () => void sendPieces());
  });
}

/** The response to curl offering HTTP/2 over plain http, as [status, version]; null without curl. */
export async function askByCurl(port: number, path: string, key: string, body?: string): Promise<string | null> {
  const options = ["-s", "--max-time", "100", "--http2", "-w", "%{http_code} %{http_version}", "-o", "/dev/null"];
  const args = [...options, "-H", `Authorization: Bearer ${key}`, ...(body === undefined ? [] : ["--data-binary", body])];
  try {
    return (await promisify(execFile)("curl", [...args, `http://127.0.0.1:${port}${path}`])).stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
