import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Refused } from "./kernel/refused.ts";

/** How long a process that is just stopping may keep the port. */
const PATIENCE_MS = 10_000;
/** What is in flight when we stop is given this long. */
const GRACE_MS = 10_000;

/** Listens on a port, waiting a while where it is taken. Throws Refused. */
export async function listen(listener: RequestListener, options: ServerOptions, { port, host, variable }: Address): Promise<Server> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const server = createServer(options, listener).listen(port, host);
    try {
      await once(server, "listening");
      return server;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== "EADDRINUSE") throw new Refused(`Port ${port} cannot be opened (${code}). Choose another with ${variable}.`);
      if (Date.now() > deadline) throw new Refused(`Port ${port} is taken by another process. End that one, or choose another port with ${variable}.`);
      if (Date.now() > deadline - PATIENCE_MS + 200) await sleep(100);
      else process.stderr.write(`Port ${port} is taken; waiting up to ${PATIENCE_MS / 1000} s for it to become free.\n`);
      await sleep(200);
    }
  }
}

export interface Address {
  port: number;
  /** Every address of the machine if left out. */
  host?: string;
  /** The setting that names it, for what is said when it is taken. */
  variable: string;
}

/** Accepts nothing more, lets finish what is in flight, then closes. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const deadline = Date.now() + GRACE_MS;
  while (server.listening || !(await Promise.race([closed.then(() => true), sleep(50, false)]))) {
    // Connections that were kept alive for a next request become idle one by one.
    if (Date.now() < deadline) server.closeIdleConnections();
    else server.closeAllConnections();
  }
}
