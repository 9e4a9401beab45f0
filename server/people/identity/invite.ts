import microdiff from "microdiff";
import { type Database, type Sql, transact, type Transaction } from "#db/client.ts";
import { type InProject, isAtLeast, type Role, rolesByEnvironment, type RoleWithLive, withLive } from "../../model/kernel/environment.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { emailProblem, INVITATION_MS, plainEmail, tokenHash } from "../../model/identity/mails.ts";
import { created, lockScopedRoles, recordAboutMember, recordMemberChange, requireGrant } from "./member-changes.ts";
import { makeLinkToken, mayStillInvite } from "./links.ts";
import { MAX_MEMBERSHIPS, rolesIn, type ScopedRole } from "../../model/identity/scoped-role.ts";
import {
  countPeople,
  deleteInvitation,
  deleteInvitationFor,
  type InvitationRow,
  type OpenInvitation,
  selectInvitation,
  selectInvitationFor,
  selectOpenInvitation,
  takeInvitation,
  upsertInvitation,
} from "./store/invitations.ts";
import { lockOrganization, selectName, selectScopedRoles, upsertMembership } from "./store/memberships.ts";
import { deleteResetsOf } from "./store/resets.ts";
import { insertUser, lockPerson, selectUser, selectUserByEmail } from "./store/users.ts";
import type { Browser } from "../../model/identity/browser.ts";
import { forgiveAccount } from "./count-attempts.ts";
import type { DeviceOwner } from "../../model/identity/devices.ts";
import { BUSY, hashedInTurn } from "./hash-password.ts";
import { openSession } from "./sessions.ts";
import { passwordProblem } from "../../model/identity/passwords.ts";

export interface WantedRole {
  email: string;
  role: Role;
  /** A lower role in Live; left out or null: the same. */
  liveRole?: Role | null | undefined;
  /** The whole organization, or this project alone. */
  scope: "organization" | "project";
}

/** The person a link is for, and what it opens. */
export interface Invitee extends RoleWithLive {
  email: string;
  /** The name of the project, or of the organization. */
  to: string;
}

export type Invited = ({ token: string } & Invitee) | { problems: FieldProblem[] };

/** Invites an address, or renews its invitation with a new link. Throws OperatorError if the caller may not. */
export async function invite(database: Database, where: InProject, wanted: WantedRole): Promise<Invited> {
  const email = plainEmail(wanted.email);
  const problem = emailProblem(email);
  if (problem !== null) return { problems: [{ pointer: "#/email", message: problem }] };
  const { organizationId, projectId } = where.project;
  const roles = withLive(wanted.role, wanted.liveRole ?? null);
  const scopedRole: ScopedRole = { projectId: wanted.scope === "organization" ? null : projectId, ...roles };
  return transact(database, async (tx): Promise<Invited> => {
    const own = await lockScopedRoles(tx, where);
    requireGrant(own, scopedRole);
    const before = await selectInvitationFor(tx, organizationId, scopedRole.projectId, email);
    if (before) requireGrant(own, before);
    else await requireQuota(tx, organizationId);
    const user = await selectUserByEmail(tx, email);
    const current = user ? rolesIn(await selectScopedRoles(tx, user.id, organizationId), scopedRole.projectId) : null;
    if (current !== null && isAtLeast(current.sandbox, roles.role) && isAtLeast(current.live, roles.liveRole ?? roles.role)) {
      const message = `${email} is already a member, with the ${current.sandbox} role. Change it in the list.`;
      return { problems: [{ pointer: "#/email", message }] };
    }
    const { token, hash } = makeLinkToken();
    await upsertInvitation(tx, {
      ...scopedRole,
      organizationId,
      email,
      invitedBy: { userId: where.person.userId, name: where.actor.name },
      tokenHash: hash,
      lastsMs: INVITATION_MS,
    });
    await recordMemberChange(tx, where, scopedRole, { action: "invite", subjectKey: email, difference: created(roles) });
    return { token, email, ...roles, to: await selectName(tx, organizationId, scopedRole.projectId) };
  });
}

/** Open invitations per organization: lists show them without pages, like members. */
const MAX_INVITATIONS = 200;

/** Throws OperatorError if the limit of memberships or open invitations is reached. Call it with the organization locked. */
async function requireQuota(tx: Transaction, organizationId: string): Promise<void> {
  const { invitations, memberships } = await countPeople(tx, organizationId);
  if (invitations >= MAX_INVITATIONS)
    throw new OperatorError(`${MAX_INVITATIONS} invitations are open, and there can be no more. Withdraw those that will not be accepted.`);
  if (memberships + invitations >= MAX_MEMBERSHIPS)
    throw new OperatorError(
      `The organization has ${MAX_MEMBERSHIPS} memberships, open invitations among them, and there can be no more. Remove some first.`,
    );
}

/** Makes a new link for an invitation; the previous one becomes void. Throws OperatorError. */
export async function inviteAgain(database: Database, where: InProject, id: string): Promise<{ token: string } & Invitee> {
  const { organizationId, projectId } = where.project;
  const invitation = await selectInvitation(database.sql, organizationId, projectId, id);
  if (invitation === null) throw new OperatorError(NO_INVITATION);
  const scope = invitation.projectId === null ? "organization" : "project";
  const invited = await invite(database, where, { ...invitation, scope });
  if ("problems" in invited) throw new OperatorError(...invited.problems.map(({ message }) => message));
  return invited;
}

