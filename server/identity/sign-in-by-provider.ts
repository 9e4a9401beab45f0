import { type Database, transact, type Transaction } from "../../db/client.ts";
import type { Browser } from "./browser.ts";
import { mayStillInvite } from "./check-links.ts";
import { emailProblem, plainEmail } from "./emails.ts";
import { join } from "./join.ts";
import { openSession } from "./open-session.ts";
import { type InvitationRow, selectOrganizationsInviting, takeInvitationsTo } from "./store/invitations.ts";
import { lockOrganization } from "./store/memberships.ts";
import { endImpostors } from "./end-impostors.ts";
import { insertAccount, insertUser, lockPerson, selectUserByAccount, selectUserByEmail } from "./store/users.ts";

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
 * others than its owner may know, and the sessions and tokens that were had by it: whoever invited somebody may have joined in their
 * place, and whoever made them a link may have opened it.
 */
export async function signInByProvider(
  database: Database,
  account: ProviderAccount,
  browser: Browser,
): Promise<{ sessionId: string } | { refusal: ProviderRefusal }> {
  const email = account.email === null ? null : plainEmail(account.email);
  const { provider, providerAccountId } = account;
  const sessionId = await transact(database, async (tx) => {
    const known = await selectUserByAccount(tx, provider, providerAccountId);
    const userId = known?.id ?? (email === null || emailProblem(email) !== null ? null : await firstTime(tx, email));
    if (userId === null || !(await lockPerson(tx, userId))) return null;
    if (known !== null) await endImpostors(tx, { userId, email: known.email });
    await insertAccount(tx, provider, providerAccountId, userId);
    return openSession(tx, userId, browser);
  });
  return sessionId !== null ? { sessionId } : { refusal: email === null ? "no-verified-address" : "not-a-member" };
}

/** The person with that address, or invited by it; null for neither. */
async function firstTime(tx: Transaction, email: string): Promise<string | null> {
  const user = await selectUserByEmail(tx, email);
  if (user === null) return joinInvited(tx, email);
  await lockPerson(tx, user.id);
  await endImpostors(tx, { userId: user.id, email });
  return user.id;
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
