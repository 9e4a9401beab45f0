import { type Database, transact } from "#db/client.ts";
import type { Mailer } from "#server/model/kernel/mail.ts";
import { noticeMail } from "#server/model/notices/mail.ts";
import { beginMailings, claimMail, insertMails, markSent, selectMailed } from "../store/mails.ts";

/** The way out for mail, and the public address that links begin with. */
export interface MailOptions {
  mailer: Mailer;
  baseUrl: string;
}

/** The most mails of one look, and the notices that one mail lists. */
const MOST = 5;
const LISTED = 20;

/**
 * Mails what people wait to be told; how many mails were taken on. A mailing and its mails are committed before the first is sent: a crash
 * in between sends none twice and loses none. A mail that goes out just as its process dies comes once more. Who has left the project since
 * is sent nothing.
 */
export async function mailDue(database: Database, { mailer, baseUrl }: MailOptions): Promise<number> {
  await transact(database, async (tx) => {
    for (const begun of await beginMailings(tx)) await insertMails(tx, begun);
  });
  // One at a time, and each is sent at once: behind a slow one the lease of the next would run out, and another worker would send it too.
  let count = 0;
  for (; count < MOST; count++) {
    const mail = await claimMail(database.sql);
    if (mail === null) break;
    if (!mail.isWanted) continue;
    const notices = await selectMailed(database.sql, mail.mailing, LISTED);
    if (await mailer.send(noticeMail(mail.email, { ...mail, notices }, baseUrl))) await markSent(database.sql, mail);
  }
  return count;
}
