import { type Database, selectNow, transact, type Transaction } from "#db/client.ts";
import { waitInWords } from "../../model/identity/attempts.ts";
import { type Browser, shortBrowser } from "../../model/identity/browser.ts";
import { beginSignIn } from "./count-attempts.ts";
import type { DeviceOwner } from "../../model/identity/devices.ts";
import { emailProblem, plainEmail } from "../../model/identity/mails.ts";
import { BUSY, isPasswordOf } from "./hash-password.ts";
import { UNMATCHABLE_HASH } from "../../model/identity/passwords.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { codeProblem, recordRecoveryCode, takeCode } from "./second-factor.ts";
import { insertDevice, selectFactor, useDevice } from "./store/second-factors.ts";
import {
  hasOtherAccount,
  holdPassword,
  insertAccount,
  insertUser,
  lockPerson,
  selectUser,
  selectUserByAccount,
  selectUserByEmail,
} from "./store/users.ts";
import type { Role } from "../../model/kernel/environment.ts";
import { ensureOrganization } from "../projects/projects.ts";
import { mayStillInvite } from "./links.ts";
import { join } from "./invite.ts";
import { openSession } from "./sessions.ts";
import { MAX_MEMBERSHIPS } from "../../model/identity/scoped-role.ts";
import { countPeople, type InvitationRow, selectOrganizationsInviting, takeInvitationsTo } from "./store/invitations.ts";
import { lockOrganization } from "./store/memberships.ts";
import { endImpostors } from "./change-password.ts";

/** A new session with its owner, for the device cookie; the owner whose code is required; or the refusal in words. */
export type SignedIn = { sessionId: string; owner: DeviceOwner } | { secondStep: DeviceOwner } | { refusal: string };

/** The same for an unknown address and a wrong password. */
const MISMATCH = "Wrong email or password.";

/** No password is longer (passwords.ts): hashing a longer one would be wasted work. */
const MAX_PASSWORD_LENGTH = 1000;

/** Stands in for an unknown person, so that checking the device cookie takes as long. */
const UNKNOWN_OWNER: DeviceOwner = { userId: "00000000-0000-0000-0000-000000000000", passwordHash: UNMATCHABLE_HASH };

/**
 * Signs in with a password. Failures are counted by account and by address, and too many cause waits; neither message nor timing reveals
 * whether the account exists. `knownDevice` finds the cookie of a browser that has signed in to it before: then only its failures count.
 * `remembered`: the hashed tokens of a browser that may need no code.
 */
export async function signIn(
  database: Database,
  credentials: { email: string; password: string },
  browser: Browser,
  knownDevice: KnownDevice = () => null,
  remembered: readonly Buffer[] = [],
): Promise<SignedIn> {
  const email = plainEmail(credentials.email).slice(0, 300);
  const user = emailProblem(email) === null ? await selectUserByEmail(database.sql, email) : null;
  const owner = user?.passwordHash == null ? null : { userId: user.id, passwordHash: user.passwordHash };
  const device = knownDevice(owner ?? UNKNOWN_OWNER);
  const attempt = await beginSignIn(database, email, browser.address, device);
  if (attempt.waitMs > 0) return tooMany(attempt.waitMs);
  const password = credentials.password.slice(0, MAX_PASSWORD_LENGTH);
  const isIt = await isPasswordOf(password, owner?.passwordHash ?? null, device !== null);
  if (isIt === null) {
    await attempt.withdrawn();
    return { refusal: BUSY };
  }
  const opened = isIt && owner !== null ? await openByPassword(database, owner, browser, remembered) : null;
  if (opened === null || owner === null) return { refusal: MISMATCH };
  if ("secondStep" in opened) {
    // Earlier failures stay: otherwise the password alone would give any number of guesses at the code.
    await attempt.withdrawn();
    return opened;
  }
  await attempt.succeeded();
  return opened;
}

type KnownDevice = (owner: DeviceOwner) => string | null;

const tooMany = (waitMs: number) => ({ refusal: `Too many attempts have failed. Try again in ${waitInWords(waitMs)}.` });

/** A session for a person who gave that password, or whose code is required; null if the password has changed. */
const openByPassword = (
  database: Database,
  owner: DeviceOwner,
  browser: Browser,
  remembered: readonly Buffer[],
): Promise<Exclude<SignedIn, { refusal: string }> | null> =>
  transact(database, async (tx) => {
    if (!(await holdPassword(tx, owner))) return null;
    const hasFactor = (await selectFactor(tx, owner.userId))?.confirmedAt != null;
    if (hasFactor && !(await useDevice(tx, owner.userId, remembered))) return { secondStep: owner };
    return { sessionId: await openSession(tx, owner.userId, browser), owner };
  });

interface SecondStep {
  code: string;
  /** The hash of a token by which this browser is remembered; null if it is not to be. */
  remember: Buffer | null;
}

/**
 * The second step of a sign-in: a code of the app, or a recovery code. `isTicketOf` checks that the first step succeeded for a person and
 * their password. Failures count like those of passwords.
 */
