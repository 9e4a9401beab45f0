import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client.ts";
import { isConflict, isUnavailable } from "#db/errors.ts";
import { Idle, type KindRunner, type Looking } from "#server/model/kernel/runner.ts";
import { giveSeatsOf } from "../settlement/give-seats.ts";
import { settlePeriods } from "../settlement/settle.ts";
import { periodsWithFullBlocks } from "../store/blocks.ts";
import { dueFills } from "../store/fills.ts";
import { environmentsWithDuePeriods } from "#server/engine/store/periods.ts";
import { periodsWithSeatsToGive } from "../store/settling.ts";
import { cutRanges } from "./cut-ranges.ts";
import { fillBoard } from "./fill-boards.ts";

const POLL_MS = 1_000;
/** After facts were applied there may be seats to give and ranges to cut; not sooner, however many are applied. */
const SOON_MS = 50;
const OUT_OF_REACH_MS = 500;

/** Requests that began before the end of a period may still be writing their facts. */
const GRACE_MS = 2_000;

/** A large league is settled in turns of this length, between which other environments, seats and ranges are handled. */
const TURN_MS = 500;

/** Pages of a board that are filled before other work and the cutting of its ranges run. */
const FILL_PAGES = 4;

/** `onEffects` is called when something was settled: there may be deliveries to send. */
export interface LeaderboardsOptions extends Looking {
  database: Database;
  logger: { error: LogLine; warn: LogLine };
  onEffects(): void;
  /** How long one environment's periods are settled before others have their turn; one step at least. */
  turnMs?: number;
}

type LogLine = (fields: object, message: string) => void;

/** Fills boards over attributes, settles the periods of leaderboards, gives seats in leagues and cuts ranges of scores that have become full. */
export function startLeaderboards({ database, logger, onLook, onEffects, turnMs = TURN_MS }: LeaderboardsOptions): KindRunner {
  let isStopping = false;
  let done = 0;
  let isWoken = false;
  let nudge = () => {};
  const idle = new Idle(onLook);

  const attempt = async (what: string, work: () => Promise<number>): Promise<number> => {
    if (isStopping) return 0;
    try {
      return await work();
    } catch (error) {
      const isPassing = isUnavailable(error) || isConflict(error);
      logger[isPassing ? "warn" : "error"]({ err: error }, `${what} broke off; it goes on with the next look`);
      return 0;
    }
  };
  const turn = () => {
    const end = performance.now() + turnMs;
    let steps = 0;
    return () => isStopping || (steps++ > 0 && performance.now() >= end);
  };
  const look = async (): Promise<{ count: number; cut: number }> => {
    const { sql } = database;
    const [fills, environments, seats, full] = [
      await dueFills(sql, null),
      await environmentsWithDuePeriods(sql, GRACE_MS),
      await periodsWithSeatsToGive(sql),
      await periodsWithFullBlocks(sql),
    ];
    let count = 0;
    for (const { environmentId, leaderboardId } of fills) {
      count += await attempt("filling a board", () => fillBoard(database, environmentId, leaderboardId, FILL_PAGES, () => isStopping));
    }
    for (const id of environments) count += await attempt("settling periods", () => settlePeriods(database, id, turn()));
    if (count > 0) onEffects();
    for (const { id, environmentId } of seats) count += await attempt("giving seats", () => giveSeatsOf(database, environmentId, id));
    let cut = 0;
    for (const id of full) cut += await attempt("cutting ranges", async () => (await cutRanges(database, id), 1));
    return { count, cut };
  };
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      nudge = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!isStopping) {
      const foundNothing = idle.look();
      isWoken = false;
      try {
        const { count, cut } = await look();
        done += count + cut;
        if (count > 0) continue;
        // Writers of scores wait while ranges are cut, so they run before more are cut.
        if (cut > 0) isWoken = true;
        else foundNothing();
      } catch (error) {
        logger.warn({ err: error }, "leaderboards are out of reach: the database did not answer");
        await delay(OUT_OF_REACH_MS);
      }
      if (!isWoken && !isStopping) await pause(POLL_MS);
      if (!isStopping) await delay(SOON_MS);
    }
  };
  const running = run();
  return {
    wake() {
      isWoken = true;
      nudge();
    },
    idle: () => {
      const through = idle.wait();
      nudge();
      return through;
    },
    done: () => done,
    async stop() {
      isStopping = true;
      nudge();
      await running;
    },
  };
}
