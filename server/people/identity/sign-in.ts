import { type Database, transact, type Transaction } from "#db/client.ts";
import { waitInWords } from "../../model/identity/attempts.ts";
import { type Browser, shortened } from "../../model/identity/browser.ts";
import { beginSignIn } from "./count-attempts.ts";
import type { DeviceOwner } from "../../model/identity/devices.ts";
import { emailProblem, plainEmail } from "../../model/identity/mails.ts";
import { BUSY, isPasswordOf } from "./hash-password.ts";
import { NOBODYS } from "../../model/identity/passwords.ts";
import { insertSessionByPassword } from "./store/sessions.ts";
import { hasOtherAccount, insertAccount, insertUser, lockPerson, selectUserByAccount, selectUserByEmail } from "./store/users.ts";
import type { Role } from "../../model/kernel/roles.ts";
import { ensureOrganization } from "../projects/projects.ts";
import { mayStillInvite } from "./links.ts";
import { join } from "./invite.ts";
import { openSession } from "./sessions.ts";
import { MAX_MEMBERSHIPS } from "../../model/identity/scoped-role.ts";
import { countPeople, type InvitationRow, selectOrganizationsInviting, takeInvitationsTo } from "./store/invitations.ts";
import { lockOrganization } from "./store/memberships.ts";
import { endImpostors } from "./change-password.ts";

/** A new session with its owner, for the device cookie; or the refusal in words. */
export type SignedIn = { sessionId: string; owner: DeviceOwner } | { refusal: string };

/** The same for an unknown address and a wrong password. */
const MISMATCH = "Wrong email or password.";

/** No password is longer (passwords.ts): hashing a longer one would be wasted work. */
const MAX_PASSWORD_LENGTH = 1000;

/** Stands in for an unknown person, so that checking the device cookie takes as long. */
const NOBODY: DeviceOwner = { userId: "00000000-0000-0000-0000-000000000000", passwordHash: NOBODYS };

/**
 * Signs in with a password. Failures are counted by account and by address, and too many cause waits; neither message nor timing reveals
 * whether the account exists. `knownDevice` finds the cookie of a browser that has signed in to it before: then only its failures count.
 */
export async function signIn(
  database: Database,
  credentials: { email: string; password: string },
  browser: Browser,
  knownDevice: (owner: DeviceOwner) => string | null = () => null,
): Promise<SignedIn> {
  const email = plainEmail(credentials.email).slice(0, 300);
  const user = emailProblem(email) === null ? await selectUserByEmail(database.sql, email) : null;
  const owner = user?.passwordHash == null ? null : { userId: user.id, passwordHash: user.passwordHash };
  const device = knownDevice(owner ?? NOBODY);
  const attempt = await beginSignIn(database, email, browser.address, device);
  if (attempt.waitMs > 0) return { refusal: `Too many attempts have failed. Try again in ${waitInWords(attempt.waitMs)}.` };
  const password = credentials.password.slice(0, MAX_PASSWORD_LENGTH);
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

/** A provider's account. `email` is verified by the provider, or null. */
export interface ProviderAccount {
  provider: string;
  providerAccountId: string;
  email: string | null;
}

/** Why a sign-in by a provider was refused. */
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
    return { sessionId: await openSession(tx, person.id, browser) };
  });
}

type Person = { id: string; email: string };

/** The person with that address, joining now if they may; null if there is none. */
async function findOrJoin(tx: Transaction, email: string, joining: DomainJoining | null): Promise<Person | "no-room" | null> {
  const user = await selectUserByEmail(tx, email);
  if (user !== null) return user;
  const id = await joinInvited(tx, email);
  if (id !== null) return { id, email };
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

async function joinInvited(tx: Transaction, email: string): Promise<string | null> {
  const organizationIds = await selectOrganizationsInviting(tx, email);
  for (const organizationId of organizationIds) await lockOrganization(tx, organizationId);
  const invitations: InvitationRow[] = [];
  for (const taken of await takeInvitationsTo(tx, email, organizationIds)) if (await mayStillInvite(tx, taken)) invitations.push(taken);
  if (invitations.length === 0) return null;
  const userId = await insertUser(tx, email, null);
  if (userId === null) return null;
  for (const invitation of invitations) await join(tx, { userId, email }, invitation);
  return userId;
}
