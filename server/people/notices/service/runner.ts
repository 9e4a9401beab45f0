import { type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { deleteOld } from "../store/mails.ts";
import { noteFailingEndpoints, noteQuarantined } from "../store/notices.ts";
import { mailDue, type MailOptions } from "./mail-due.ts";

const POLL_MS = 15_000;
const FORGET_MS = 60 * 60 * 1000;

interface NoticesOptions extends PollingOptions {
  /** Undefined without a mail server: then notices appear only in the dashboard. */
  mail?: MailOptions;
}

/** Writes notices and mails them to the members who want them. */
export function startNotices({ database, logger, onLook, mail }: NoticesOptions): KindRunner {
  let forgetAt = 0;
  return startPolling({
    pollMs: POLL_MS,
    logger,
    onLook,
    fault: "notices were put off to the next look",
    async look({ count }) {
      const noted = (await noteFailingEndpoints(database.sql)) + (await noteQuarantined(database.sql));
      const mailed = mail === undefined ? 0 : await mailDue(database, mail);
      if (performance.now() >= forgetAt) {
        await deleteOld(database.sql);
        forgetAt = performance.now() + FORGET_MS;
      }
      count(noted + mailed);
      return noted + mailed > 0 ? "more" : "nothing";
    },
  });
}