const NO_INVITATION = "There is no such invitation any more; it was accepted or withdrawn.";

/** Withdraws an invitation, which voids its link. Throws OperatorError. */
export async function revokeInvitation(database: Database, where: InProject, id: string): Promise<void> {
  const { organizationId, projectId } = where.project;
  await transact(database, async (tx) => {
    const own = await lockScopedRoles(tx, where);
    const invitation = await selectInvitation(tx, organizationId, projectId, id);
    if (invitation === null) throw new OperatorError(NO_INVITATION);
    requireGrant(own, invitation);
    await deleteInvitation(tx, invitation.id);
    const difference = microdiff({ role: invitation.role }, {});
    await recordMemberChange(tx, where, invitation, { action: "withdraw_invitation", subjectKey: invitation.email, difference });
  });
}

/** The data of the page behind an invitation's link. */
export interface InvitationView {
  email: string;
  role: Role;
  /** The lower role in Live, if there is one. */
  liveRole: Role | null;
  invitedBy: string;
  organization: string;
  /** Null for an invitation to the whole organization. */
  project: string | null;
  /** Whether the address has an account: then the person signs in instead of creating one. */
  hasAccount: boolean;
}

/** The invitation of a link; null if it expired, was used or withdrawn, or is void. */
export async function findInvitation({ sql }: Database, token: string): Promise<InvitationView | null> {
  const found = await openInvitation(sql, tokenHash(token));
  if (found === null) return null;
  const hasAccount = (await selectUserByEmail(sql, found.email)) !== null;
  const { email, role, liveRole, invitedBy, organizationName, projectId, projectName } = found;
  return { email, role, liveRole, invitedBy, organization: organizationName, project: projectId === null ? null : projectName, hasAccount };
}

async function openInvitation(sql: Sql, hash: Buffer | null): Promise<OpenInvitation | null> {
  const found = hash === null ? null : await selectOpenInvitation(sql, hash);
  return found !== null && (await mayStillInvite(sql, found)) ? found : null;
}

/** Uses an invitation, once. The organization is locked so that the inviter does not lose the right to invite before the commit. */
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
    if (userId === null) throw new Refusal(`${email} has an account already. Sign in to accept the invitation.`);
    await join(tx, { userId, email }, taken);
    return { sessionId: await openSession(tx, userId, browser), owner: { userId, passwordHash }, project };
  }).catch(refusalOf);
  if ("sessionId" in accepted) await forgiveAccount(database, email);
  return accepted;
}

/** Rolls an acceptance back, which keeps the invitation. Its message is for the person. */
class Refusal extends Error {}

function refusalOf(error: unknown): { refusal: string } {
  if (error instanceof Refusal) return { refusal: error.message };
  throw error;
}

/** Accepts with the signed-in account of any address: possession of the link is enough. */
export async function acceptAs(
  database: Database,
  token: string,
  person: { userId: string },
): Promise<{ project: string | null } | { refusal: string }> {
  const hash = tokenHash(token);
  const invitation = await openInvitation(database.sql, hash);
  if (invitation === null || hash === null) return { refusal: GONE };
  return transact(database, async (tx) => {
    const taken = await take(tx, hash, invitation.organizationId);
    if (taken === null) return { refusal: GONE };
    const user = (await lockPerson(tx, person.userId)) ? await selectUser(tx, person.userId) : null;
    // Their last membership was removed meanwhile.
    if (user === null) throw new Refusal("Your account was removed meanwhile. Open the link again to create a new one.");
    await join(tx, { userId: user.id, email: user.email }, taken);
    return { project: invitation.projectSlug };
  }).catch(refusalOf);
}

/**
 * Gives a person the role of an invitation, unless they already have a higher one there; an Editor in Live who approves still does. It ends
 * the links to their password, whose makers may not have this role, and an invitation of the same scope. A join takes no role away, so
 * invitations to other scopes and those that the person sent stay.
 */
export async function join(
  tx: Transaction,
  person: { userId: string; email: string },
  invitation: ScopedRole & { organizationId: string } & Partial<Pick<InvitationRow, "email" | "invitedBy">>,
): Promise<void> {
  const { organizationId, projectId, role, liveRole, email: invited, invitedBy } = invitation;
  await lockOrganization(tx, organizationId);
  await lockPerson(tx, person.userId);
  const scopedRoles = await selectScopedRoles(tx, person.userId, organizationId);
  const current = scopedRoles.filter((scopedRole) => scopedRole.projectId === projectId);
  const { sandbox, live } = rolesByEnvironment([{ role, liveRole }, ...current])!;
  await upsertMembership(tx, { userId: person.userId, organizationId, projectId, ...withLive(sandbox, live) });
  await deleteInvitationFor(tx, organizationId, projectId, person.email);
  await deleteResetsOf(tx, person.userId);
  const actor = { userId: person.userId, name: person.email };
  // Any account may accept a link: the entry names the invitation that was used.
  const difference = created({ role, liveRole }, invited === undefined ? {} : { invited, invitedBy });
  await recordAboutMember(tx, { organizationId, projectId }, { actor, action: "join", subjectKey: person.email, difference });
}
