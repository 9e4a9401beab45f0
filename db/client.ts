import { Socket } from "node:net";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { parseJson } from "../server/kernel/json.ts";
import { isConflict } from "./errors.ts";
import * as schema from "./schema/index.ts";

/** A connection pool's query function, or that of a transaction: stores take either. */
export type Sql = postgres.Sql | postgres.TransactionSql;
export type Transaction = postgres.TransactionSql;
export type Orm = PostgresJsDatabase<typeof schema>;

/** One pool with its two faces: `sql` for measured statements on sets, `orm` for ordinary queries. */
export interface Database {
  sql: postgres.Sql;
  orm: Orm;
  close(): Promise<void>;
}

/** Numbers come back exact: int8 within ±(2^53 − 1) as numbers, json with `Decimal` where a double would not do. */
export function openDatabase(url: string, { connections = 10 }: { connections?: number } = {}): Database {
  const sql = postgres(url, {
    max: connections,
    onnotice: () => {},
    connection: { application_name: "engagement", TimeZone: "UTC" },
    types: {
      int8: { to: 20, from: [20], serialize: String, parse: Number },
      json: { to: 114, from: [114, 3802], serialize: String, parse: parseJson },
    },
    socket: connectWithoutDelay,
  } as postgres.Options<Record<string, postgres.PostgresType>>);
  return { sql, orm: drizzle(sql, { schema }), close: () => sql.end({ timeout: 5 }) };
}

/** Runs a transaction, again where it lost against another. `run` must do nothing but what the transaction undoes. */
export async function transact<T>({ sql }: Database, run: (tx: Transaction) => Promise<T>, tries = 4): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await sql.begin(run)) as T;
    } catch (error) {
      if (attempt === tries || !isConflict(error)) throw error;
    }
  }
}

/** Nagle's algorithm off: delayed acknowledgements otherwise cost up to 40 ms on larger messages. The driver has no option for it. */
function connectWithoutDelay(options: { path?: string | null; host: string[]; port: number[] }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new Socket();
    socket.setNoDelay(true);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(Object.assign(socket, { host: options.host[0] }));
    });
    if (options.path) socket.connect(options.path);
    else socket.connect(options.port[0] ?? 5432, options.host[0] ?? "localhost");
  });
}
