import { type Database, transact, type Transaction } from "../../../db/client.ts";
import { waitInWords } from "../attempts.ts";
import { plainEmail } from "../emails.ts";
import { takeInvitationsTo } from "../store/invitations.ts";
import * as store from "../store/people.ts";
import { type Browser, deleteSession, insertSession } from "../store/sessions.ts";
import { beginSignIn } from "./attempts.ts";
import { isPasswordOf } from "./hashing.ts";
import { join } from "./joining.ts";

export type { Browser } from "../store/sessions.ts";

/** A new session, or in words why there is none. */
export type SignedIn = { sessionId: string } | { refusal: string };

/** The same for an address that nobody has and for a password that is wrong. */
const MISMATCH = "That e-mail address and password do not go together.";
const BUSY = "Very many people sign in at this moment. Try again in a few seconds.";

/** Longer ones nobody has (passwords.ts); they would only be work. */
const LONGEST_PASSWORD = 1000;

/**
 * Signs somebody in with their password. Failures are counted by account and by address, and from some of them on there are waits;
 * neither the words nor the time they take tell whether there is such an account.
 */
export async function signIn(database: Database, credentials: { email: string; password: string }, browser: Browser): Promise<SignedIn> {
  const email = plainEmail(credentials.email).slice(0, 300);
  const attempt = await beginSignIn(database, email, browser.address);
  if (attempt.waitMs > 0) return { refusal: `Too many attempts have failed. Try again in ${waitInWords(attempt.waitMs)}.` };
  const user = await store.selectUserByEmail(database.sql, email);
  const isIt = await isPasswordOf(credentials.password.slice(0, LONGEST_PASSWORD), user?.passwordHash ?? null);
  if (isIt === null) {
    await attempt.succeeded();
    return { refusal: BUSY };
  }
  if (!isIt || user === null) return { refusal: MISMATCH };
  await attempt.succeeded();
  return { sessionId: await insertSession(database.sql, user.id, shortened(browser)) };
}

/** Somebody as a provider knows them. `email` is one that the provider has verified, or null. */
export interface ProviderAccount {
  provider: string;
  providerAccountId: string;
  email: string | null;
}

/** Why a provider's word was not enough. */
export type ProviderRefusal = "no-verified-address" | "not-a-member";

/**
 * Signs in whom a provider vouches for: who has signed in with that account before, who is known by its address, or who is invited by
 * it, and takes part from then on. Nobody else: a provider knows the whole world.
 */
export async function signInByProvider(
  database: Database,
  account: ProviderAccount,
  browser: Browser,
): Promise<{ sessionId: string } | { refusal: ProviderRefusal }> {
  const email = account.email === null ? null : plainEmail(account.email);
  const { provider, providerAccountId } = account;
  const userId = await transact(database, async (tx) => {
    const known = await store.selectUserByAccount(tx, provider, providerAccountId);
    if (known) return known.id;
    if (email === null) return null;
    const found = (await store.selectUserByEmail(tx, email))?.id ?? (await joinInvited(tx, email));
    if (found !== null) await store.insertAccount(tx, provider, providerAccountId, found);
    return found;
  });
  if (userId !== null) return { sessionId: await insertSession(database.sql, userId, shortened(browser)) };
  return { refusal: email === null ? "no-verified-address" : "not-a-member" };
}

async function joinInvited(tx: Transaction, email: string): Promise<string | null> {
  const invitations = await takeInvitationsTo(tx, email);
  if (invitations.length === 0) return null;
  const userId = await store.insertUser(tx, email, null);
  if (userId === null) return null;
  for (const invitation of invitations) await join(tx, { userId, email }, invitation);
  return userId;
}

/** A person who has just proved who they are in another way, such as by the link of an invitation. */
export const openSession = ({ sql }: Database, userId: string, browser: Browser): Promise<string> =>
  insertSession(sql, userId, shortened(browser));

/** Ends a session; the token in the browser is worth nothing from then on. */
export async function signOut({ sql }: Database, sessionId: string): Promise<void> {
  await deleteSession(sql, sessionId);
}

const shortened = ({ address, userAgent }: Browser): Browser => ({
  address: address?.slice(0, 64) ?? null,
  userAgent: userAgent?.slice(0, 400) ?? null,
});
