import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Pooler {
  /** The database behind it, as DATABASE_URL has it. */
  url: string;
  /** Client mistakes that no transaction pooler supports, one line each. */
  faults: string[];
  close(): void;
}

/**
 * A transaction pooler for tests; it assigns the session that has been free the longest. It disconnects a client that sends a statement
 * before the last one is answered. Clients authenticate with the server themselves; from then on their sessions are shared.
 */
export async function startPooler(databaseUrl: string): Promise<Pooler> {
  const { hostname, port } = new URL(databaseUrl);
  const faults: string[] = [];
  const free: Socket[] = [];
  const waiting: (() => void)[] = [];
  const sockets = new Set<Socket>();
  /** The client that receives the server's messages of a session. */
  const listeners = new WeakMap<Socket, (message: Buffer) => void>();

  const giveBack = (session: Socket) => {
    listeners.delete(session);
    free.push(session);
    waiting.shift()?.();
  };

  const server = createServer((client) => {
    const own = connect(Number(port), hostname);
    let session: Socket | null = own;
    let asked = 0;
    let kept: Buffer[] = [];

    const hear = (message: Buffer) => {
      client.write(message);
      if (kindOf(message) !== "Z") return;
      asked = Math.max(asked - 1, 0);
      if (session === null || message[5] !== IDLE) return;
      giveBack(session);
      session = null;
    };
    const send = () => {
      if (kept.length === 0) return;
      session ??= free.shift() ?? null;
      if (session === null) return void waiting.push(send);
      listeners.set(session, hear);
      session.write(Buffer.concat(kept));
      kept = [];
    };
    const takeFromClient = (message: Buffer) => {
      const kind = kindOf(message);
      if (kind === "X") return;
      if (asked > 0 && "QP".includes(kind)) {
        faults.push("a statement was sent before the one before it was answered");
        return client.destroy();
      }
      if ("QS".includes(kind)) asked += 1;
      kept.push(message);
      send();
    };

    listeners.set(own, hear);
    own.on(
      "data",
      inMessages((message) => listeners.get(own)?.(message)),
    );
    client.on("data", inMessages(takeFromClient, true));
    for (const socket of [own, client]) {
      sockets.add(socket.setNoDelay(true));
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    // A session in use ends with its client, since its state is unknown.
    client.on("close", () => session?.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL("?pgbouncer=true", databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    faults,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const IDLE = "I".charCodeAt(0);
const kindOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0);

/** Splits a stream into messages of PostgreSQL's protocol; a client's first message has no type byte. */
function inMessages(take: (message: Buffer) => void, startsWithoutKind = false): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let kindLength = startsWithoutKind ? 0 : 1;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= kindLength + 4) {
      const length = kindLength + rest.readInt32BE(kindLength);
      if (rest.length < length) return;
      kindLength = 1;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      take(message);
    }
  };
}
