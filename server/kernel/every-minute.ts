import { Idle, type KindRunner } from "./runner.ts";

const POLL_MS = 60_000;

interface Options {
  /** Answers how much was done. It looks at `isStopping` between two slices. */
  work(isStopping: () => boolean): Promise<number>;
  /** The words of the log where it fails. */
  failure: string;
  logger: { warn(fields: object, message: string): void };
}

/** Does a work that is in no hurry, now and once a minute. */
export function everyMinute({ work, failure, logger }: Options): KindRunner {
  let isStopping = false;
  let isWoken = false;
  let done = 0;
  let nudge = () => {};
  const idle = new Idle();
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
        done += await work(() => isStopping);
        isThrough();
      } catch (error) {
        logger.warn({ err: error }, `${failure}; it is tried again in a minute`);
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
