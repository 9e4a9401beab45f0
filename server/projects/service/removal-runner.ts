import type { Database } from "../../../db/client.ts";
import { Idle, type KindRunner, type Looking } from "../../kernel/runner.ts";
import { removeData } from "./remove-data.ts";

const POLL_MS = 60_000;

interface RemovalOptions extends Looking {
  database: Database;
  logger: { warn(fields: object, message: string): void };
}

/** Removes test projects now and once a minute. */
export function startRemoval({ database, logger, onLook }: RemovalOptions): KindRunner {
  const idle = new Idle(onLook);
  let isStopping = false;
  let isWoken = false;
  let done = 0;
  let nudge = () => {};
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      nudge = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!isStopping) {
      isWoken = false;
      const isThrough = idle.look();
      try {
        done += await removeData(database, () => isStopping);
        isThrough();
      } catch (error) {
        logger.warn({ err: error }, "test projects could not be removed; it is tried again in a minute");
      }
      if (!isStopping && !isWoken) await pause();
    }
  };
  const running = run();
  return {
    wake: () => {},
    idle: () => {
      const through = idle.wait();
      isWoken = true;
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
