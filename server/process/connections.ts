import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Open at once on a port. Load balancers keep some hundreds; each open one costs some kilobytes, and a file descriptor. */
export const MOST_CONNECTIONS = 2_000;
/** Requests that a client has sent on one connection without waiting for their answers. */
const MOST_PIPELINED = 64;
/** Nothing moves on a connection in either direction: its client has gone, or does not read its answer. */
const STANDSTILL_MS = 300_000;

/** A client that has just connected may take so long to send its request, however many others connect meanwhile. */
const GRACE_MS = 250;

interface Connection {
  since: number;
  underWay: number;
  /** The last request on it, and its answer; null before the first. */
  latest: { request: IncomingMessage; response: ServerResponse } | null;
}

/**
 * A server that bounds what its connections may hold. Where one too many comes, the one that waited longest for its client gives way:
 * first those without a request, then those whose request has not come in whole or whose answer is not taken. What is being answered is
 * never cut; when there is nothing else, the newcomer is refused. So thousands of idle or slow connections keep nobody out. In a burst up to
 * twice as many are open for a moment: whoever has just connected has not had the time to send anything.
 */
export function createBoundedServer(options: ServerOptions, listener: RequestListener, most = MOST_CONNECTIONS): Server {
  // In the order in which they came or were last used.
  const open = new Map<Socket, Connection>();

  const giveWay = (newcomer: Socket | null): Socket | null => {
    let slow: Socket | null = null;
    for (const [socket, { underWay, latest }] of open) {
      if (socket === newcomer) continue;
      if (underWay === 0 || latest === null) return socket;
      // A streamed answer that is not taken has not ended: it waits for its reader.
      const isNotTaken = latest.response.writableEnded || latest.response.writableNeedDrain || socket.writableNeedDrain;
      if (!latest.request.complete || isNotTaken) slow ??= socket;
    }
    return slow ?? newcomer;
  };

  let relief: NodeJS.Timeout | null = null;
  const relieve = (newcomer: Socket | null): void => {
    while (open.size > most) {
      const socket = giveWay(newcomer);
      if (socket === null) return;
      const { since, latest } = open.get(socket)!;
      const isYoung = latest === null && performance.now() - since < GRACE_MS;
      if (isYoung && socket !== newcomer && open.size <= 2 * most) {
        // After a standstill the requests that have come in are read first.
        relief ??= setTimeout(() => setImmediate(() => ((relief = null), relieve(null))), GRACE_MS).unref();
        return;
      }
      open.delete(socket);
      socket.destroy();
    }
  };

  const server = createServer(options, (request, response) => {
    const { socket } = request;
    const connection = open.get(socket);
    if (connection === undefined || connection.underWay >= MOST_PIPELINED) return void socket.destroy();
    // Node.js loses what came behind a request to upgrade: a client that went on at once would wait for ever.
    if (request.headers.upgrade !== undefined) response.setHeader("Connection", "close");
    connection.underWay += 1;
    connection.latest = { request, response };
    response.once("close", () => {
      connection.underWay -= 1;
      // It counts as the youngest now.
      if (open.delete(socket)) open.set(socket, connection);
    });
    listener(request, response);
  });
  server.setTimeout(STANDSTILL_MS);
  server.on("connection", (socket: Socket) => {
    open.set(socket, { since: performance.now(), underWay: 0, latest: null });
    socket.once("close", () => open.delete(socket));
    relieve(socket);
  });
  return server;
}
