import { once } from "node:events";
import type { RequestListener, Server, ServerOptions } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createBoundedServer } from "./connections.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";

export interface Address {
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

/** Stops accepting, lets requests in flight finish, then closes. */
export async function closeServer(server: Server): Promise<void> {
  // Keep-alive connections become idle one by one, as their requests are answered.
  const sweeping = setInterval(() => server.closeIdleConnections(), 50);
  const cutting = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweeping);
  clearTimeout(cutting);
}
