import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Open connections per port. Load balancers keep some hundreds; each costs some kilobytes and a file descriptor. */
export const MAX_CONNECTIONS = 2_000;
/** Requests pipelined on one connection. */
const MAX_PIPELINED = 64;
/** A connection idle in both directions this long: its client has gone, or does not read its answer. */
const STANDSTILL_MS = 300_000;

/** A new client has this long to send its request, however many others connect meanwhile. */
const GRACE_MS = 250;

interface Connection {
  since: number;
  underWay: number;
  /** The last request on it, and its answer; null before the first. */
  latest: { request: IncomingMessage; response: ServerResponse } | null;
}

/**
 * A server that bounds its connections. At the limit, the connection that has waited longest for its client is closed: first those without
 * a request, then those whose request is incomplete or whose answer is not read. A request in progress is never cut; if there is nothing
 * else to close, the newcomer is refused. So thousands of idle or slow connections lock out no client. A burst may briefly open twice as
 * many, since new clients need time to send their request.
 */
export function createBoundedServer(options: ServerOptions, listener: RequestListener, most = MAX_CONNECTIONS): Server {
  // Least recently used first.
  const open = new Map<Socket, Connection>();

  const giveWay = (newcomer: Socket | null): Socket | null => {
    let slow: Socket | null = null;
    for (const [socket, { underWay, latest }] of open) {
      if (socket === newcomer) continue;
      if (underWay === 0 || latest === null) return socket;
      // An unread streamed answer has not ended: it waits for its reader.
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
        // After a stall, read the requests that have arrived first.
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
    if (connection === undefined || connection.underWay >= MAX_PIPELINED) return void socket.destroy();
    // Node.js loses bytes that follow an upgrade request: a client that pipelined would wait for ever.
    if (request.headers.upgrade !== undefined) response.setHeader("Connection", "close");
    connection.underWay += 1;
    connection.latest = { request, response };
    response.once("close", () => {
      connection.underWay -= 1;
      // Now the most recently used.
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
