import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { driverAddress } from "./connection.ts";
import { openDatabase } from "./client.ts";
import { testDatabaseUrl } from "./testing.ts";
import { startPooler } from "./testing/pooler.ts";

const POOLED = { prepare: false, max_pipeline: 0 };

test.each([
  ["postgres://u:p@h/d", "postgres://u:p@h/d", {}],
  ["postgres://u@h:6543/d?pgbouncer=true&connection_limit=1&pool_timeout=20", "postgres://u@h:6543/d", POOLED],
  ["postgres://u@h/d?pgbouncer=false", "postgres://u@h/d", {}],
  ["postgres://u@h/d?prepare=false", "postgres://u@h/d", POOLED],
  ["postgres://u@h/d?sslmode=require&channel_binding=require", "postgres://u@h/d?sslmode=require", {}],
  ["postgres://u@h/d?sslmode=require&supa=base-pooler.x", "postgres://u@h/d?sslmode=require", {}],
  ["postgres://u@localhost/d?host=/run/postgresql", "postgres://u@localhost/d", { path: "/run/postgresql/.s.PGSQL.5432" }],
  ["postgres://u@h:7/d?host=@e&prepare=false", "postgres://u@h:7/d", { ...POOLED, path: "\0e/.s.PGSQL.7" }],
  ["postgres://u@a:1,b:2/d?target_session_attrs=read-write", "postgres://u@a:1,b:2/d?target_session_attrs=read-write", {}],
])("the driver gets the parameters of %s that it and PostgreSQL know", (databaseUrl, url, options) => {
  expect(driverAddress(databaseUrl)).toEqual({ url, options });
});

test.each([
  ["", true],
  ["?pgbouncer=true&connection_limit=1", false],
])("statements are prepared, but not behind a transaction pooler, where the session changes (%s)", async (query, isPrepared) => {
  const { sql, close } = openDatabase((await testDatabaseUrl()) + query, { connections: 1 });
  expect(await sql`select ${7}::int as seven`).toEqual([{ seven: 7 }]);
  const { count } = await sql`select name from pg_prepared_statements where statement like ${"%as seven"}`;
  expect(count > 0).toBe(isPrepared);
  await close();
});

test("a pooler that gives every transaction another session serves statements and transactions, also many concurrent ones", async () => {
  const pooler = await startPooler(await testDatabaseUrl());
  const { sql, close } = openDatabase(pooler.url, { connections: 3 });
  const inTransaction = (number: number) =>
    sql.begin(async (tx) => {
      const [[before], , [after]] = await Promise.all([
        tx`select pg_backend_pid() as id`,
        tx`select set_config('engagement.test', ${number}, true)`,
        tx`select pg_backend_pid() as id, current_setting('engagement.test') as number`,
      ]);
      return before!["id"] === after!["id"] && Number(after!["number"]);
    });
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
  const asked = numbers.map((number) => [sql`select 1`, inTransaction(number), sql`select ${number}::int as number`] as const);
  for (const [index, [bare, transaction, bound]] of asked.entries()) {
    expect([(await bare).length, await transaction, (await bound)[0]!["number"]]).toEqual([1, index + 1, index + 1]);
  }
  const sessions = await Promise.all(numbers.map(() => sql`select pg_backend_pid() as id`));
  expect(new Set(sessions.map(([row]) => row!["id"] as number)).size).toBe(3);
  expect(pooler.faults).toEqual([]);
  await close();
  pooler.close();
});

test("a server is reached over its Unix socket", async () => {
  const folder = mkdtempSync(join(tmpdir(), "engagement-socket-"));
  const { username, password, port, pathname } = new URL(await testDatabaseUrl());
  const listening = createServer((near) => near.pipe(connect(Number(port), "127.0.0.1")).pipe(near)).listen(join(folder, ".s.PGSQL.5432"));
  await once(listening, "listening");
  const { sql, close } = openDatabase(`postgres://${username}:${password}@localhost${pathname}?host=${folder}`, { connections: 1 });
  expect(await sql`select current_database() as name`).toEqual([{ name: pathname.slice(1) }]);
  await close();
  listening.close();
  rmSync(folder, { recursive: true });
});

test("TLS to a shared server names the host", async () => {
  const hello = Promise.withResolvers<string>();
  const server = createServer((socket: Socket) => {
    // The driver asks for TLS; after the server's yes it sends its hello, which has the server name in plain text.
    socket.once("data", () => {
      socket.once("data", (greeting) => {
        hello.resolve(greeting.toString("latin1"));
        socket.destroy();
      });
      socket.write("S");
    });
  }).listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { sql } = openDatabase(`postgres://ann@localhost:${port}/points?sslmode=require`, { connections: 1 });
  const asking = sql`select 1`.catch(() => {});
  expect(await hello.promise).toContain("localhost");
  await asking;
  await sql.end({ timeout: 0 });
  server.close();
});
