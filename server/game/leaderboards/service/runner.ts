import { setTimeout as delay } from "node:timers/promises";
import { OUT_OF_REACH_MS, type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { giveSeatsOf } from "../settlement/give-seats.ts";
import { settlePeriods } from "../settlement/settle.ts";
import { periodsWithFullBlocks } from "../store/blocks.ts";
import { dueFills } from "../store/fills.ts";
import { environmentsWithDuePeriods } from "#server/engine/store/periods.ts";
import { periodsWithSeatsToGive } from "../store/settling.ts";
import { cutRanges } from "./cut-ranges.ts";
import { fillBoard } from "./fill-boards.ts";

const POLL_MS = 1_000;
/** The interval of giving seats and cutting ranges while facts are applied. */
const SOON_MS = 50;
/** Requests that began before the end of a period may still be writing their facts. */
const GRACE_MS = 2_000;

/** A large league is settled in turns of this length; in between, other environments, seats and ranges are handled. */
const TURN_MS = 500;

/** Pages of a board that are filled before other work runs and its ranges are cut. */
const FILL_PAGES = 4;

export interface LeaderboardsOptions extends PollingOptions {
  /** Called when something was settled, so that there may be deliveries to send. */
  onEffects(): void;
  /** How long one environment's periods are settled before the next environment's turn; at least one step is taken. */
  turnMs?: number;
}

/**
 * Fills boards over attributes, settles the periods of leaderboards, gives seats in leagues and cuts ranges of scores that have become
 * full.
 */
export const startLeaderboards = ({ onEffects, turnMs = TURN_MS, ...options }: LeaderboardsOptions): KindRunner =>
  startPolling(options, {
    pollMs: POLL_MS,
    fault: "looking for due leaderboards failed; it is retried with the next poll",
    faultMs: OUT_OF_REACH_MS,
    async look({ database, isStopping, isWanted, count, attempt }) {
      if (isWanted) await delay(SOON_MS);
      const { sql } = database;
      const turn = () => {
        const end = performance.now() + turnMs;
        let steps = 0;
        return () => isStopping() || (steps++ > 0 && performance.now() >= end);
      };
      const fills = await dueFills(sql, null);
      const environments = await environmentsWithDuePeriods(sql, GRACE_MS);
      const seats = await periodsWithSeatsToGive(sql);
      const full = await periodsWithFullBlocks(sql);
      let done = 0;
      for (const { environmentId, leaderboardId } of fills)
        done += await attempt("filling a board", () => fillBoard(database, environmentId, leaderboardId, FILL_PAGES, isStopping));
      for (const id of environments) done += await attempt("settling periods", () => settlePeriods(database, id, turn()));
      if (done > 0) onEffects();
      for (const { id, environmentId } of seats) done += await attempt("giving seats", () => giveSeatsOf(database, environmentId, id));
      let cut = 0;
      for (const id of full) cut += await attempt("cutting ranges", async () => (await cutRanges(database, id), 1));
      count(done + cut);
      if (done + cut === 0) return "nothing";
      // Writers of scores wait while ranges are cut, so they run before more are cut.
      if (done === 0) await delay(SOON_MS);
      return "more";
    },
  });
