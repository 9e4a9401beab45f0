// npm run bench:long-run: sends a week of events, then prints what they left on the disk. Run by hand; a million events take some minutes.
import { parseArgs } from "node:util";
import type { Database, Sql } from "../db/client.ts";
import { spending } from "./beside/contest.ts";
import { startDatabase } from "./harness/database.ts";
import { boardsAndStreak } from "./harness/definitions.ts";
import { BATCH, batchRequest, makeBatch } from "./harness/events.ts";
import { openLoaded } from "./harness/loaded.ts";
import { sendAll, untilApplied } from "./harness/load.ts";
import { describeMachine, readMachine } from "./harness/machine.ts";
import { Outcome } from "./harness/outcome.ts";
import { eventsIn, expectCompletions, expectNothingLeft, expectScores } from "./harness/recount.ts";
import { round } from "./harness/statistics.ts";

const DAYS = 7;
const DAY_MS = 86_400_000;
/** Batches that are generated and sent before further ones are generated. */
const CHUNK = 100;
/** The smallest table that is listed. */
const MIN_BYTES = 1_000_000;

const { values } = parseArgs({
  options: { events: { type: "string", default: "1000000" }, players: { type: "string", default: "50000" } },
});

const say = (words: string): void => void process.stderr.write(`${words}\n`);
const closing: (() => Promise<unknown>)[] = [];

async function closeAll(): Promise<void> {
  for (let next = closing.pop(); next !== undefined; next = closing.pop()) await next().catch(() => {});
}

async function main(): Promise<void> {
  const batches = Math.ceil(Number(values.events) / BATCH);
  const players = Number(values.players);
  if (!(batches > 0 && players > 0)) throw new Error("npm run bench:long-run -- [--events 1000000] [--players 50000]");
  const server = await startDatabase();
  closing.push(server.close);
  console.log(`${describeMachine(await readMachine(server))}\n`);
  const outcome = new Outcome();
  const context = {
    rounds: 1,
    profiles: null,
    server,
    outcome,
    say,
    atEnd: (close: () => Promise<unknown>) => closing.push(close),
  };
  const { database, project, service } = await openLoaded(context, "long-run", { players, ...boardsAndStreak() });
  const { sql } = database;
  await sql`vacuum (analyze)`;
  const ioBefore = await readIo(sql);
  const walBefore = await server.walBytes();
  const spent = spending([service.pid], server.cpuUs);
  const started = Date.now();
  const begins = started - DAYS * DAY_MS;
  for (let done = 0; done < batches; done += CHUNK) {
    const requests = Array.from({ length: Math.min(CHUNK, batches - done) }, (_, index) => {
      const at = new Date(begins + ((done + index) * DAYS * DAY_MS) / batches).toISOString();
      return batchRequest(
        project.key,
        makeBatch({ count: players }).map((item) => ({ ...item, occurredAt: at })),
      );
    });
    await sendAll(service.port, requests);
    // Keeps the queue as short as it would be if the events came over a week.
    await untilApplied(sql);
    say(
      `${Math.min(done + CHUNK, batches) * BATCH} of ${batches * BATCH} events, day ${Math.min(DAYS, Math.ceil(((done + CHUNK) * DAYS) / batches))} of ${DAYS}`,
    );
  }
  const events = batches * BATCH;
  const cost = spent(events);
  const wal = (await server.walBytes()) - walBefore;
  const io = await readIo(sql);
  outcome.equal("events logged", await eventsIn(sql), events + players);
  await expectNothingLeft(outcome, sql);
  await expectCompletions(outcome, sql);
  await expectScores(outcome, sql);
  await service.stop();
  await outcome.audited("the environment", database, project.environment);
  const vacuum = share(io, ioBefore);
  console.log(`${events} events of ${players} players over ${DAYS} days, applied in ${round((Date.now() - started) / 1000)} s.\n`);
  console.log(
    `- An event: ${round(wal / events)} bytes of WAL, ${shown(cost.nodeUs)} µs of CPU in Node, ${shown(cost.serverUs)} µs in PostgreSQL.`,
  );
  console.log(
    `- Autovacuum: ${vacuum.reads} % of what PostgreSQL read, ${vacuum.writes} % of what it wrote to tables and indexes, ${vacuum.wal} % of the WAL.`,
  );
  console.log(`- Checked: ${outcome.checks.length} outcomes, the audit among them.\n`);
  console.log(await sizes(database, events));
}

