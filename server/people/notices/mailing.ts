import { type PollingOptions, startPolling } from "#db/polling.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { type Database, transact } from "#db/client.ts";
import type { Mailer } from "#server/model/identity/mails.ts";
import { noticeMail } from "#server/model/notices/mail.ts";
import { beginMailings, claimMail, deleteOld, insertMails, markSent, selectMailed } from "./store/mails.ts";
import { noteFailingEndpoints, noteOver, noteQuarantined } from "./store/notices.ts";

const POLL_MS = 15_000;
const FORGET_MS = 60 * 60 * 1000;

interface NoticesOptions extends PollingOptions {
  /** Undefined without a mail server: then notices appear only in the dashboard. */
  mail?: MailOptions;
}

/** Writes notices and mails them to the members who want them. */
export const startNotices = ({ mail, ...options }: NoticesOptions): KindRunner =>
  startPolling(options, {
    pollMs: POLL_MS,
    fault: "notices are postponed to the next poll",
    forget: { everyMs: FORGET_MS, run: deleteOld },
    async look({ database, count }) {
      const noted = (await noteFailingEndpoints(database.sql)) + (await noteQuarantined(database.sql)) + (await noteOver(database.sql));
      const mailed = mail === undefined ? 0 : await mailDue(database, mail);
      count(noted + mailed);
      return noted + mailed > 0 ? "more" : "nothing";
    },
  });

/** The mailer, and the base URL of links. */
export interface MailOptions {
  mailer: Mailer;
  baseUrl: string;
}

/** Mails per poll, and notices per mail. */
const MAX = 5;
const LISTED = 20;

/**
 * Sends due notices by mail and returns the number of mails claimed. A mailing and its mails are committed before the first is sent, so a
 * crash in between loses and repeats none. A mail sent just as its process dies is sent again. People who have left the project get none.
 */
export async function mailDue(database: Database, { mailer, baseUrl }: MailOptions): Promise<number> {
  await transact(database, async (tx) => {
    for (const begun of await beginMailings(tx)) await insertMails(tx, begun);
  });
  // Leased one at a time: behind a slow mail the lease of the next would run out, and another worker would send it too.
  let count = 0;
  for (; count < MAX; count++) {
    const mail = await claimMail(database.sql);
    if (mail === null) break;
    if (!mail.isWanted) continue;
    const notices = await selectMailed(database.sql, mail.mailing, mail.userId, LISTED);
    if (await mailer.send(noticeMail(mail.email, { ...mail, notices }, baseUrl))) await markSent(database.sql, mail);
  }
  return count;
}
