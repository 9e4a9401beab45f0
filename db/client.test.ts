import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase, type Transaction, isUnavailable } from "./client.ts";
import { addressOf, anotherDatabase, testDatabaseUrl } from "./testing.ts";

/** A proxy in front of the database, whose connections the tests break. */
let proxy: Server;
let address: AddressInfo;
let database: Database;
const sockets = new Set<Socket>();

async function openProxy(port: number): Promise<void> {
  const { hostname, port: target } = new URL(await testDatabaseUrl());
  proxy = createServer((client) => {
    const server = connect(Number(target), hostname);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {}).on("close", () => sockets.delete(one) && other.destroy());
      one.pipe(other);
    }
  }).listen(port, "127.0.0.1");
  await once(proxy, "listening");
  address = proxy.address() as AddressInfo;
}

function breakConnections(how: "closed" | "reset"): void {
  for (const one of sockets)
    if (how === "closed") one.destroy();
    else one.resetAndDestroy();
}

beforeAll(async () => {
  await openProxy(0);
  const url = new URL(await testDatabaseUrl());
  url.port = String(address.port);
  database = openDatabase(url.href, { connections: 2 });
});

afterAll(async () => {
  await database.close();
  proxy.close();
});

const isRefused = (one: PromiseSettledResult<unknown>) => one.status === "rejected" && isUnavailable(one.reason);
const works = async () => (await database.sql`select 1 as one`)[0]?.["one"] === 1;

for (const how of ["closed", "reset"] as const)
  test(`transactions whose connections are ${how} at any statement fail as unavailable and leave a working pool`, async () => {
    for (let round = 0; round < 5; round++) {
      const broken = Promise.withResolvers<void>();
      const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
      const asking = database.sql.begin(async (tx) => {
        await tx`select 1`;
        begun[0].resolve();
        await tx`select pg_sleep(60)`;
      });
      const thinking = database.sql.begin((tx) =>
        tx.savepoint(async (inner) => {
          await inner`select 1`;
          begun[1].resolve();
          await broken.promise;
          await inner`select 2`;
        }),
      );
      const ended = Promise.allSettled([asking, thinking]);
      await Promise.all(begun.map(({ promise }) => promise));
      breakConnections(how);
      await expect(asking).rejects.toSatisfy(isUnavailable);
      broken.resolve();
      for (const one of await ended) expect(one).toSatisfy(isRefused);
      await expect.poll(() => works().catch(() => false)).toBe(true);
    }
    expect(await Promise.all(Array.from({ length: 10 }, works))).not.toContain(false);
  });

for (const how of ["refuses connections", "closes every connection"])
  test(`while the database ${how}, every query fails soon, and afterwards the whole pool works again`, async () => {
    proxy.close();
    breakConnections("reset");
    await once(proxy, "close");
    const hangingUp = createServer((client) => client.once("data", () => client.end()));
    if (how === "closes every connection") await once(hangingUp.listen(address.port, "127.0.0.1"), "listening");
    const failed = await Promise.allSettled(Array.from({ length: 20 }, works));
    for (const one of failed) expect(one).toSatisfy(isRefused);
    if (hangingUp.listening) await once(hangingUp.close(), "close");
    await openProxy(address.port);
    await expect.poll(() => works().catch(() => false)).toBe(true);
    const both = Array.from({ length: 2 }, () => database.sql`select pg_sleep(0.05), pg_backend_pid() as pid`);
    expect(new Set((await Promise.all(both)).map(([row]) => row?.["pid"])).size).toBe(2);
  });

