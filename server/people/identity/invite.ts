import { type Database, transact, type Transaction } from "#db/client.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { isAtLeast, type Role } from "../../model/kernel/roles.ts";
import { emailProblem, plainEmail } from "../../model/identity/emails.ts";
import { lockScopedRoles, requireGrant } from "./lock-members.ts";
import { INVITATION_MS } from "../../model/identity/links.ts";
import { makeLinkToken } from "./make-link-token.ts";
import { created, recordMemberChange } from "./record-member-change.ts";
import { MAX_MEMBERSHIPS, roleIn, type ScopedRole } from "../../model/identity/scoped-role.ts";
import { countPeople, selectInvitation, selectInvitationFor, upsertInvitation } from "./store/invitations.ts";
import { selectName, selectScopedRoles } from "./store/memberships.ts";
import { selectUserByEmail } from "./store/users.ts";

export interface Wanted {
  email: string;
  role: Role;
  /** The whole organization, or this project alone. */
  scope: "organization" | "project";
}

/** The person a link is for, and what it opens. */
export interface Invitee {
  email: string;
  role: Role;
  /** The name of the project, or of the organization. */
  to: string;
}

export type Invited = ({ token: string } & Invitee) | { problems: FieldProblem[] };

/** Invites an address, or renews its invitation with a new link. Throws OperatorError if the caller may not. */
export async function invite(database: Database, where: InProject, wanted: Wanted): Promise<Invited> {
  const email = plainEmail(wanted.email);
  const wrong = emailProblem(email);
  if (wrong !== null) return { problems: [{ pointer: "#/email", message: wrong }] };
  const { organizationId, projectId } = where.project;
  const scopedRole: ScopedRole = { projectId: wanted.scope === "organization" ? null : projectId, role: wanted.role };
  return transact(database, async (tx): Promise<Invited> => {
    const own = await lockScopedRoles(tx, where);
    requireGrant(own, scopedRole);
    const before = await selectInvitationFor(tx, organizationId, scopedRole.projectId, email);
    if (before) requireGrant(own, before);
    else await requireRoom(tx, organizationId);
    const user = await selectUserByEmail(tx, email);
    const has = user ? roleIn(await selectScopedRoles(tx, user.id, organizationId), scopedRole.projectId) : null;
    if (has !== null && isAtLeast(has, scopedRole.role)) {
      return { problems: [{ pointer: "#/email", message: `${email} is a member already, with the role ${has}. Change it in the list.` }] };
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
    await recordMemberChange(tx, where, scopedRole, { action: "invite", subjectKey: email, difference: created(scopedRole.role) });
    return { token, email, role: scopedRole.role, to: await selectName(tx, organizationId, scopedRole.projectId) };
  });
}

/** Open invitations per organization: lists show them without pages, like members. */
const MAX_INVITATIONS = 200;

/** Call it with the organization locked. Throws OperatorError if the limit of memberships or open invitations is reached. */
async function requireRoom(tx: Transaction, organizationId: string): Promise<void> {
  const { invitations, memberships } = await countPeople(tx, organizationId);
  if (invitations >= MAX_INVITATIONS)
    throw new OperatorError(`${MAX_INVITATIONS} invitations are open, and there can be no more. Withdraw those that nobody will accept.`);
  if (memberships + invitations >= MAX_MEMBERSHIPS)
    throw new OperatorError(
      `The organization has ${MAX_MEMBERSHIPS} memberships, open invitations among them, and there can be no more. Remove some first.`,
    );
}

/** A new link for an invitation; the previous one becomes void. Throws OperatorError. */
export async function inviteAgain(database: Database, where: InProject, id: string): Promise<{ token: string } & Invitee> {
  const { organizationId, projectId } = where.project;
  const invitation = await selectInvitation(database.sql, organizationId, projectId, id);
  if (invitation === null) throw new OperatorError(NO_INVITATION);
  const scope = invitation.projectId === null ? "organization" : "project";
  const invited = await invite(database, where, { email: invitation.email, role: invitation.role, scope });
  if ("problems" in invited) throw new OperatorError(...invited.problems.map(({ message }) => message));
  return invited;
}

export const NO_INVITATION = "There is no such invitation any more; it was accepted or withdrawn.";
