import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { OperatorError } from "../model/kernel/operator-error.ts";

interface Address {
  port: number;
  /** Every address of the machine if left out. */
  host?: string;
  /** The setting that names the port, for error messages. */
  variable: string;
}

/** How long to wait for a port that a stopping process still holds. */
const PATIENCE_MS = 10_000;
/** Shutdown waits this long for running requests, then closes their connections. */
const GRACE_MS = 10_000;

/** Listens on a port, waiting a while if it is taken. Throws OperatorError. */
export async function listen(listener: RequestListener, options: ServerOptions, { port, host, variable }: Address): Promise<Server> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let attempt = 0; ; attempt++) {
    const server = createBoundedServer(options, listener).listen(port, host);
    try {
      await once(server, "listening");
      return server;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EADDRINUSE") throw new OperatorError(`Port ${port} cannot be opened (${code}). Choose another with ${variable}.`);
      if (performance.now() > deadline)
        throw new OperatorError(`Port ${port} is still taken. Stop the process that uses it, or choose another with ${variable}.`);
    }
    if (attempt === 0) process.stderr.write(`Port ${port} is taken; waiting up to ${PATIENCE_MS / 1000} s for it to become free.\n`);
    await sleep(200);
  }
}

/** The sockets of upgraded requests, which a server waits for but does not close. */
const upgraded = new WeakMap<Server, Set<Duplex>>();

/** Calls `upgrade` with requests that the server's `shouldUpgradeCallback` accepts. */
export function takeUpgrades(server: Server, upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown): void {
  const sockets = new Set<Duplex>();
  upgraded.set(server, sockets);
  server.on("upgrade", (request, socket, head) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    upgrade(request, socket, head);
  });
}

/** Stops accepting, lets requests in flight finish, then closes. */
export async function closeServer(server: Server): Promise<void> {
  const sweeping = setInterval(() => {
    // Keep-alive connections become idle one by one, as their requests are answered.
    server.closeIdleConnections();
    for (const socket of upgraded.get(server) ?? []) socket.destroy();
  }, 50);
  const cutting = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweeping);
  clearTimeout(cutting);
}

/** Open connections per port. Load balancers keep some hundreds; each costs some kilobytes and a file descriptor. */
const MAX_CONNECTIONS = 2_000;
const MAX_PIPELINED = 64;
/** A connection idle in both directions this long: its client has gone, or does not read its answer. */
const STANDSTILL_MS = 300_000;

/** A new client has this long to send its request, however many others connect meanwhile. */
const ARRIVAL_MS = 250;

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
      const isYoung = latest === null && performance.now() - since < ARRIVAL_MS;
      if (isYoung && socket !== newcomer && open.size <= 2 * most) {
        // After a stall, the event loop first reads the requests that have already arrived.
        relief ??= setTimeout(() => setImmediate(() => ((relief = null), relieve(null))), ARRIVAL_MS).unref();
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
