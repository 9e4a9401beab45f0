import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { connectToDatabase, type Server } from "./connection.ts";

/** How long a connection may be in use before its server is asked for a sign of life, and asked again after an answer. */
const SILENT_MS = 10_000;
/** How long the server may take to answer. */
const ANSWER_MS = 5_000;
/** The pause after a question that failed at once: a load balancer may have no server for a moment. */
const PAUSE_MS = 500;

/** Asks whether the server speaks TLS. Servers and poolers answer with one byte, before authentication. */
const SPEAKS_TLS = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Opens a pool's sockets, and closes them if their server gives no sign of life while work waits for its answer: the work then fails as
 * unavailable, and the pool reconnects. Otherwise it would wait for as long as the server hangs, or a quarter of an hour if the machine has
 * vanished, even after another one has taken over. A slow statement goes on, since its server answers.
 *
 * @param longestMs How long the longest present use of a connection has taken.
 */
export function watchSockets(longestMs: () => number, silentMs = SILENT_MS) {
  const servers = new Map<Socket, Server>();
  let isAsking = false;
  let nextAt = 0;

  const look = async () => {
    // The driver removes all listeners of a socket that begins TLS, so no event tells of its end.
    for (const socket of servers.keys()) if (socket.destroyed) servers.delete(socket);
    if (isAsking || performance.now() < nextAt || longestMs() < silentMs) return;
    isAsking = true;
    // A name may lead to another server by now, so each is asked at the address that its sockets have reached.
    const byAddress = Map.groupBy(servers, ([socket, { path }]) => path ?? socket.remoteAddress);
    await Promise.all(
      Array.from(byAddress, async ([address, ofOne]) => {
        const [[, { path, port }]] = ofOne as [[Socket, Server]];
        if (address === undefined || (await isAlive({ path, host: [address], port }))) return;
        for (const [socket] of ofOne) socket.destroy();
      }),
    );
    isAsking = false;
    nextAt = performance.now() + silentMs;
  };
  const timer = setInterval(() => void look(), silentMs / 4).unref();

  return {
    async open({ path, host, port }: Server): Promise<Socket> {
      const socket = await connectToDatabase({ path, host, port });
      servers.set(socket, { path, host, port });
      return socket;
    },
    end: () => clearInterval(timer),
  };
}

/** Whether the server answers in time. It is asked again after an error: that may be the network's, or this process's own. */
async function isAlive(server: Server): Promise<boolean> {
  const until = performance.now() + ANSWER_MS;
  for (let leftMs = ANSWER_MS; leftMs > 0; leftMs = until - performance.now()) {
    const socket = await connectToDatabase(server);
    try {
      socket.write(SPEAKS_TLS);
      const answered = once(socket, "data").then(() => true);
      // If this process has stalled meanwhile, it reads an answer that has arrived before it gives up.
      const late = sleep(leftMs, undefined, { ref: false }).then(() => setImmediate(false));
      return await Promise.race([answered, late]);
    } catch {
      await sleep(PAUSE_MS, undefined, { ref: false });
    } finally {
      socket.destroy();
    }
  }
  return false;
}
