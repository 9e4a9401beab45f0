import { createHash } from "node:crypto";
import { type Database, selectNow, type Sql, transact } from "#db/client.ts";
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  afterFailure,
  afterTakingBack,
  type Limit,
  MAIL_LIMIT,
  ORGANIZATION_MAIL_LIMIT,
  waitOf,
} from "../../model/identity/attempts.ts";
import { networkOf } from "../../model/identity/browser.ts";
import { deleteAttempts, deleteForgotten, keepLastAttempts, lockSubjects, saveAttempts, selectSignInAttempts } from "./store/attempts.ts";

interface Counted {
  subject: string;
  limit: Limit;
}

/** An attempt in progress. It counts as failed until one of these is called. */
export interface SignInAttempt {
  /** Milliseconds until another attempt is allowed. If not 0, nothing was counted and nothing may be tried. */
  waitMs: number;
  /** Takes the attempt back and forgets earlier failures. */
  succeeded(): Promise<void>;
  /** Takes the attempt back, because it was not checked. */
  withdrawn(): Promise<void>;
}

/**
 * Begins a sign-in to an account from an address (null if unknown). In a browser that has signed in to it before (`device`), only that
 * browser's failures count, so attackers elsewhere or at the same address cannot lock the owner out.
 */
export const beginSignIn = (
  database: Database,
  email: string,
  address: string | null,
  device: string | null = null,
): Promise<SignInAttempt> =>
  device === null
    ? begin(database, [{ subject: accountSubject(email), limit: ACCOUNT_LIMIT }, ...from("address", address)], accountSubject(email))
    : begin(database, [{ subject: deviceSubject(email, device), limit: ACCOUNT_LIMIT }], deviceSubject(email, device));

/** Counts a mail that can be requested without signing in. It is never taken back. */
export const beginMail = (database: Database, email: string, address: string | null): Promise<SignInAttempt> =>
  begin(database, [{ subject: hashedSubject("mail", email), limit: MAIL_LIMIT }, ...from("mail-address", address)]);

/** Counts a mail that a member of an organization requests. It is never taken back. */
export const beginMemberMail = (database: Database, email: string, organizationId: string): Promise<SignInAttempt> =>
  begin(database, [
    { subject: hashedSubject("member-mail", email), limit: MAIL_LIMIT },
    { subject: `organization-mail:${organizationId}`, limit: ORGANIZATION_MAIL_LIMIT },
  ]);

/** Forgets the failures of an account, once its owner has proved their identity in another way. */
export const forgiveAccount = ({ sql }: Database, email: string): Promise<void> => deleteAttempts(sql, accountSubject(email));

const accountSubject = (email: string): string => hashedSubject("account", email);
const deviceSubject = (email: string, device: string): string => hashedSubject("device", `${device} ${email}`);

/** Hashed, since the typed text may be long and may be a password. */
const hashedSubject = (kind: string, text: string): string => `${kind}:${createHash("sha256").update(text).digest("hex")}`;

function from(kind: string, address: string | null): Counted[] {
  const network = address === null ? null : networkOf(address);
  return network === null ? [] : [{ subject: `${kind}:${network}`, limit: ADDRESS_LIMIT }];
}

async function begin(database: Database, counted: readonly Counted[], forgottenOnSuccess?: string): Promise<SignInAttempt> {
  const waitMs = (await waitFor(database.sql, counted)) || (await count(database, counted));
  if (waitMs === 0) await forget(database.sql);
  return { waitMs, succeeded: () => takeBack(database, counted, forgottenOnSuccess), withdrawn: () => takeBack(database, counted) };
}

/** Milliseconds to wait. Read-only, so that a refused attempt writes and locks nothing. */
async function waitFor(sql: Sql, counted: readonly Counted[]): Promise<number> {
  const before = await selectSignInAttempts(
    sql,
    counted.map(({ subject }) => subject),
  );
  if (before.size === 0) return 0;
  const now = await selectNow(sql);
  return Math.max(...[...before.values()].map((attempts) => waitOf(attempts, now)));
}

/** Counts an attempt as failed. If concurrent attempts have used up the limit, returns the milliseconds to wait and counts nothing. */
const count = (database: Database, counted: readonly Counted[]): Promise<number> =>
  transact(database, async (tx) => {
    const subjects = counted.map(({ subject }) => subject);
    await lockSubjects(tx, subjects);
    const before = await selectSignInAttempts(tx, subjects);
    const now = await selectNow(tx);
    const waitMs = Math.max(0, ...[...before.values()].map((attempts) => waitOf(attempts, now)));
    if (waitMs > 0) return waitMs;
    for (const { subject, limit } of counted) await saveAttempts(tx, subject, afterFailure(before.get(subject) ?? null, now, limit));
    return 0;
  });

const takeBack = (database: Database, counted: readonly Counted[], forgotten?: string): Promise<void> =>
  transact(database, async (tx) => {
    const subjects = counted.map(({ subject }) => subject);
    await lockSubjects(tx, subjects);
    for (const [subject, attempts] of await selectSignInAttempts(tx, subjects)) {
      const { limit } = counted.find((one) => one.subject === subject)!;
      const after = afterTakingBack(attempts, limit);
      if (subject === forgotten || after.failures === 0) await deleteAttempts(tx, subject);
      else await saveAttempts(tx, subject, after);
    }
  });

/** It takes one process hours of hashing to reach this many subjects. Keeps the table at tens of megabytes. */
const MAX_SUBJECTS = 100_000;
/** Finding the oldest ones takes ten milliseconds, so the table is not trimmed every time. */
const TRIM_EVERY = 64;

let begun = 0;

async function forget(sql: Sql): Promise<void> {
  await deleteForgotten(sql);
  if (begun++ % TRIM_EVERY === 0) await keepLastAttempts(sql, MAX_SUBJECTS);
}
