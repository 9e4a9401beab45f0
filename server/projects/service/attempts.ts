import { createHash } from "node:crypto";
import { type Database, transact } from "../../../db/client.ts";
import { ACCOUNT_LIMIT, ADDRESS_LIMIT, afterFailure, afterSuccess, type Limit, MAIL_LIMIT, waitOf } from "../attempts.ts";
import { networkOf } from "../networks.ts";
import { selectNow } from "../store.ts";
import * as store from "../store/attempts.ts";

interface Counted {
  subject: string;
  limit: Limit;
}

/** A try under way. It counts as failed until it `succeeded`. */
export interface Attempt {
  /** Milliseconds until another try; with those nothing was counted, and nothing must be tried. */
  waitMs: number;
  succeeded(): Promise<void>;
}

/** Begins a sign-in to an account from an address (null where it is not known). */
export const beginSignIn = (database: Database, email: string, address: string | null): Promise<Attempt> =>
  begin(database, [{ subject: accountSubject(email), limit: ACCOUNT_LIMIT }, ...from("address", address)], accountSubject(email));

/** Begins sending a mail that anybody may ask for. It is never taken back. */
export const beginMail = (database: Database, email: string, address: string | null): Promise<Attempt> =>
  begin(database, [{ subject: hashedSubject("mail", email), limit: MAIL_LIMIT }, ...from("mail-address", address)]);

/** Forgets the failures of an account: its owner has proved who they are in another way. */
export const forgiveAccount = ({ sql }: Database, email: string): Promise<void> => store.deleteAttempts(sql, accountSubject(email));

const accountSubject = (email: string): string => hashedSubject("account", email);

/** By its hash: what somebody typed may be long, and may be a password. */
const hashedSubject = (kind: string, text: string): string => `${kind}:${createHash("sha256").update(text).digest("hex")}`;

function from(kind: string, address: string | null): Counted[] {
  const network = address === null ? null : networkOf(address);
  return network === null ? [] : [{ subject: `${kind}:${network}`, limit: ADDRESS_LIMIT }];
}

async function begin(database: Database, counted: readonly Counted[], forgottenOnSuccess?: string): Promise<Attempt> {
  const waitMs = await transact(database, async (tx) => {
    const before = await store.lockAttempts(
      tx,
      counted.map(({ subject }) => subject),
    );
    const now = await selectNow(tx);
    const longest = Math.max(0, ...[...before.values()].map((attempts) => waitOf(attempts, now)));
    if (longest > 0) return longest;
    for (const { subject, limit } of counted) await store.saveAttempts(tx, subject, afterFailure(before.get(subject) ?? null, now, limit));
    return 0;
  });
  await store.deleteForgotten(database.sql);
  return { waitMs, succeeded: () => succeed(database, counted, forgottenOnSuccess) };
}

const succeed = (database: Database, counted: readonly Counted[], forgotten?: string): Promise<void> =>
  transact(database, async (tx) => {
    const before = await store.lockAttempts(
      tx,
      counted.map(({ subject }) => subject),
    );
    for (const { subject, limit } of counted) {
      const attempts = before.get(subject);
      if (subject === forgotten) await store.deleteAttempts(tx, subject);
      else if (attempts) await store.saveAttempts(tx, subject, afterSuccess(attempts, limit));
    }
  });
