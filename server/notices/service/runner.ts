import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../../db/client.ts";
import { Idle, type KindRunner, type Looking } from "../../kernel/runner.ts";
import { deleteOld } from "../store/mails.ts";
import { noteFailingEndpoints, noteQuarantined } from "../store/notices.ts";
import { mailDue, type MailOptions } from "./mail-due.ts";

const POLL_MS = 15_000;
const OUT_OF_REACH_MS = 2_000;
const FORGET_MS = 60 * 60 * 1000;

export interface NoticesOptions extends Looking {
  database: Database;
  logger: { warn(fields: object, message: string): void };
  /** Left out where no mail server is set: then people see notices in the dashboard alone. */
  mail?: MailOptions;
}

/** Notes what people should know of, and mails it to those who want it. */
export function startNotices({ database, logger, onLook, mail }: NoticesOptions): KindRunner {
  const idle = new Idle(onLook);
  let isStopping = false;
  let done = 0;
  let forgetAt = 0;
  let isWoken = false;
  let nudge = () => {};

  const look = async (): Promise<number> => {
    const noted = (await noteFailingEndpoints(database.sql)) + (await noteQuarantined(database.sql));
    const mailed = mail === undefined ? 0 : await mailDue(database, mail);
    if (performance.now() >= forgetAt) {
      await deleteOld(database.sql);
      forgetAt = performance.now() + FORGET_MS;
    }
    return noted + mailed;
  };
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
      const foundNothing = idle.look();
      isWoken = false;
      try {
        const count = await look();
        done += count;
        if (count > 0) continue;
        foundNothing();
      } catch (error) {
        logger.warn({ err: error }, "notices are out of reach: the database did not answer");
        await delay(OUT_OF_REACH_MS);
      }
      if (!isStopping && !isWoken) await pause();
    }
  };
  const running = run();
  const wake = () => {
    isWoken = true;
    nudge();
  };
  return {
    wake,
    done: () => done,
    idle() {
      const through = idle.wait();
      wake();
      return through;
    },
    async stop() {
      isStopping = true;
      nudge();
      await running;
    },
  };
}
