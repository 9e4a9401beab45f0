import { Socket } from "node:net";

/** URL parameters for poolers and other drivers, which PostgreSQL would refuse. */
const FOREIGN_PARAMETERS = ["pgbouncer", "connection_limit", "pool_timeout", "channel_binding", "supa"];

/**
 * A transaction pooler assigns a session per transaction: prepared statements do not exist in the next one, and a statement that is sent
 * before the last answer arrived may reach another client's session (some poolers lose it, and hang for ever).
 */
const BEHIND_A_POOLER = { prepare: false, max_pipeline: 0 };

/** The address of a server, as the driver has it. */
export interface Server {
  path?: string | null;
  host: string[];
  port: number[];
}

interface DriverAddress {
  url: string;
  options: Partial<typeof BEHIND_A_POOLER> & { path?: string };
}

/**
 * The driver's options for a DATABASE_URL; `pgbouncer=true` (or `prepare=false`) declares a transaction pooler. A `host` that begins with
 * `/` or `@` is the folder of a Unix socket, as PostgreSQL's own programs read it; with `@` the socket has no file.
 */
export function driverAddress(databaseUrl: string): DriverAddress {
  const [address = "", ...query] = databaseUrl.split("?");
  const parameters = new URLSearchParams(query.join("?"));
  const folder = /^[/@].*/.exec(parameters.get("host") ?? "")?.[0];
  const socket = folder !== undefined && { path: `${folder.replace(/^@/, "\0")}/.s.PGSQL.${new URL(address).port || 5432}` };
  const isPooled = parameters.get("pgbouncer") === "true" || parameters.get("prepare") === "false";
  for (const name of [...FOREIGN_PARAMETERS, "prepare", ...(socket ? ["host"] : [])]) parameters.delete(name);
  return { url: parameters.size > 0 ? `${address}?${parameters}` : address, options: { ...(isPooled && BEHIND_A_POOLER), ...socket } };
}

/**
 * A connection for the driver's option `socket`, with Nagle's algorithm off: delayed acknowledgements otherwise cost up to 40 ms on larger
 * messages, and the driver has no option for it. It is returned while still connecting: writes are buffered, and a failure is an event, as
 * the driver expects (a rejected promise would leak the pool's slot).
 */
export async function connectToDatabase({ path, host: [host], port: [port] }: Server): Promise<Socket> {
  // The driver reads `host` when it starts TLS: a server with many hosts needs the name (SNI). Its errors name both.
  const socket = Object.assign(new Socket().setNoDelay(true), { host, port });
  return path ? socket.connect(path) : socket.connect(port ?? 5432, host ?? "localhost");
}
