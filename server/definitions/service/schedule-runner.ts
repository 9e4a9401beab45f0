import type { Database } from "../../../db/client.ts";
import { Idle, type KindRunner, type Looking } from "../../kernel/runner.ts";
import { environmentsWithDueChanges } from "../store/scheduled.ts";
import { applyDueChanges } from "./scheduling.ts";

const POLL_MS = 1_000;
/** A reset holds its environment for up to a minute; the changes of others do not wait for it. */
const PATIENCE_MS = 1_000;

type LogLine = (fields: object, message: string) => void;

interface ScheduleOptions extends Looking {
  database: Database;
  logger: { error: LogLine; warn: LogLine };
  /** Something was saved: boards may be due to be filled. */
  onEffects(): void;
}

/** Saves scheduled changes as they fall due, in any number of processes. */
export function startSchedule({ database, logger, onLook, onEffects }: ScheduleOptions): KindRunner {
  let isStopping = false;
  let isWoken = false;
  let done = 0;
  let nudge = () => {};
  const idle = new Idle(onLook);
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      nudge = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const look = async (): Promise<{ count: number; isThrough: boolean }> => {
    let count = 0;
    let isThrough = true;
    for (const id of await environmentsWithDueChanges(database.sql)) {
      if (isStopping) break;
      try {
        count += await applyDueChanges(database, id, { isStopping: () => isStopping, patienceMs: PATIENCE_MS });
      } catch (error) {
        isThrough = false;
        logger.warn({ err: error, environment: id }, "scheduled changes of an environment were put off");
      }
    }
    return { count, isThrough };
  };
  const run = async () => {
    while (!isStopping) {
      isWoken = false;
      const foundNothing = idle.look();
      try {
        const { count, isThrough } = await look();
        done += count;
        if (count > 0) {
          onEffects();
          continue;
        }
        if (isThrough) foundNothing();
      } catch (error) {
        logger.warn({ err: error }, "scheduled changes are out of reach: the database did not answer");
      }
      if (!isWoken && !isStopping) await pause();
    }
  };
  const running = run();
  const wake = () => {
    isWoken = true;
    nudge();
  };
  return {
    wake,
    idle: () => {
      const through = idle.wait();
      wake();
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
