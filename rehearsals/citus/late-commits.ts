import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Node } from "../../db/scale/distribute.ts";

/** The second phase of a transaction's commit, as the coordinator sends it. */
const COMMIT = "COMMIT PREPARED";

/**
 * A proxy to a machine that delays the second phase of each commit. Meanwhile the coordinator, and machines that it reaches directly, have
 * committed, and this one has not.
 */
export async function openLateWay({ host, port }: Node, ms: number): Promise<{ node: Node; close(): void }> {
  const ends = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(port, host);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      ends.add(one);
      one.setNoDelay(true).on("error", () => {});
      one.on("close", () => ends.delete(one) && other.destroy());
    }
    target.pipe(client);
    void carry(client, target, ms);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    for (const one of ends) one.destroy();
    server.close();
  };
  return { node: { host: "127.0.0.1", port: (server.address() as AddressInfo).port }, close };
}

async function carry(client: Socket, target: Socket, ms: number): Promise<void> {
  try {
    for await (const chunk of client as AsyncIterable<Buffer>) {
      if (chunk.includes(COMMIT)) await delay(ms);
      target.write(chunk);
    }
  } catch {
    // One side has closed the connection.
  }
  target.destroy();
}
