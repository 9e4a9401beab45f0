import { type Database, type Sql, transact, type Transaction } from "../../../db/client.ts";
import { waitInWords } from "../attempts.ts";
import type { DeviceOwner } from "../devices.ts";
import { emailProblem, plainEmail } from "../emails.ts";
import { NOBODYS } from "../passwords.ts";
import { type InvitationRow, selectOrganizationsInviting, takeInvitationsTo } from "../store/invitations.ts";
import * as store from "../store/people.ts";
import { deleteResetsOf } from "../store/resets.ts";
import { type Browser, deleteSession, deleteSessionsOf, insertSession, insertSessionByPassword } from "../store/sessions.ts";
import { beginSignIn } from "./attempts.ts";
import { BUSY, isPasswordOf } from "./hashing.ts";
import { join, recordAboutPerson } from "./joining.ts";
import { mayStillInvite } from "./open-links.ts";

export type { Browser } from "../store/sessions.ts";

/** A new session and whose it is, for their browser to remember; or in words why there is none. */
export type SignedIn = { sessionId: string; owner: DeviceOwner } | { refusal: string };

/** The same for an address that nobody has and for a password that is wrong. */
const MISMATCH = "That e-mail address and password do not go together.";

/** Longer ones nobody has (passwords.ts); they would only be work. */
const LONGEST_PASSWORD = 1000;

/** Stands for who is not there: their mark is looked for as long as anybody's. */
const NOBODY: DeviceOwner = { userId: "00000000-0000-0000-0000-000000000000", passwordHash: NOBODYS };

/**
 * Signs somebody in with their password. Failures are counted by account and by address, and from some of them on there are waits;
 * neither the words nor the time they take tell whether there is such an account. `knownDevice` says by which mark the browser has
 * signed in to it before: then its own failures count alone.
 */
export async function signIn(
  database: Database,
  credentials: { email: string; password: string },
  browser: Browser,
  knownDevice: (owner: DeviceOwner) => string | null = () => null,
): Promise<SignedIn> {
  const email = plainEmail(credentials.email).slice(0, 300);
  const user = emailProblem(email) === null ? await store.selectUserByEmail(database.sql, email) : null;
  const owner = user?.passwordHash == null ? null : { userId: user.id, passwordHash: user.passwordHash };
  const device = knownDevice(owner ?? NOBODY);
  const attempt = await beginSignIn(database, email, browser.address, device);
  if (attempt.waitMs > 0) return { refusal: `Too many attempts have failed. Try again in ${waitInWords(attempt.waitMs)}.` };
  const password = credentials.password.slice(0, LONGEST_PASSWORD);
  const isIt = await isPasswordOf(password, owner?.passwordHash ?? null, device !== null);
  if (isIt === null) {
    await attempt.withdrawn();
    return { refusal: BUSY };
  }
  const sessionId = isIt && owner !== null ? await insertSessionByPassword(database.sql, owner, shortened(browser)) : null;
  if (sessionId === null || owner === null) return { refusal: MISMATCH };
  await attempt.succeeded();
  return { sessionId, owner };
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
 * it, and takes part from then on. Nobody else: a provider knows the whole world. From the first time on a password is gone that
 * others than its owner may know, and the sessions that it has opened: whoever invited somebody may have joined in their place.
 */
export async function signInByProvider(
  database: Database,
  account: ProviderAccount,
  browser: Browser,
): Promise<{ sessionId: string } | { refusal: ProviderRefusal }> {
  const email = account.email === null ? null : plainEmail(account.email);
  const { provider, providerAccountId } = account;
  const sessionId = await transact(database, async (tx) => {
    const known = await store.selectUserByAccount(tx, provider, providerAccountId);
    const userId = known?.id ?? (email === null || emailProblem(email) !== null ? null : await firstTime(tx, email));
    if (userId === null || !(await store.lockPerson(tx, userId))) return null;
    await store.insertAccount(tx, provider, providerAccountId, userId);
    return openSession(tx, userId, browser);
  });
  return sessionId !== null ? { sessionId } : { refusal: email === null ? "no-verified-address" : "not-a-member" };
}

/** Who has that address, or is invited by it; null for nobody. */
async function firstTime(tx: Transaction, email: string): Promise<string | null> {
  const user = await store.selectUserByEmail(tx, email);
  if (user === null) return joinInvited(tx, email);
  await store.lockPerson(tx, user.id);
  if (await store.dropUnconfirmedPassword(tx, user.id)) {
    await deleteSessionsOf(tx, user.id);
    await deleteResetsOf(tx, user.id);
    const actor = { userId: user.id, name: email };
    await recordAboutPerson(tx, user.id, { actor, action: "drop_password", subjectKey: email, difference: null });
  }
  return user.id;
}

async function joinInvited(tx: Transaction, email: string): Promise<string | null> {
  const organizationIds = await selectOrganizationsInviting(tx, email);
  for (const organizationId of organizationIds) await store.lockOrganization(tx, organizationId);
  const invitations: InvitationRow[] = [];
  for (const taken of await takeInvitationsTo(tx, email, organizationIds)) if (await mayStillInvite(tx, taken)) invitations.push(taken);
  if (invitations.length === 0) return null;
  const userId = await store.insertUser(tx, email, null);
  if (userId === null) return null;
  for (const invitation of invitations) await join(tx, { userId, email }, invitation);
  return userId;
}

/** A person who has just proved who they are in another way, such as by the link of an invitation. */
export const openSession = (sql: Sql, userId: string, browser: Browser): Promise<string> => insertSession(sql, userId, shortened(browser));

/** Ends a session; the token in the browser is worth nothing from then on. */
export async function signOut({ sql }: Database, sessionId: string): Promise<void> {
  await deleteSession(sql, sessionId);
}

const shortened = ({ address, userAgent }: Browser): Browser => ({
  address: address?.slice(0, 64) ?? null,
  userAgent: userAgent?.slice(0, 400) ?? null,
});
