import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A proxy to a database whose connections can be cut. */
export interface Passage {
  url: string;
  cut(isCut: boolean): void;
  close(): void;
}

export async function openPassage(databaseUrl: string): Promise<Passage> {
  const to = new URL(databaseUrl);
  const { port, hostname } = to;
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((socket) => {
    if (isCut) return void socket.destroy();
    join(socket, connect(Number(port), hostname));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  to.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: to.href,
    cut(wanted) {
      isCut = wanted;
      if (wanted) for (const socket of sockets) socket.destroy();
    },
    close: () => void server.close(),
  };

  function join(one: Socket, two: Socket): void {
    for (const [from, into] of [
      [one, two],
      [two, one],
    ] as const) {
      sockets.add(from);
      from.pipe(into);
      from.on("error", () => into.destroy()).on("close", () => sockets.delete(from) && into.destroy());
    }
  }
}
