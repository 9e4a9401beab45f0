import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { connectToDatabase, type Server } from "./connection.ts";

/** How long a connection may be in use before its server is asked for a sign of life. */
const SILENT_MS = 10_000;
/** How long the server may take to answer. */
const ANSWER_MS = 5_000;

/** The question whether it speaks TLS. Servers and poolers answer with one byte, before they ask for a name. */
const SPEAKS_TLS = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Opens the sockets of a pool, and closes those to a server that gives no sign of life while its answer is awaited: the waiting work fails
 * as unavailable, and the pool connects anew. Otherwise that work would wait as long as the server stands still; for a machine that has
 * vanished a quarter of an hour, although another one has taken over. A statement that takes long goes on, since its server answers.
 *
 * @param longestMs How long the longest present use of a connection has taken.
 */
export function watchSockets(longestMs: () => number, silentMs = SILENT_MS) {
  /** The server that each socket has reached, by its address at that time. */
  const servers = new Map<Socket, Server>();
  let isAsking = false;

  const look = async () => {
    if (isAsking || longestMs() < silentMs) return;
    isAsking = true;
    const sockets = Map.groupBy(servers, ([, server]) => String(server.path ?? server.host));
    await Promise.all(
      Array.from(sockets.values(), async (ofOne) => {
        if (await isAlive(ofOne[0]![1])) return;
        for (const [socket] of ofOne) socket.destroy();
      }),
    );
    isAsking = false;
  };
  const timer = setInterval(() => void look(), silentMs / 4).unref();

  return {
    async open(server: Server): Promise<Socket> {
      const socket = await connectToDatabase(server);
      socket.once("connect", () => servers.set(socket, { ...server, host: [socket.remoteAddress ?? ""] }));
      return socket.once("close", () => servers.delete(socket));
    },
    end: () => clearInterval(timer),
  };
}

async function isAlive(server: Server): Promise<boolean> {
  const socket = await connectToDatabase(server);
  try {
    socket.write(SPEAKS_TLS);
    const answered = once(socket, "data").then(() => true);
    // If this process has stalled meanwhile, it reads an answer that has arrived before it gives up.
    const late = sleep(ANSWER_MS, undefined, { ref: false }).then(() => setImmediate(false));
    return await Promise.race([answered, late]);
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