test("work that waits for a hung server fails soon, and the pool works again once the server does; a slow statement goes on", async () => {
  const url = new URL(await testDatabaseUrl());
  url.port = String(address.port);
  const pool = openDatabase(url.href, { connections: 2, silentMs: 20 });
  const standStill = () => sockets.forEach((socket) => socket.pause());
  expect(await pool.sql`select pg_sleep(0.5), true as is_through`).toMatchObject([{ isThrough: true }]);
  const waiting = pool.sql.begin(async (tx) => {
    await tx`select 1`;
    proxy.on("connection", standStill);
    standStill();
    await tx`select 2`;
  });
  await expect(waiting).rejects.toSatisfy(isUnavailable);
  proxy.off("connection", standStill);
  sockets.forEach((socket) => socket.resume());
  expect(await pool.sql`select 3 as three`).toEqual([{ three: 3 }]);
  await pool.close();
});

test("after a pipelined statement fails its transaction or savepoint, no step that waits for another of its statements runs", async () => {
  const { sql } = database;
  await sql`create table if not exists under_way (step int)`;
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const later: Promise<unknown>[] = [];
  const writeLater = (tx: Transaction, after: Promise<void>) => {
    const written = (async () => {
      await tx`insert into under_way values (1)`;
      await after;
      await tx`insert into under_way values (2)`;
    })();
    later.push(written);
    return written;
  };
  const failing = (tx: Transaction, after: Promise<void>) => Promise.all([writeLater(tx, after), tx`select 1 / 0`]);
  await expect(sql.begin((tx) => failing(tx, begun[0].promise))).rejects.toThrow("division by zero");
  begun[0].resolve();
  await sql.begin(async (tx) => {
    await expect(tx.savepoint((inner) => failing(inner, begun[1].promise))).rejects.toThrow("division by zero");
    begun[1].resolve();
    await expect(later[1]).rejects.toThrow("ended");
    await tx`insert into under_way values (3)`;
  });
  await expect(later[0]).rejects.toThrow("ended");
  expect(await sql`select step from under_way`).toEqual([{ step: 3 }]);
  await sql`drop table under_way`;
});

test("the connection used last is used next: successive queries stay in one session, however many are open", async () => {
  const pool = openDatabase(await testDatabaseUrl(), { connections: 3 });
  const session = async () => (await pool.sql<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.01)`)[0]!.pid;
  expect(new Set(await Promise.all([session(), session(), session()])).size).toBe(3);
  const sessions = new Set<number>();
  for (let count = 0; count < 6; count++) sessions.add(await session());
  for (let count = 0; count < 3; count++)
    sessions.add(await pool.sql.begin(async (tx) => (await tx<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid));
  expect(sessions.size).toBe(1);
  await pool.close();
});

test("while the database refuses to write, work fails as unavailable; once it accepts writes again, the pool does too", async () => {
  const primary = await anotherDatabase();
  const { sql } = primary;
  const name = sql(sql.options.database);
  await sql`alter database ${name} set default_transaction_read_only = on`;
  const standby = openDatabase(addressOf(primary), { connections: 2 });
  const write = () => standby.sql`create temporary table written ()`;
  const writeInTransaction = () => standby.sql.begin(async (tx) => void (await tx`create temporary table written ()`));
  const opened = await Promise.allSettled([standby.sql`select pg_sleep(0.05)`, standby.sql`select pg_sleep(0.05)`]);
  expect(opened.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  // Sessions keep the setting that they began with, as they keep their server when a failover makes another one the primary.
  await sql`alter database ${name} reset default_transaction_read_only`;
  for (const refused of await Promise.allSettled([write(), writeInTransaction()])) expect(refused).toSatisfy(isRefused);
  expect(await Promise.allSettled([write(), writeInTransaction()])).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }]);
  await standby.close();
});

test("dates and instants are read by ISO 8601, whatever the database's DateStyle", async () => {
  const { sql, ...another } = await anotherDatabase();
  await sql`alter database ${sql(sql.options.database)} set datestyle = 'German'`;
  const pool = openDatabase(addressOf({ sql, ...another }), { connections: 1 });
  const [row] = await pool.sql`select (date '2026-01-31')::text as day, timestamptz '2026-01-31 09:00Z' as instant`;
  expect(row).toEqual({ day: "2026-01-31", instant: Date.UTC(2026, 0, 31, 9) });
  await pool.close();
});
