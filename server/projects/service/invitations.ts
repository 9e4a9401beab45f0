import { randomBytes } from "node:crypto";
import { type Database, type Sql, transact, type Transaction } from "../../../db/client.ts";
import type { Role } from "../../kernel/roles.ts";
import type { DeviceOwner } from "../devices.ts";
import { TOKEN_BYTES, tokenHash, writeToken } from "../links.ts";
import { passwordProblem } from "../passwords.ts";
import * as store from "../store/invitations.ts";
import { insertUser, lockOrganization, selectUser, selectUserByEmail } from "../store/people.ts";
import { forgiveAccount } from "./attempts.ts";
import { BUSY, hashedInTurn } from "./hashing.ts";
import { join } from "./joining.ts";
import { mayStillInvite } from "./open-links.ts";
import { type Browser, openSession } from "./sign-in.ts";

/** What the page of an invitation's link shows. */
export interface InvitationView {
  email: string;
  role: Role;
  invitedBy: string;
  organization: string;
  /** The project it is to; null where it is to all of the organization's. */
  project: string | null;
  /** Whether its address has an account: then they sign in, and no new one is made. */
  hasAccount: boolean;
}

/** The invitation of a link; null for one that has expired, been used, been withdrawn or become void. */
export async function invitationOf({ sql }: Database, token: string): Promise<InvitationView | null> {
  const found = await open(sql, tokenHash(token));
  if (found === null) return null;
  const hasAccount = (await selectUserByEmail(sql, found.email)) !== null;
  const { email, role, invitedBy, organizationName, projectId, projectName } = found;
  return { email, role, invitedBy, organization: organizationName, project: projectId === null ? null : projectName, hasAccount };
}

async function open(sql: Sql, hash: Buffer | null): Promise<store.OpenInvitation | null> {
  const found = hash === null ? null : await store.selectOpenInvitation(sql, hash);
  return found !== null && (await mayStillInvite(sql, found)) ? found : null;
}

/** Takes an invitation, once, with its organization held: whether its maker may still invite is judged as of this moment. */
async function take(tx: Transaction, hash: Buffer, organizationId: string): Promise<store.InvitationRow | null> {
  await lockOrganization(tx, organizationId);
  const taken = await store.takeInvitation(tx, hash);
  return taken !== null && (await mayStillInvite(tx, taken)) ? taken : null;
}

/** What came of accepting; `problem` is about the password, `refusal` about the link. */
export type Accepted = { sessionId: string; owner: DeviceOwner; project: string | null } | { problem: string } | { refusal: string };

const GONE = "This invitation has expired, has been used or was withdrawn. Ask whoever invited you for a new link.";

/** Makes an account with that password, and signs in with it. */
export async function acceptWithNewAccount(database: Database, token: string, password: string, browser: Browser): Promise<Accepted> {
  const hash = tokenHash(token);
  const invitation = await open(database.sql, hash);
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
    // The link alone does not let anybody into an account that is there.
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

/** Takes part with the account that somebody is signed in with, whatever its address: the link was theirs to open. */
export async function acceptAs(
  database: Database,
  token: string,
  person: { userId: string },
): Promise<{ project: string | null } | { refusal: string }> {
  const hash = tokenHash(token);
  const invitation = await open(database.sql, hash);
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

/** A new link for an address; what stands in it is kept as a hash alone. */
export function newToken(): { token: string; hash: Buffer } {
  const token = writeToken(randomBytes(TOKEN_BYTES));
  return { token, hash: tokenHash(token)! };
}