export async function signInByCode(
  database: Database,
  cipher: SecretCipher,
  { userId, isTicketOf }: { userId: string; isTicketOf(owner: DeviceOwner, now: number): boolean },
  { code, remember }: SecondStep,
  browser: Browser,
  knownDevice: KnownDevice = () => null,
): Promise<Exclude<SignedIn, { secondStep: DeviceOwner }>> {
  const user = await selectUser(database.sql, userId);
  const now = await selectNow(database.sql);
  const owner = user?.passwordHash == null ? null : { userId, passwordHash: user.passwordHash };
  if (user === null || owner === null || !isTicketOf(owner, now)) return OUTDATED;
  const attempt = await beginSignIn(database, user.email, browser.address, knownDevice(owner));
  if (attempt.waitMs > 0) return tooMany(attempt.waitMs);
  const done = await transact(database, async (tx) => {
    if (!(await holdPassword(tx, owner))) return OUTDATED;
    const taken = await takeCode(tx, cipher, userId, code, now);
    if (taken === "wrong" || taken === "unreadable") return { refusal: codeProblem(taken) };
    if (taken === "recovery") await recordRecoveryCode(tx, { userId, email: user.email });
    if (remember !== null) await insertDevice(tx, userId, remember, shortBrowser(browser));
    return { sessionId: await openSession(tx, userId, browser), owner };
  });
  if ("sessionId" in done) await attempt.succeeded();
  return done;
}

const OUTDATED = { refusal: "This took too long, or your password has changed. Sign in again." };

/** A provider's account. `email` is verified by the provider, or null. */
export interface ProviderAccount {
  provider: string;
  providerAccountId: string;
  email: string | null;
}

export type ProviderRefusal = "no-verified-address" | "not-a-member" | "another-account" | "no-room";

/** People with a verified address of these domains become members of the first organization. */
export interface DomainJoining {
  /** In lower case. */
  domains: readonly string[];
  role: Role;
}

/**
 * Signs in by a provider's account: one that has signed in before, or one whose address belongs to a member, is invited (the person joins)
 * or is in a domain of `joining`. Everyone else is refused, since anyone can have an account at a provider. An address that another account
 * of the provider has signed in with is refused, since it may have a new owner. A password that others may know is deleted, with the
 * sessions and tokens obtained by it: the inviter may have joined in the person's place, and the maker of a link may have opened it.
 */
export async function signInByProvider(
  database: Database,
  account: ProviderAccount,
  browser: Browser,
  joining: DomainJoining | null = null,
): Promise<{ sessionId: string } | { refusal: ProviderRefusal }> {
  const { provider, providerAccountId } = account;
  const email = account.email === null ? null : plainEmail(account.email);
  return transact(database, async (tx): Promise<{ sessionId: string } | { refusal: ProviderRefusal }> => {
    const known = await selectUserByAccount(tx, provider, providerAccountId);
    if (known === null && email === null) return { refusal: "no-verified-address" };
    const person = known ?? (emailProblem(email!) === null ? await findOrJoin(tx, email!, joining) : null);
    if (person === "no-room") return { refusal: person };
    if (person === null || !(await lockPerson(tx, person.id))) return { refusal: "not-a-member" };
    if (known === null && (await hasOtherAccount(tx, person.id, account))) return { refusal: "another-account" };
    await endImpostors(tx, { userId: person.id, email: person.email });
    await insertAccount(tx, provider, providerAccountId, person.id);
    return { sessionId: await openSession(tx, person.id, browser, true) };
  });
}

type Person = { id: string; email: string };

/** The person with that address, joining now if they may; null if there is none. */
async function findOrJoin(tx: Transaction, email: string, joining: DomainJoining | null): Promise<Person | "no-room" | null> {
  const user = await selectUserByEmail(tx, email);
  if (user !== null) return user;
  const joined = await joinInvited(tx, email);
  if (joined !== null) return joined;
  return joining?.domains.includes(email.slice(email.lastIndexOf("@") + 1)) ? joinByDomain(tx, email, joining.role) : null;
}

async function joinByDomain(tx: Transaction, email: string, role: Role): Promise<Person | "no-room" | null> {
  const { id: organizationId } = await ensureOrganization(tx);
  await lockOrganization(tx, organizationId);
  const { memberships, invitations } = await countPeople(tx, organizationId);
  if (memberships + invitations >= MAX_MEMBERSHIPS) return "no-room";
  const userId = await insertUser(tx, email, null);
  // A concurrent sign-in has created the person.
  if (userId === null) return selectUserByEmail(tx, email);
  await join(tx, { userId, email }, { organizationId, projectId: null, role, liveRole: null });
  return { id: userId, email };
}

async function joinInvited(tx: Transaction, email: string): Promise<Person | null> {
  const organizationIds = await selectOrganizationsInviting(tx, email);
  for (const organizationId of organizationIds) await lockOrganization(tx, organizationId);
  // While this waited for the locks, a concurrent sign-in or acceptance may have created the person.
  const user = await selectUserByEmail(tx, email);
  if (user !== null) return user;
  const invitations: InvitationRow[] = [];
  for (const taken of await takeInvitationsTo(tx, email, organizationIds)) if (await mayStillInvite(tx, taken)) invitations.push(taken);
  if (invitations.length === 0) return null;
  const userId = await insertUser(tx, email, null);
  if (userId === null) return null;
  for (const invitation of invitations) await join(tx, { userId, email }, invitation);
  return { id: userId, email };
}