const shown = (value: number | null): string => (value === null ? "an unknown number of" : String(round(value)));

interface Io {
  isVacuum: boolean;
  isWal: boolean;
  reads: number;
  writes: number;
}

/** Bytes read and written by the whole server. */
const readIo = (sql: Sql): Promise<Io[]> => sql<Io[]>`
  select backend_type like 'autovacuum%' as is_vacuum, object = 'wal' as is_wal, coalesce(sum(read_bytes), 0)::float8 as reads,
    coalesce(sum(case when object = 'wal' then write_bytes else write_bytes + coalesce(extend_bytes, 0) end), 0)::float8 as writes
  from pg_stat_io group by 1, 2`;

/** Autovacuum's share of the I/O between two readings, in percent. */
function share(after: readonly Io[], before: readonly Io[]) {
  const sum = (all: readonly Io[], key: "reads" | "writes", isWal: boolean, isVacuum: boolean) =>
    all.filter((io) => io.isWal === isWal && (!isVacuum || io.isVacuum)).reduce((total, io) => total + io[key], 0);
  const percent = (key: "reads" | "writes", isWal: boolean) => {
    const total = sum(after, key, isWal, false) - sum(before, key, isWal, false);
    return total === 0 ? 0 : round(((sum(after, key, isWal, true) - sum(before, key, isWal, true)) / total) * 100);
  };
  return { reads: percent("reads", false), writes: percent("writes", false), wal: percent("writes", true) };
}

interface Size {
  name: string;
  rows: number;
  dead: number;
  vacuums: number;
  vacuumMs: number;
  heap: number;
  indexes: number;
}

/** The size of each table, and of a fresh copy of its rows: the difference is bloat, or space kept free for updates. */
async function sizes({ sql }: Database, events: number): Promise<string> {
  await sql`analyze`;
  const tables = await sql<Size[]>`
    select relname as name, n_live_tup as rows, n_dead_tup as dead, autovacuum_count as vacuums, total_autovacuum_time as vacuum_ms,
      pg_table_size(relid) as heap, pg_indexes_size(relid) as indexes
    from pg_stat_user_tables where pg_total_relation_size(relid) >= ${MIN_BYTES} order by pg_total_relation_size(relid) desc`;
  const lines = [
    "| table | rows | dead rows | table, MB | indexes, MB | beside a fresh copy | bytes an event | autovacuum: runs, seconds |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
  ];
  let total = 0;
  for (const { name, rows, dead, vacuums, vacuumMs, heap, indexes } of tables) {
    const fresh = await freshSize(sql, name);
    const bytes = heap + indexes;
    total += bytes;
    const cells = [
      name,
      rows,
      dead,
      megabytes(heap),
      megabytes(indexes),
      `${round(bytes / fresh)} ×`,
      round(bytes / events),
      `${vacuums}, ${round(vacuumMs / 1000)}`,
    ];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  return [...lines, "", `All of these: ${megabytes(total)} MB, ${round(total / events)} bytes an event.`].join("\n");
}

const megabytes = (bytes: number): number => round(bytes / 1e6);

async function freshSize(sql: Sql, table: string): Promise<number> {
  await sql`create table fresh_copy (like ${sql(table)} including all excluding identity)`;
  await sql`insert into fresh_copy select * from ${sql(table)}`;
  const [row] = await sql<{ bytes: number }[]>`select pg_total_relation_size('fresh_copy') as bytes`;
  await sql`drop table fresh_copy`;
  return row!.bytes;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void closeAll().then(() => process.exit(130)));
main().then(
  () => closeAll().then(() => process.exit(0)),
  (error: unknown) => {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    void closeAll().then(() => process.exit(1));
  },
);
