import type { Database } from "#db/client.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import { type Role, ROLES } from "../../model/kernel/roles.ts";
import { grantProblem, isOwnerOfAll, maySetPassword } from "../../model/identity/scoped-role.ts";
import { type InvitationRow, selectInvitations } from "./store/invitations.ts";
import { countOwners, type MemberRow, selectMembers, selectScopedRoles, selectScopedRolesOf } from "./store/memberships.ts";

export interface MemberView extends MemberRow {
  isYou: boolean;
  /** The roles that the caller may give them; empty where the caller may change nothing. */
  mayBecome: Role[];
  mayRemove: boolean;
  maySetPassword: boolean;
}

export interface InvitationListed extends InvitationRow {
  mayChange: boolean;
}

export interface Members {
  members: MemberView[];
  invitations: InvitationListed[];
  /** The roles that the caller may invite to, in this project and in the whole organization. */
  mayInvite: { project: Role[]; organization: Role[] };
}

/** The members of a project, its invitations, and the changes that the caller may make. */
export async function listMembers({ sql }: Database, { person, project }: Omit<InProject, "actor">): Promise<Members> {
  const { organizationId, projectId } = project;
  const [own, members, asked, owners] = await Promise.all([
    selectScopedRoles(sql, person.userId, organizationId),
    selectMembers(sql, organizationId, projectId),
    selectInvitations(sql, organizationId, projectId),
    countOwners(sql, organizationId),
  ]);
  const grantable = (inProject: string | null): Role[] =>
    ROLES.filter((role) => grantProblem(own, { projectId: inProject, role }) === null);
  const scopedRoles = await selectScopedRolesOf(
    sql,
    members.map(({ userId }) => userId),
  );
  return {
    members: members.map((member) => {
      const isChangeable = grantProblem(own, member) === null && !(isOwnerOfAll(member) && owners === 1);
      const isYou = member.userId === person.userId;
      return {
        ...member,
        isYou,
        mayBecome: isChangeable ? grantable(member.projectId) : [],
        mayRemove: isChangeable || (isYou && !(isOwnerOfAll(member) && owners === 1)),
        maySetPassword:
          !isYou &&
          maySetPassword(
            own,
            organizationId,
            scopedRoles.filter(({ userId }) => userId === member.userId),
          ),
      };
    }),
    invitations: asked.map((invitation) => ({ ...invitation, mayChange: grantProblem(own, invitation) === null })),
    mayInvite: { project: grantable(projectId), organization: grantable(null) },
  };
}
