import { type Database, transact, type Transaction } from "#db/client.ts";
import type { Browser } from "../../model/identity/browser.ts";
import { mayStillInvite } from "./check-links.ts";
import { forgiveAccount } from "./count-attempts.ts";
import type { DeviceOwner } from "../../model/identity/devices.ts";
import { openInvitation } from "./find-invitation.ts";
import { BUSY, hashedInTurn } from "./hash-password.ts";
import { join } from "./join.ts";
import { tokenHash } from "../../model/identity/links.ts";
import { openSession } from "./open-session.ts";
import { passwordProblem } from "../../model/identity/passwords.ts";
import { type InvitationRow, takeInvitation } from "./store/invitations.ts";
import { lockOrganization } from "./store/memberships.ts";
import { insertUser, selectUser } from "./store/users.ts";

/** Uses an invitation, once. It locks the organization, so the check whether its maker may still invite cannot become outdated. */
async function take(tx: Transaction, hash: Buffer, organizationId: string): Promise<InvitationRow | null> {
  await lockOrganization(tx, organizationId);
  const taken = await takeInvitation(tx, hash);
  return taken !== null && (await mayStillInvite(tx, taken)) ? taken : null;
}

/** `problem` is about the password, `refusal` about the link. */
export type Accepted = { sessionId: string; owner: DeviceOwner; project: string | null } | { problem: string } | { refusal: string };

const GONE = "This invitation has expired, has been used or was withdrawn. Ask the person who invited you for a new link.";

/** Creates an account with that password and signs in. */
export async function acceptWithNewAccount(database: Database, token: string, password: string, browser: Browser): Promise<Accepted> {
  const hash = tokenHash(token);
  const invitation = await openInvitation(database.sql, hash);
  if (invitation === null || hash === null) return { refusal: GONE };
  const { email, organizationId, projectSlug: project } = invitation;
  const problem = passwordProblem(password, email);
  if (problem !== null) return { problem };
  const passwordHash = await hashedInTurn(password);
  if (passwordHash === null) return { refusal: BUSY };
  const accepted = await transact(database, async (tx): Promise<Accepted> => {
    const taken = await take(tx, hash, organizationId);
    if (taken === null) return { refusal: GONE };
    const userId = await insertUser(tx, email, passwordHash);
    // The link alone must not open an existing account.
    if (userId === null) throw new HasAccount();
    await join(tx, { userId, email }, taken);
    return { sessionId: await openSession(tx, userId, browser), owner: { userId, passwordHash }, project };
  }).catch((error: unknown): Accepted => {
    if (error instanceof HasAccount) return { refusal: `${email} has an account already. Sign in to accept the invitation.` };
    throw error;
  });
  if ("sessionId" in accepted) await forgiveAccount(database, email);
  return accepted;
}

class HasAccount extends Error {}

/** Accepts with the signed-in account, whatever its address: possession of the link is enough. */
export async function acceptAs(
  database: Database,
  token: string,
  person: { userId: string },
): Promise<{ project: string | null } | { refusal: string }> {
  const hash = tokenHash(token);
  const invitation = await openInvitation(database.sql, hash);
  if (invitation === null || hash === null) return { refusal: GONE };
  const isTaken = await transact(database, async (tx) => {
    const taken = await take(tx, hash, invitation.organizationId);
    const user = await selectUser(tx, person.userId);
    if (taken === null || user === null) return false;
    await join(tx, { userId: user.id, email: user.email }, taken);
    return true;
  });
  return isTaken ? { project: invitation.projectSlug } : { refusal: GONE };
}
