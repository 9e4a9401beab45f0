import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Database, Sql, Transaction } from "../../db/client.ts";
import { DEAD_MS } from "../../server/api/processes.ts";
import { LIMIT } from "../../server/api/quota-split.ts";
import type { Chance } from "./chance.ts";
import type { Chapter } from "./chapter.ts";
import type { Program } from "./programs.ts";
import { steadily } from "./steadily.ts";

/** Far more requests than the limit and its queue accept. */
const CROWD = 48;
/** Longer than a dead process keeps its share of the limit. */
const CHANGING_MS = 4_000;
/** A crowd that has not reached the limit after this long never will. */
const FILLING_MS = 60_000;
/** Ample: on a busy machine the shares change for minutes. */
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
  const { most: steady, parts } = await mostWhileSteady(chapter, web.length, database);
  const victim = chance.pick(web);
  await victim.kill();
  victim.start();
  const changing = await mostDuring(chapter, database, async (running) => {
    for (const until = performance.now() + CHANGING_MS; performance.now() < until; await delay(20)) await running();
  });
  return {
    atOnce: Math.max(steady, changing),
    found: [
      ...(steady === LIMIT.inFlight
        ? []
        : [`${steady} requests ran at once in ${web.length} processes, not ${LIMIT.inFlight}; their parts were ${parts.join(", ")}`]),
      ...(changing <= LIMIT.inFlight + web.length
        ? []
        : [`${changing} requests ran at once while one of ${web.length} processes was replaced`]),
    ],
  };
}

/**
 * The most requests that ran at once while every process kept its share of the limit, and the shares. A process without processor time is
 * silent at times, and the others take its share meanwhile: such a crowd proves nothing. Throws if that does not end.
 */
async function mostWhileSteady(chapter: Chapter, processes: number, database: Database): Promise<{ most: number; parts: number[] }> {
  for (const deadline = performance.now() + PATIENCE_MS; ;) {
    await whenPartsAddUp(database, processes, deadline);
    const filled = performance.now() + FILLING_MS;
    let isSteady = true;
    let parts: Awaited<ReturnType<typeof partsIn>> = [];
    const most = await mostDuring(chapter, database, async (running, tx) => {
      parts = await partsIn(tx);
      const look = async () => {
        const count = await running();
        isSteady &&= isDeepStrictEqual(await partsIn(tx), parts);
        return count;
      };
      while (isSteady && (await look()) < LIMIT.inFlight && performance.now() < filled) await delay(20);
      for (let looks = 0; isSteady && looks < 10; looks++, await delay(20)) await look();
    });
    if (isSteady) return { most, parts: parts.map(({ inFlight }) => inFlight) };
  }
}

/** The most requests that ran at once while a crowd came and `look` asked again and again. */
async function mostDuring(
  chapter: Chapter,
  database: Database,
  look: (running: () => Promise<number>, tx: Transaction) => Promise<void>,
): Promise<number> {
  let most = 0;
  const running = async (tx: Transaction): Promise<number> => {
    const [row] = await tx<{ count: number }[]>`
      select count(*) from pg_locks where relation = 'events'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    most = Math.max(most, row!.count);
    return row!.count;
  };
  let crowd: Promise<unknown> = Promise.resolve();
  // Requests of a killed process continue in the database while the lock is held: earlier ones are done by now.
  await database.sql.begin(async (tx) => {
    await tx`lock table events in share mode`;
    crowd = chapter.crowd(CROWD);
    await look(() => running(tx), tx);
  });
  await crowd;
  return most;
}

/** Waits until every process has its share of the limit, and the shares add up to it. Throws at the deadline. */
async function whenPartsAddUp({ sql }: Database, processes: number, deadline: number): Promise<void> {
  for (; performance.now() < deadline; await delay(50)) {
    const found = await steadily(() => partsIn(sql));
    if (found.length === processes && found.reduce((sum, { inFlight }) => sum + inFlight, 0) === LIMIT.inFlight) return;
  }
  throw new Error(`the parts of the limit never stood still in ${PATIENCE_MS / 1000} s`);
}

/** The limit shares of all processes with a recent heartbeat. */
export const partsIn = async (sql: Sql): Promise<{ id: string; inFlight: number }[]> => [
  ...(await sql<{ id: string; inFlight: number }[]>`
    select id, in_flight from processes
    where beat_at >= clock_timestamp() - ${DEAD_MS}::float8 * interval '1 ms' order by id`),
];
