import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "../../db/client.ts";
import { BATCH } from "./events.ts";
import { type Connection, expectOk, withConnections } from "./http.ts";

/** The concurrent requests that one organization may have. */
export const CONNECTIONS = 16;

const ALL_ACCEPTED = Buffer.from('"rejected":0');

/** Sends a batch; every item has to be accepted. */
export async function sendBatch(connection: Connection, request: Buffer): Promise<void> {
  const body = expectOk(await connection.request(request));
  if (!body.includes(ALL_ACCEPTED)) throw new Error(`Items were refused: ${body.toString("utf8", 0, 600)}`);
}

export interface Sending {
  connections?: number;
  /** The number of events in a request. */
  events?: number;
}

/** Sends batches over several connections, each sending the next one after the last was answered. Returns events a second. */
export async function sendAll(
  port: number,
  requests: readonly Buffer[],
  { connections = CONNECTIONS, events = BATCH }: Sending = {},
): Promise<number> {
  return withConnections(port, connections, async (open) => {
    const started = performance.now();
    let next = 0;
    await Promise.all(
      open.map(async (connection) => {
        for (let request = requests[next++]; request !== undefined; request = requests[next++]) await sendBatch(connection, request);
      }),
    );
    return (requests.length * events * 1000) / (performance.now() - started);
  });
}

const PATIENCE_MS = 180_000;

/**
 * Waits until the workers have applied everything accepted. It reads the index from the queue's floor: a scan of the table would visit
 * every row applied since the last vacuum.
 */
export async function untilApplied(sql: Sql, everyMs = 50): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const rows =
      await sql`select 1 from queued_facts q where q.seq > (select floor from queue_floor) order by lane, environment_id, seq limit 1`;
    if (rows.length === 0) return;
    await sleep(everyMs);
  }
  throw new Error(`The workers did not empty the queue within ${PATIENCE_MS / 1000} s.`);
}

/** Events a second, from sending the first to applying the last. Senders never wait for the workers. */
export async function sendAndApply(port: number, sql: Sql, requests: readonly Buffer[], sending: Sending = {}): Promise<number> {
  const started = performance.now();
  await sendAll(port, requests, sending);
  await untilApplied(sql);
  const rate = (requests.length * (sending.events ?? BATCH) * 1000) / (performance.now() - started);
  await expectNoneSetAside(sql);
  return rate;
}

/** Quarantined events would make the figure look good: they cost little. */
async function expectNoneSetAside(sql: Sql): Promise<void> {
  const [row] = await sql<{ count: number }[]>`select count(*) from quarantined_facts`;
  if (row?.count !== 0) throw new Error(`${row?.count} facts are quarantined.`);
}

/** Batches sent at a fixed rate over a few connections, beside the measured work. */
export interface Pace {
  requests: readonly Buffer[];
  eventsPerSecond: number;
  connections?: number;
  /** Called when a batch was accepted, with how long that took. */
  onAccepted?: (index: number, tookMs: number) => void;
}

/** Runs `work` under a load. The load ends with the work or after its last batch, which resolves `over`. Returns its actual rate. */
export async function withLoad(
  port: number,
  { requests, eventsPerSecond, connections = 4, onAccepted = () => {} }: Pace,
  work: (over: Promise<void>) => Promise<unknown>,
): Promise<number> {
  return withConnections(port, connections, async (open) => {
    const everyMs = (BATCH * 1000) / eventsPerSecond;
    const started = performance.now();
    let isOver = false;
    let next = 0;
    let sent = 0;
    const senders = open.map(async (connection) => {
      while (!isOver && next < requests.length) {
        const index = next++;
        const wait = started + index * everyMs - performance.now();
        if (wait > 0) await sleep(wait);
        if (isOver) return;
        const begun = performance.now();
        await sendBatch(connection, requests[index]!);
        sent++;
        onAccepted(index, performance.now() - begun);
      }
    });
    const over = Promise.all(senders).then(() => {});
    await work(over);
    const tookMs = performance.now() - started;
    isOver = true;
    await over;
    return (sent * BATCH * 1000) / tookMs;
  });
}

export interface Reads {
  /** Requests a second. */
  rate: number;
  /** Round trips, in milliseconds. */
  times: number[];
}

/** Sends reads for a time over several connections, each sending the next one after the last was answered. */
export async function readFor(port: number, requests: readonly Buffer[], concurrency: number, durationMs: number): Promise<Reads> {
  return withConnections(port, concurrency, async (open) => {
    const times: number[] = [];
    let next = 0;
    const started = performance.now();
    const until = started + durationMs;
    await Promise.all(
      open.map(async (connection) => {
        for (let begun = performance.now(); begun < until;) {
          expectOk(await connection.request(requests[next++ % requests.length]!));
          const now = performance.now();
          times.push(now - begun);
          begun = now;
        }
      }),
    );
    return { rate: (times.length * 1000) / (performance.now() - started), times };
  });
}
