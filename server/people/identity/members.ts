import microdiff from "microdiff";
import { type Database, transact } from "#db/client.ts";
import { type ApprovingRole, type InProject, isAtLeast, type Role, ROLES, withLive } from "../../model/kernel/environment.ts";
import { grantProblem, isOwnerOfAll, mayLetApprove, maySetPassword, rolesIn, type ScopedRole } from "../../model/identity/scoped-role.ts";
import { type InvitationRow, selectInvitations } from "./store/invitations.ts";
import {
  countOwners,
  deleteMembership,
  type MemberRow,
  selectMembers,
  selectScopedRoles,
  selectScopedRolesOf,
  updateRole,
} from "./store/memberships.ts";
import { endImpostors } from "./change-password.ts";
import { findMember, keepAnOwner, lockScopedRoles, recordMemberChange, requireGrant } from "./member-changes.ts";
import { selectFactorsOf } from "./store/second-factors.ts";
import { lockPerson, selectProviders } from "./store/users.ts";
import { voidLinks } from "./links.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";

interface MemberView extends MemberRow {
  isYou: boolean;
  /** The roles that the caller may give them; empty if the caller may change nothing. */
  mayBecome: Role[];
  mayRemove: boolean;
  /** Whether the caller may let them approve change requests, or stop that. */
  mayLetApprove: boolean;
  maySetPassword: boolean;
  /** Null for callers who may not know, and for members without a password. */
  hasSecondFactor: boolean | null;
  mayResetFactor: boolean;
}

interface InvitationListed extends InvitationRow {
  mayChange: boolean;
}

interface Members {
  members: MemberView[];
  invitations: InvitationListed[];
  /** The roles that the caller may invite to, in this project and in the whole organization. */
  mayInvite: { project: Role[]; organization: Role[] };
}

/** The members of a project, its invitations, and the changes that the caller may make. */
export async function listMembers({ sql }: Database, { person, project }: Omit<InProject, "actor">): Promise<Members> {
  const { organizationId, projectId } = project;
  const [own, members, invitations, owners] = await Promise.all([
    selectScopedRoles(sql, person.userId, organizationId),
    selectMembers(sql, organizationId, projectId),
    selectInvitations(sql, organizationId, projectId),
    countOwners(sql, organizationId),
  ]);
  const role = rolesIn(own, projectId)?.sandbox ?? "Viewer";
  const grantable = (inProject: string | null): Role[] =>
    ROLES.filter((role) => grantProblem(own, { projectId: inProject, role, liveRole: null }) === null);
  const userIds = members.map(({ userId }) => userId);
  const [scopedRoles, factors] = await Promise.all([selectScopedRolesOf(sql, userIds), selectFactorsOf(sql, userIds)]);
  return {
    members: members.map((member) => {
      const isLastOwner = isOwnerOfAll(member) && owners === 1;
      const isChangeable = !isLastOwner && grantProblem(own, member) === null;
      const isYou = member.userId === person.userId;
      const hasFactor = factors.get(member.userId) ?? null;
      const mayUnlock =
        !isYou &&
        maySetPassword(
          own,
          organizationId,
          scopedRoles.filter(({ userId }) => userId === member.userId),
        );
      return {
        ...member,
        isYou,
        mayBecome: isChangeable ? grantable(member.projectId) : [],
        mayLetApprove: isChangeable && mayLetApprove(own, member.projectId),
        mayRemove: isChangeable || (isYou && !isLastOwner),
        maySetPassword: mayUnlock,
        // A Viewer must not learn which accounts a password alone opens.
        hasSecondFactor: isAtLeast(role, "Admin") ? hasFactor : null,
        mayResetFactor: mayUnlock && role === "Owner" && hasFactor === true,
      };
    }),
    invitations: invitations.map((invitation) => ({ ...invitation, mayChange: grantProblem(own, invitation) === null })),
    mayInvite: { project: grantable(projectId), organization: grantable(null) },
  };
}

/** A member's roles after a change, and what it replaced. */
interface RoleChanged extends ApprovingRole {
  was: Partial<ApprovingRole>;
}

/**
 * Changes a member's roles from their next request on, and voids the links to them and by them. What is not wanted stays as it is: the
 * caller may have read it before another Admin changed it. Throws OperatorError.
 */
export async function changeRole(
  database: Database,
  where: InProject,
  membershipId: string,
  wanted: Partial<ApprovingRole>,
): Promise<RoleChanged> {
  return transact(database, async (tx) => {
    const own = await lockScopedRoles(tx, where);
    const member = await findMember(tx, where, membershipId);
    const { role, liveRole } = withLive(wanted.role ?? member.role, wanted.liveRole === undefined ? member.liveRole : wanted.liveRole);
    requireGrant(own, member);
    requireGrant(own, { ...member, role, liveRole });
    // Only an Editor of Live has the flag: those above approve anyway, those below change nothing there.
    const isEditor = (liveRole ?? role) === "Editor";
    if (wanted.approves === true && !isEditor) throw new OperatorError("Only an Editor of Live can be allowed to approve change requests.");
    const approves = isEditor && (wanted.approves ?? member.approves);
    const was = {
      ...(member.role !== role && { role: member.role }),
      ...(member.liveRole !== liveRole && { liveRole: member.liveRole }),
      ...(member.approves !== approves && { approves: member.approves }),
    };
    const changed = { role, liveRole, approves, was };
    if (Object.keys(was).length === 0) return changed;
    if (approves && !member.approves && !mayLetApprove(own, member.projectId))
      throw new OperatorError("Only an Owner or Admin of Live lets an Editor approve change requests.");
    await keepAnOwner(tx, where, member);
    await lockPerson(tx, member.userId);
    await updateRole(tx, member.id, { role, liveRole, approves });
    // A password that others may know must not open more; people with a provider do not need one.
    if ((await selectProviders(tx, member.userId)).length > 0) await endImpostors(tx, member);
    await voidLinks(tx, where.project.organizationId, member);
    const difference = microdiff({ role: member.role, liveRole: member.liveRole, approves: member.approves }, { role, liveRole, approves });
    await recordMemberChange(tx, where, member, { action: "update", subjectKey: member.email, difference });
    return changed;
  });
}

/**
 * Removes a membership, from the next request on, and voids the links to the person and by them. A person without a remaining role is
 * deleted, with their sessions; with another role they stay signed in. Throws OperatorError.
 */
export const removeMember = (database: Database, where: InProject, membershipId: string): Promise<void> =>
  remove(database, where, membershipId, (own, member) => requireGrant(own, member));

/** Removes one's own membership; the last Owner may not leave. Throws OperatorError. */
export const leaveProject = (database: Database, where: InProject, membershipId: string): Promise<void> =>
  remove(database, where, membershipId, (_, member) => {
    if (member.userId !== where.person.userId) throw new OperatorError("That is another person's membership.");
  });

async function remove(
  database: Database,
  where: InProject,
  membershipId: string,
  check: (own: readonly ScopedRole[], member: MemberRow) => void,
): Promise<void> {
  await transact(database, async (tx) => {
    const own = await lockScopedRoles(tx, where);
    const member = await findMember(tx, where, membershipId);
    check(own, member);
    await keepAnOwner(tx, where, member);
    const difference = microdiff({ role: member.role }, {});
    await recordMemberChange(tx, where, member, { action: "remove", subjectKey: member.email, difference });
    await lockPerson(tx, member.userId);
    await voidLinks(tx, where.project.organizationId, member);
    await deleteMembership(tx, member.id, member.userId);
  });
}
