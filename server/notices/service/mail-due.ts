import { type Database, transact } from "../../../db/client.ts";
import type { Mailer } from "../../kernel/mail.ts";
import { noticeMail } from "../mail.ts";
import { beginMailings, claimMails, insertMails, markSent, selectMailed } from "../store/mails.ts";

/** The way out for mail, and the public address that links begin with. */
export interface MailOptions {
  mailer: Mailer;
  baseUrl: string;
}

/** Mails that one look claims, one after the other within their lease, and the notices that one mail lists. */
const AT_ONCE = 5;
const LISTED = 20;

/**
 * Mails what people wait to be told; how many mails were taken on. A mailing and its mails are committed before the first is sent: a crash
 * in between sends none twice and loses none. A mail that goes out just as its process dies comes once more.
 */
export async function mailDue(database: Database, { mailer, baseUrl }: MailOptions): Promise<number> {
  await transact(database, async (tx) => {
    for (const begun of await beginMailings(tx)) await insertMails(tx, begun);
  });
  const claimed = await claimMails(database.sql, AT_ONCE);
  for (const mail of claimed) {
    const notices = await selectMailed(database.sql, mail.mailing, LISTED);
    if (await mailer.send(noticeMail(mail.email, { ...mail, notices }, baseUrl))) await markSent(database.sql, mail);
  }
  return claimed.length;
}
