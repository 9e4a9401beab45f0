import { randomBytes } from "node:crypto";
import { type Database, transact } from "../../../db/client.ts";
import type { Role } from "../../kernel/roles.ts";
import { TOKEN_BYTES, tokenHash, writeToken } from "../links.ts";
import { passwordProblem } from "../passwords.ts";
import * as store from "../store/invitations.ts";
import { insertUser, selectUser, selectUserByEmail } from "../store/people.ts";
import { forgiveAccount } from "./attempts.ts";
import { hashed } from "./hashing.ts";
import { join } from "./joining.ts";
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

/** The invitation of a link; null for one that has expired, been used or been withdrawn. */
export async function invitationOf({ sql }: Database, token: string): Promise<InvitationView | null> {
  const found = await open(sql, token);
  if (found === null) return null;
  const hasAccount = (await selectUserByEmail(sql, found.email)) !== null;
  const { email, role, invitedBy, organizationName, projectId, projectName } = found;
  return { email, role, invitedBy, organization: organizationName, project: projectId === null ? null : projectName, hasAccount };
}

const open = async (sql: Database["sql"], token: string): Promise<store.OpenInvitation | null> => {
  const hash = tokenHash(token);
  return hash === null ? null : store.selectOpenInvitation(sql, hash);
};

/** What came of accepting; `problem` is about the password, `refusal` about the link. */
export type Accepted = { sessionId: string; project: string | null } | { problem: string } | { refusal: string };

const GONE = "This invitation has expired, has been used or was withdrawn. Ask whoever invited you for a new link.";

/** Makes an account with that password, and signs in with it. */
export async function acceptWithNewAccount(database: Database, token: string, password: string, browser: Browser): Promise<Accepted> {
  const invitation = await open(database.sql, token);
  const hash = tokenHash(token);
  if (invitation === null || hash === null) return { refusal: GONE };
  const problem = passwordProblem(password, invitation.email);
  if (problem !== null) return { problem };
  const passwordHash = await hashed(password);
  const userId = await transact(database, async (tx) => {
    const taken = await store.takeInvitation(tx, hash);
    if (taken === null) return null;
    const created = await insertUser(tx, taken.email, passwordHash);
    // The link alone does not let anybody into an account that is there.
    if (created === null) throw new HasAccount();
    await join(tx, { userId: created, email: taken.email }, taken);
    return created;
  }).catch((error: unknown) => {
    if (error instanceof HasAccount) return "has-account" as const;
    throw error;
  });
  if (userId === "has-account") return { refusal: `${invitation.email} has an account already. Sign in to accept the invitation.` };
  if (userId === null) return { refusal: GONE };
  await forgiveAccount(database, invitation.email);
  return { sessionId: await openSession(database, userId, browser), project: invitation.projectSlug };
}

class HasAccount extends Error {}

/** Takes part with the account that somebody is signed in with, whatever its address: the link was theirs to open. */
export async function acceptAs(
  database: Database,
  token: string,
  person: { userId: string },
): Promise<{ project: string | null } | { refusal: string }> {
  const invitation = await open(database.sql, token);
  const hash = tokenHash(token);
  if (invitation === null || hash === null) return { refusal: GONE };
  const isTaken = await transact(database, async (tx) => {
    const taken = await store.takeInvitation(tx, hash);
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
