import { setTimeout as delay } from "node:timers/promises";
import type { Database, Transaction } from "../../db/client.ts";
import { LIMIT } from "../../server/api/quota-split.ts";
import type { Chance } from "./chance.ts";
import type { Chapter } from "./chapter.ts";
import type { Program } from "./programs.ts";
import { steadily } from "./steadily.ts";

/** Far more requests than the limit and its queue take. */
const CROWD = 48;
/** Longer than a process that is gone keeps its part of the limit. */
const CHANGING_MS = 4_000;
const PATIENCE_MS = 60_000;

/**
 * Sends more requests of one organization than may run, and counts in the database those that do, in all processes together: they all wait
 * for one lock. While processes stay the same the limit is used up and never passed; when one has just been replaced it is passed by no more
 * than one for each process.
 */
export async function crowdIn(
  chapter: Chapter,
  web: readonly Program[],
  database: Database,
  chance: Chance,
): Promise<{ atOnce: number; found: string[] }> {
  await Promise.all(web.map((one) => one.ready()));
  await whenPartsAddUp(database, web.length);
  const steady = await mostDuring(chapter, database, async (running) => {
    const deadline = performance.now() + PATIENCE_MS;
    while ((await running()) < LIMIT.inFlight && performance.now() < deadline) await delay(20);
    for (let looks = 0; looks < 10; looks++, await delay(20)) await running();
  });
  const victim = chance.pick(web);
  await victim.kill();
  victim.start();
  const changing = await mostDuring(chapter, database, async (running) => {
    for (const until = performance.now() + CHANGING_MS; performance.now() < until; await delay(20)) await running();
  });
  return {
    atOnce: Math.max(steady, changing),
    found: [
      ...(steady === LIMIT.inFlight ? [] : [`${steady} requests ran at once in ${web.length} processes, not ${LIMIT.inFlight}`]),
      ...(changing <= LIMIT.inFlight + web.length
        ? []
        : [`${changing} requests ran at once while one of ${web.length} processes was replaced`]),
    ],
  };
}

/** The most requests that ran at once while a crowd came and `look` asked again and again. */
async function mostDuring(chapter: Chapter, database: Database, look: (running: () => Promise<number>) => Promise<void>): Promise<number> {
  let most = 0;
  const running = async (tx: Transaction): Promise<number> => {
    const [row] = await tx<{ count: number }[]>`
      select count(*) from pg_locks where relation = 'events'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    most = Math.max(most, row!.count);
    return row!.count;
  };
  let crowd: Promise<unknown> = Promise.resolve();
  // Requests of a killed process go on in the database for as long as the lock is held: those before it are through by now.
  await database.sql.begin(async (tx) => {
    await tx`lock table events in share mode`;
    crowd = chapter.crowd(CROWD);
    await look(() => running(tx));
  });
  await crowd;
  return most;
}

/** Waits until every process has its part of the limit, and the parts are the whole of it. */
async function whenPartsAddUp({ sql }: Database, processes: number): Promise<void> {
  const parts = () =>
    steadily(async () => {
      const rows = await sql<{ inFlight: number }[]>`
        select in_flight as "inFlight" from processes where beat_at >= clock_timestamp() - interval '3 seconds'`;
      return rows.map(({ inFlight }) => inFlight);
    });
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await delay(50)) {
    const found = await parts();
    if (found.length === processes && found.reduce((sum, part) => sum + part, 0) === LIMIT.inFlight) return;
  }
}
