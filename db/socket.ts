import { Socket } from "node:net";

/**
 * A connection for the driver's option `socket`, with Nagle's algorithm off: delayed acknowledgements otherwise cost up to 40 ms on larger
 * messages, and the driver has no option for it. It is returned while still connecting: writes are buffered, and a failure is an event, as
 * the driver expects (a rejected promise would leak the pool's slot).
 */
export async function connectToDatabase({
  path,
  host: [host],
  port: [port],
}: {
  path?: string | null;
  host: string[];
  port: number[];
}): Promise<Socket> {
  // The driver reads `host` when it starts TLS: a server with many hosts needs the name (SNI).
  const socket = Object.assign(new Socket().setNoDelay(true), { host });
  return path ? socket.connect(path) : socket.connect(port ?? 5432, host ?? "localhost");
}
