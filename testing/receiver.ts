import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A request that a webhook receiver got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver's response: a status, with optional headers and body; `hang` never responds. */
export type Reply = "hang" | { status: number; headers?: Record<string, string>; body?: string | Uint8Array };

/** A webhook receiver on a port of its own. `atOnce.most` is the maximum of concurrent requests. */
export interface Receiver {
  port: number;
  url: string;
  received: Received[];
  atOnce: { now: number; most: number };
  close(): Promise<void>;
}

/** Starts a receiver on this machine; `port` 0 takes a free one. */
export async function startReceiver(
  reply: (request: Received, count: number) => Reply | Promise<Reply> = () => ({ status: 200 }),
  port = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const atOnce = { now: 0, most: 0 };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    atOnce.most = Math.max(atOnce.most, ++atOnce.now);
    response.once("close", () => atOnce.now--);
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const entry = { path: request.url ?? "", headers: request.headers, body };
    received.push(entry);
    const answer = await reply(entry, received.length);
    if (answer !== "hang") response.writeHead(answer.status, answer.headers).end(answer.body ?? "thanks");
  };
  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    url: `http://127.0.0.1:${taken}/hooks`,
    received,
    atOnce,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
