import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Database, Sql, Transaction } from "../../db/client.ts";
import { DEAD_MS } from "../../server/api/processes.ts";
import { LIMIT } from "../../server/api/quota-split.ts";
import type { Chance } from "./chance.ts";
import type { Chapter } from "./chapter.ts";
import type { Program } from "../../e2e/programs.ts";
import { steadily, steadilyUntil } from "./steadily.ts";

/** Far more requests than the limit and its queue accept. */
const CROWD = 48;
/** Longer than a dead process keeps its share of the limit. */
const REPLACING_MS = 4_000;
/** A crowd that has not reached the limit after this time never will. */
const FILLING_MS = 60_000;
/** Long, since on a busy machine the shares change for minutes. */
const PATIENCE_MS = 300_000;

/**
 * Sends more requests of one organization than may run, and counts those running in the database, over all processes: all wait for one
 * lock, each with a statement of its own. Other traffic pauses, since its small requests share statements. While the processes stay the
 * same, the limit is reached and never exceeded; after a process was replaced, it is exceeded by at most one per process.
 */
export async function crowdIn(
  chapter: Chapter,
  web: readonly Program[],
  database: Database,
  chance: Chance,
): Promise<{ atOnce: number; found: string[] }> {
  await Promise.all(web.map((one) => one.ready()));
  await chapter.pause();
  const { most: steady, shares } = await mostWhileSteady(chapter, web.length, database);
  const victim = chance.pick(web);
  await victim.kill();
  victim.start();
  const replacing = await mostDuring(chapter, database, async (running) => {
    for (const until = performance.now() + REPLACING_MS; performance.now() < until; await delay(20)) await running();
  });
  return {
    atOnce: Math.max(steady, replacing),
    found: [
      ...(steady === LIMIT.inFlight
        ? []
        : [
            `${steady} requests ran concurrently in ${web.length} processes, not ${LIMIT.inFlight}; their shares were ${shares.join(", ")}`,
          ]),
      ...(replacing <= LIMIT.inFlight + web.length
        ? []
        : [`${replacing} requests ran concurrently while one of ${web.length} processes was replaced`]),
    ],
  };
}

/**
 * The most requests that ran concurrently while every process kept its share of the limit, and the shares. Without processor time, a
 * process misses its heartbeats and the others take its share: such a crowd proves nothing and is repeated, until the deadline.
 */
async function mostWhileSteady(chapter: Chapter, processes: number, database: Database): Promise<{ most: number; shares: number[] }> {
  for (const deadline = performance.now() + PATIENCE_MS; ;) {
    await untilSharesAddUp(database, processes, deadline);
    const filled = performance.now() + FILLING_MS;
    let isSteady = true;
    let shares: Awaited<ReturnType<typeof sharesIn>> = [];
    const most = await mostDuring(chapter, database, async (running, tx) => {
      shares = await sharesIn(tx);
      const look = async () => {
        const count = await running();
        isSteady &&= isDeepStrictEqual(await sharesIn(tx), shares);
        return count;
      };
      while (isSteady && (await look()) < LIMIT.inFlight && performance.now() < filled) await delay(20);
      for (let looks = 0; isSteady && looks < 10; looks++, await delay(20)) await look();
    });
    if (isSteady) return { most, shares: shares.map(({ inFlight }) => inFlight) };
  }
}

/** Sends a crowd and lets `look` count its running requests repeatedly; returns the largest count. */
async function mostDuring(
  chapter: Chapter,
  database: Database,
  look: (running: () => Promise<number>, tx: Transaction) => Promise<void>,
): Promise<number> {
  let most = 0;
  const running = async (tx: Transaction): Promise<number> => {
    const [row] = await tx<{ count: number }[]>`
      select count(*) from pg_locks where relation = 'queued_facts'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    most = Math.max(most, row!.count);
    return row!.count;
  };
  // The workers would wait for the lock too, and be counted.
  await steadilyUntil(async () => (await database.sql`select from queued_facts limit 1`).length === 0);
  let crowd: Promise<unknown> = Promise.resolve();
  // A killed process's requests continue in the database while the lock is held; those of earlier crowds have ended by now.
  await database.sql.begin(async (tx) => {
    await tx`lock table queued_facts in share mode`;
    crowd = chapter.crowd(CROWD);
    await look(() => running(tx), tx);
  });
  await crowd;
  return most;
}

/** Waits until every process has its share of the limit, and the shares add up to it. Throws at the deadline. */
async function untilSharesAddUp({ sql }: Database, processes: number, deadline: number): Promise<void> {
  for (; performance.now() < deadline; await delay(50)) {
    const found = await steadily(() => sharesIn(sql));
    if (found.length === processes && found.reduce((sum, { inFlight }) => sum + inFlight, 0) === LIMIT.inFlight) return;
  }
  throw new Error(`the shares of the limit did not become stable within ${PATIENCE_MS / 1000} s`);
}

/** The limit shares of all processes with a recent heartbeat. */
export const sharesIn = async (sql: Sql): Promise<{ id: string; inFlight: number }[]> => [
  ...(await sql<{ id: string; inFlight: number }[]>`
    select id, in_flight from processes
    where beat_at >= clock_timestamp() - ${DEAD_MS}::float8 * interval '1 ms' order by id`),
];
