import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase, readOnly, type Transaction, isConflict, isUnavailable } from "../../db/client.ts";
import { databaseUrl } from "../../db/testing/database-url.ts";
import { migrateDatabase } from "../../db/migrate.ts";
import { checkNodes, type Distribution, distribute, type Step } from "../../db/scale/distribute.ts";
import { ON_WORKERS } from "../../db/tables.ts";
import { ownedPages } from "../../server/insight/exports/pages.ts";
import { playersByKey } from "../../server/game/players/service/players.ts";
import { selectFigures, selectItems } from "../../server/insight/analytics/store/effect.ts";
import { exportPurchases, readEvents, readTransactions } from "../../server/insight/exports/store.ts";
import { removeDefinition } from "../../server/authoring/definitions/service/switching.ts";
import { lanesOf } from "../../server/model/kernel/lanes.ts";
import { COMMAND_LINE } from "../../server/model/kernel/environment.ts";
import { checkIntegrity } from "../../server/operations/integrity/check.ts";
import { workSlice } from "../../server/operations/worker/slice.ts";
import { erasePlayer } from "../../server/operations/privacy/erase.ts";
import { ingest } from "../../server/game/events/service.ts";
import { countHistory, recount } from "../../server/insight/analytics/service/counting.ts";
import { appendActiveDays } from "../../server/engine/store/counts.ts";
import { lockShared, untilSeenEverywhere } from "../../server/engine/store/locks.ts";
import { lockPlayers } from "../../server/engine/store/players.ts";
import { playerKey, type PlayerKey } from "../../server/model/players/identity.ts";
import type { Backend } from "../../e2e/backend.ts";
import { board } from "../../e2e/boards.ts";
import { listing, measured, mission, points, shop } from "../../e2e/definitions.ts";
import { startService, type Service } from "../../e2e/listening.ts";
import { type Cluster, findCitus, startCluster } from "./cluster.ts";
import { readLog, LOG_SETTINGS } from "./fan-out.ts";

const programs = findCitus();
/** What a test leaves prepared stays until the test ends it: Citus would roll it back at some moment of each minute. */
const WITHOUT_RECOVERY = { "citus.recover_2pc_interval": "-1" };
const DEFINITIONS = {
  ...shop(mission("first_order", { rewards: [points(30)] })),
  marketplaceItems: [listing("coffee", { priceInPoints: 30 })],
  leaderboards: [
    board("orders"),
    board("best", measured("Max", "amount")),
    board("regulars", { audience: { rule: { event: "order_placed", operator: "GreaterThanOrEqualTo", value: 2 } } }),
  ],
};

// Skipped without a PostgreSQL that has Citus; `npm run citus` runs the HTTP tests in the same way.
describe.skipIf(programs === null)("a database over several machines, with Citus", () => {
  let cluster: Cluster;
  let database: Database;
  let service: Service;
  let backend: Backend;
  let asked: Distribution;

  beforeAll(async () => {
    const settings = { ...LOG_SETTINGS, fsync: "off", synchronous_commit: "off", full_page_writes: "off", ...WITHOUT_RECOVERY };
    cluster = await startCluster(programs!, settings, { lateMs: 40 });
    await migrateDatabase(cluster.url);
    database = openDatabase(cluster.url);
    asked = { coordinator: cluster.coordinator, workers: cluster.workers, shards: 4, isDryRun: false };
    service = await startService(database);
    backend = await service.sandbox(DEFINITIONS);
    for (const playerId of ["ann", "ben"]) await backend.missions(playerId);
    await backend.play({ playerId: "ann" }, { playerId: "ben" });
  }, 180_000);
  afterAll(async () => {
    await database?.close();
    await cluster?.stop();
  });

  test("a filled database is distributed while in use, and a repetition changes nothing", async () => {
    await service.pause();
    const outcomes = (steps: Step[]) => new Set(steps.filter(({ rows }) => rows !== null).map(({ outcome }) => outcome));
    expect(outcomes(await distribute(database, { ...asked, isDryRun: true }))).toEqual(new Set(["distributed"]));
    expect(outcomes(await distribute(database, asked))).toEqual(new Set(["distributed"]));
    // It waits for no transaction that reads or writes the tables, so it can run while the service is in use.
    const again = await database.sql.begin(async (tx) => {
      await tx`select part from players limit 1`;
      return await distribute(database, asked);
    });
    expect(outcomes(again)).toEqual(new Set(["distributed already"]));
    expect(again).toHaveLength(cluster.workers.length + ON_WORKERS.length);
    await migrateDatabase(cluster.url);
    service.resume();
    const advice = await checkNodes(database);
    for (const setting of ["wal_level = logical", "citus.recover_2pc_interval"])
      expect(advice.filter((line) => line.includes(setting))).toHaveLength(1 + cluster.workers.length);
    expect(advice).toHaveLength(2 + 2 * cluster.workers.length);
    expect(await backend.points("ann")).toMatchObject({ balance: 30 });
  }, 180_000);

  test("an event gives points and a rank, an idempotency key is used once, and the audit finds no difference", async () => {
    await backend.missions("cid");
    await backend.play(
      { playerId: "ann", properties: { amount: 5 } },
      { playerId: "cid", idempotencyKey: "o1" },
      { playerId: "cid", idempotencyKey: "o1" },
    );
    await Promise.all(Array.from({ length: 6 }, () => backend.adjust("cid", 5, { idempotencyKey: "once" })));
    expect(await backend.points("cid")).toMatchObject({ balance: 35, totalGranted: 30 });
    expect(await backend.board("cid", "orders")).toMatchObject({ leaderboard: { participants: 3, me: { rank: 2, score: 1 } } });
    expect(await checkIntegrity(database, backend.environment)).toEqual([]);
  }, 180_000);

  test("a transaction that writes on the coordinator and in a shard commits on both or neither, and blocks a move of the shard", async () => {
    const { id } = backend.environment;
    const { part, playerId } = playerKey(id, "ann");
    const addNothing = async (tx: Transaction) => {
      const text = `with written as (update {balances} set balance = balance where part = $1[1]::smallint and player_id = $1[2]::uuid returning part)
        select array[count(*)::text] from written`;
      const rows = await tx.unsafe<{ answer: string[] }[]>("select at_shards(array[$1::smallint], $2, array[$3::text[]]) as answer", [
        part,
        text,
        [String(part), playerId],
      ]);
      return rows[0]!.answer;
    };
    // The lock that the last step of a move takes.
    const move = () =>
      database.sql.begin(async (tx) => {
        await tx`set local lock_timeout = '100ms'`;
        await tx.unsafe("select lock_shard_metadata(7, array[get_shard_id_for_distribution_column('balances', $1::smallint)])", [part]);
      });
    await database.sql.begin(async (tx) => {
      expect(await addNothing(tx)).toEqual(["1"]);
      await expect(move()).rejects.toMatchObject({ code: "55P03" });
    });
    await move();
    const prepared = async () => {
      const rows = await database.sql.unsafe<{ gid: string }[]>("select gid from pg_dist_transaction");
      return new Set(rows.map(({ gid }) => gid));
    };
    const isPrepared = async (run: (tx: Transaction) => Promise<void>) => {
      const before = await prepared();
      const pid = await database.sql.begin(async (tx) => {
        await run(tx);
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        return row!.pid;
      });
      // Citus' record of a prepared transaction: it commits together with what the transaction wrote on the coordinator.
      const own = [...(await prepared()).difference(before)].filter((gid) => gid.startsWith(`citus_0_${pid}_`));
      expect(own).toHaveLength(1);
    };
    await isPrepared(async (tx) => {
      await lockShared(tx, id);
      expect(await addNothing(tx)).toEqual(["1"]);
    });
    const event = { p: part, u: playerId, i: crypto.randomUUID(), d: 1, o: 0, r: 0, x: {} };
    await isPrepared(async (tx) => {
      const append = () =>
        tx.unsafe<{ seq: number }[]>("select seq from log_events($1, array[$2::smallint], array[0::bigint], array[$3::text], null)", [
          id,
          part,
          JSON.stringify(event),
        ]);
      expect([...(await append()), ...(await append())], "a replay changes nothing").toEqual([{ seq: 0 }]);
      await tx`delete from events where part = ${part} and player_id = ${playerId} and id = ${event.i}`;
    });
  });

  test("a shard moves only after the transactions that have opened writes, which still write where it was", async () => {
    const { part, playerId } = playerKey(backend.environment.id, "ann");
    const [shard] = await database.sql.unsafe<{ id: string; port: number }[]>(
      "select shardid as id, nodeport as port from citus_shards where shardid = get_shard_id_for_distribution_column('balances', $1::smallint)",
      [part],
    );
    const [from, to] = cluster.workers.toSorted((a, b) => Number(b.port === shard!.port) - Number(a.port === shard!.port));
    const balance = async () => (await backend.points("ann")).balance;
    const before = await balance();
    const text = `with written as (update {balances} set balance = balance + 1 where part = $1[1]::smallint and player_id = $1[2]::uuid returning part)
      select array[count(*)::text] from written`;
    let moved: Promise<unknown>;
    await database.sql.begin(async (tx) => {
      const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid, open_writes()`;
      const ends = [shard!.id, from!.host, from!.port, to!.host, to!.port];
      moved = database.sql.unsafe("select citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')", ends);
      moved.catch(() => {});
      const waits = () =>
        database.sql`select from pg_stat_activity where query like 'select citus_move_shard_placement%' and ${own!.pid} = any(pg_blocking_pids(pid))`;
      await expect.poll(waits, { timeout: 30_000 }).toHaveLength(1);
      await tx.unsafe("select at_shards(array[$1::smallint], $2, array[$3::text[]])", [part, text, [String(part), playerId]]);
    });
    await moved!;
    expect(await balance()).toBe(before + 1);
    await database.sql.unsafe("update balances set balance = balance - 1 where part = $1 and player_id = $2", [part, playerId]);
    expect(await checkIntegrity(database, backend.environment)).toEqual([]);
  }, 180_000);

  test("a process that starts on a distributed database appends events and recognises their replays", async () => {
    const later = openDatabase(cluster.url, { connections: 1 });
    const { environment } = backend;
    const items = ["fay", "gus", "fay"].map((playerId, at) => ({
      playerId,
      event: "order_placed",
      occurredAt: new Date().toISOString(),
      idempotencyKey: `late-${at}`,
    }));
    for (let time = 1; time <= 2; time++)
      expect(await ingest(later, environment, { items, mayHoldBadText: false, now: Date.now() })).toMatchObject(
        items.map(() => ({ accepted: true })),
      );
    await backend.applied();
    expect((await backend.board("fay", "orders")).leaderboard.me.score).toBe(2);
    expect(await checkIntegrity(database, environment)).toEqual([]);
    await later.close();
  });

  test("a board read that finds a shard moved fails as after a conflict, so that it is repeated", async () => {
    const count = "select array[count(*)::text] from {scores} s";
    const refused = await database.sql.unsafe("select run_prepared($1, '{1}', '{1}', '{}')", [count]).catch((error: unknown) => error);
    expect(isConflict(refused)).toBe(true);
  });

  test("facts wait until their players and their log are committed on the other machines, and callers that wait for them see their effects", async () => {
    const scoreOf = async (playerId: string, key: string) => (await backend.board(playerId, key)).leaderboard.me?.score;
    await backend.missions("eve");
    for (const playerId of ["dan", "eve"]) {
      await service.pause();
      const sent = backend.send({ playerId });
      let applied = 0;
      while (applied === 0) for (const lane of lanesOf(asked.shards)) applied += (await workSlice(database, lane, 0))?.count ?? 0;
      await sent;
      service.resume();
      for (const order of [2, 3]) {
        await backend.play({ playerId });
        expect(await scoreOf(playerId, "orders")).toBe(order);
      }
      // The first order is in the history by which the third one is judged.
      expect(await scoreOf(playerId, "regulars")).toBe(1);
    }
    expect(await checkIntegrity(database, backend.environment)).toEqual([]);
  }, 180_000);

  test("an event that is accepted while its player's history is counted is counted once, when it is applied", async () => {
    const own = await service.sandbox(DEFINITIONS);
    const { environment } = own;
    const { part, playerId } = playerKey(environment.id, "gil");
    await own.missions("gil");
    await service.pause();
    // Counting history reads the first table for the days, and the second for the sums: the lock makes it wait there with its snapshot.
    for (const [at, table] of ["quarantined_facts", "streak_runs"].entries()) {
      await recount(database, environment);
      let counting: Promise<number>;
      await database.sql.begin(async (tx) => {
        await tx.unsafe(`lock table ${table} in access exclusive mode`);
        counting = countHistory(database, environment.id, Infinity, () => false);
        const waiting = () => database.sql`select from pg_locks where not granted and relation = ${table}::regclass`;
        await expect.poll(waiting).toHaveLength(1);
        await own.send({ playerId: "gil", occurredAt: `2001-02-0${at + 1}T12:00:00Z` });
      });
      expect(await counting!).toBe(1);
      expect(await database.sql`select day from player_days where part = ${part} and player_id = ${playerId}`).toEqual([]);
    }
    service.resume();
    await own.applied();
    expect(await checkIntegrity(database, environment)).toEqual([]);
  }, 180_000);

  test("transactions that a crash left prepared on a machine are awaited by the work that depends on them", async () => {
    const machine = openDatabase(databaseUrl(cluster.servers[1]!.url(), new URL(cluster.url).pathname.slice(1)), { connections: 1 });
    await machine.sql.unsafe("begin; create table left_prepared (); prepare transaction 'citus_0_1_1_1'");
    expect(await untilSeenEverywhere(database.sql)).toBe(false);
    await recount(database, backend.environment);
    await expect(countHistory(database, backend.environment.id, 1, () => false)).rejects.toSatisfy(isUnavailable);
    await expect(erasePlayer(database, backend.environment, "cid", "They asked")).rejects.toSatisfy(isUnavailable);
    const coffee = { kind: "marketplaceItems", key: "coffee" } as const;
    await expect(removeDefinition(database, backend.environment, coffee, COMMAND_LINE)).rejects.toSatisfy(isUnavailable);
    // A machine that does not answer, and then does.
    const admin = openDatabase(cluster.servers[1]!.url(), { connections: 1 });
    await admin.sql.unsafe("alter database engagement allow_connections false");
    const fresh = openDatabase(cluster.url, { connections: 1 });
    await expect(untilSeenEverywhere(fresh.sql)).rejects.toSatisfy(isUnavailable);
    await admin.sql.unsafe("alter database engagement allow_connections true");
    await Promise.all([admin.close(), fresh.close()]);
    await machine.sql.unsafe("rollback prepared 'citus_0_1_1_1'");
    expect(await untilSeenEverywhere(database.sql)).toBe(true);
    await machine.close();
  }, 180_000);

  /** Leaves the log's rows of a player prepared on their machine, as a crash between the two phases does, until it is called back. */
  async function leaveLogPrepared({ part, playerId }: PlayerKey): Promise<() => Promise<void>> {
    const [shard] = await database.sql.unsafe<{ name: string; port: number }[]>(
      "select shard_name as name, nodeport as port from citus_shards where shardid = get_shard_id_for_distribution_column('events', $1::smallint)",
      [part],
    );
    const server = cluster.servers[1 + cluster.workers.findIndex(({ port }) => port === shard!.port)]!;
    const machine = openDatabase(databaseUrl(server.url(), new URL(cluster.url).pathname.slice(1)), { connections: 1 });
    await machine.sql.unsafe(`
      create table kept as select * from ${shard!.name} where part = ${part} and player_id = '${playerId}';
      delete from ${shard!.name} where part = ${part} and player_id = '${playerId}'`);
    await machine.sql.unsafe(`begin; insert into ${shard!.name} select * from kept; prepare transaction 'citus_0_1_1_1'`);
    return async () => {
      await machine.sql.unsafe("commit prepared 'citus_0_1_1_1'");
      await machine.sql.unsafe("drop table kept");
      await machine.close();
    };
  }

  test("an event whose log entry a crash left prepared is in the history that conditions read, and the audit waits for it", async () => {
    const key = playerKey(backend.environment.id, "hal");
    await backend.missions("hal");
    await service.pause();
    await backend.send({ playerId: "hal" });
    const commit = await leaveLogPrepared(key);
    const apply = async () => {
      for (const lane of lanesOf(asked.shards)) await workSlice(database, lane, 0);
    };
    await expect(apply()).rejects.toSatisfy(isUnavailable);
    await commit();
    await apply();
    service.resume();
    for (let order = 2; order <= 3; order++) await backend.play({ playerId: "hal" });
    expect((await backend.board("hal", "regulars")).leaderboard.me?.score).toBe(1);
    const commitAgain = await leaveLogPrepared(key);
    const audit = checkIntegrity(database, backend.environment);
    await delay(3_000);
    await commitAgain();
    expect(await audit).toEqual([]);
  }, 180_000);

  test("a slice of one lane sends no statement to several shards, and is applied", async () => {
    const players = Array.from({ length: 24 }, (_, at) => `l${at}`);
    for (const playerId of players) await backend.missions(playerId);
    await service.pause();
    await backend.send(...players.flatMap((playerId) => [{ playerId, properties: { amount: 3 } }, { playerId }]));
    // This statement marks the end in the log, which is written with a delay.
    const own = "select part from players limit 1";
    const sentSoFar = async () => {
      const countOf = async () => (await readLog(cluster.log)).fanOuts.find(({ text }) => text === own)?.count ?? 0;
      const known = await countOf();
      await database.sql.unsafe(own);
      await expect.poll(countOf).toBe(known + 1);
      return (await readLog(cluster.log)).fanOuts.flatMap(({ text, count }) => (text === own ? [] : [`${count} × ${text}`]));
    };
    // New connections: at the sixth execution of a statement PostgreSQL also plans it without values, and Citus logs this plan, although it
    // is not run.
    const fresh = openDatabase(cluster.url);
    const before = await sentSoFar();
    const slices = [];
    for (const lane of lanesOf(asked.shards)) slices.push(await workSlice(fresh, lane, 0));
    const after = await sentSoFar();
    await fresh.close();
    service.resume();
    expect(slices.reduce((sum, slice) => sum + (slice?.count ?? 0), 0)).toBe(48);
    expect(slices.filter((slice) => slice !== null).length).toBeGreaterThan(1);
    expect(after).toEqual(before);
    expect(await backend.points("l7")).toMatchObject({ balance: 30 });
    expect(await checkIntegrity(database, backend.environment)).toEqual([]);
  }, 180_000);

  test("rows that a transaction has locked on their machines are then written through Citus, by the same connections", async () => {
    const { id } = backend.environment;
    // Locking makes Citus mark each machine as written in the shard of its lowest part; the first written row is of another shard.
    const keys = Array.from({ length: 24 }, (_, at) => playerKey(id, `l${at}`)).toSorted((a, b) => b.part - a.part);
    const days = keys.map((key) => ({ ...key, day: "2001-02-03", hour: "04", isLast: true }));
    const written = database.sql.begin(async (tx) => {
      await lockShared(tx, id);
      expect(await lockPlayers(tx, keys)).toHaveLength(keys.length);
      await appendActiveDays(tx, id, days);
      throw new Error("Undo it.");
    });
    await expect(written).rejects.toThrow("Undo it.");
  }, 180_000);

  test("exports contain transactions, purchases and events of all players in small pages, including those of an erased player", async () => {
    const many = Array.from({ length: 20 }, (_, at) => `p${at}`);
    for (const playerId of many) await backend.missions(playerId);
    await backend.play(...many.flatMap((playerId) => [{ playerId }, { playerId }, { playerId }]));
    expect(await backend.buy("p3", "coffee", { idempotencyKey: "k" })).toMatchObject({ status: 200 });
    await erasePlayer(database, backend.environment, "p3", "They asked");
    const { id } = backend.environment;
    const stored = await database.sql<{ list: string; id: string }[]>`
      select 'transactions' as list, id from points_transactions where environment_id = ${id}
      union all select 'purchases' as list, id from marketplace_purchases where environment_id = ${id}
      union all select 'events' as list, id from events where environment_id = ${id}`;
    for (const [list, read] of Object.entries({ transactions: readTransactions, purchases: exportPurchases, events: readEvents })) {
      const exported: string[] = [];
      for await (const page of ownedPages(database.sql, id, read, { page: 2, owners: 10 })) {
        expect(page.length).toBeLessThanOrEqual(2);
        exported.push(...page.map((text) => (JSON.parse(text) as { id: string }).id));
      }
      const expected = stored.filter((row) => row.list === list).map((row) => row.id);
      expect([list, exported.toSorted()]).toEqual([list, expected.toSorted()]);
      expect(expected).not.toEqual([]);
    }
  }, 180_000);

  test("a comparison of players reads the figures of each from their own machine", async () => {
    const { id } = backend.environment;
    const players = await playersByKey(database.sql, id, null, 10);
    const always = {
      from: 0,
      eventsFrom: 0,
      to: Date.now() * 2,
      fromDay: "2000-01-01",
      toDay: "2100-01-01",
      eventId: null,
      definitionId: 0,
    };
    const figures = await readOnly(database, async (tx) => {
      expect(await selectItems(tx, players, "Mission", always)).toEqual([]);
      return selectFigures(tx, players, always);
    });
    const counted = await database.sql<{ playerId: string; events: number }[]>`
      select player_id, count(*)::int as events from events where environment_id = ${id} group by 1`;
    const known = counted.filter(({ playerId }) => players.some((one) => one.playerId === playerId));
    expect(known.length).toBeGreaterThan(1);
    for (const { playerId, events } of known) expect(figures.get(playerId)).toMatchObject({ events, activeDays: 1 });
  }, 180_000);

  test("only listed statements are sent to several shards, and none fetches a whole table", async () => {
    // Checks that both are detected. This test runs last, so that the log contains everything before it.
    const fetching = "select p.player_id from environments e left join players p on p.environment_id = e.id";
    const impossible = "select p.player_id from players p join balances b on p.player_id < b.player_id";
    await database.sql.unsafe(fetching);
    await expect(database.sql.unsafe(impossible)).rejects.toMatchObject({ code: "0A000" });
    await expect.poll(async () => (await readLog(cluster.log)).refused).not.toEqual([]);
    const { fanOuts, fetched, refused } = await readLog(cluster.log);
    expect(fetched).toEqual([fetching]);
    expect(refused).toEqual([expect.stringContaining(impossible)]);
    const others = fanOuts.filter(({ text }) => text !== fetching);
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ reason }) => reason === null)).toEqual([]);
  });
});
