import { isAtLeast, type Role, rolesByEnvironment, type RolesByEnvironment, type RoleWithLive } from "../kernel/environment.ts";

/** A role in a whole organization, or in one project of it. */
export interface ScopedRole extends RoleWithLive {
  /** Null: the whole organization. */
  projectId: string | null;
}

/** The most members of an organization: the list shows all of them. */
export const MAX_MEMBERSHIPS = 2_000;

/** A person's roles in a project (those in the whole organization count there too), or with null in the whole organization. */
export const rolesIn = (roles: readonly ScopedRole[], projectId: string | null): RolesByEnvironment | null =>
  rolesByEnvironment(roles.filter((one) => one.projectId === null || one.projectId === projectId));

/** The roles that a member may grant and revoke: an Owner all, an Admin all but Owner. */
export const mayGrant = (role: Role | null, granted: Role): boolean => role === "Owner" || (role === "Admin" && granted !== "Owner");

/** Why a member may not grant or revoke that role, in words for them; null if they may. */
export function grantProblem(own: readonly ScopedRole[], { projectId, role, liveRole }: ScopedRole): string | null {
  const ownRoles = rolesIn(own, projectId);
  const ownRole = ownRoles?.sandbox ?? null;
  if (ownRoles !== null && mayGrant(ownRole, role)) {
    if (isAtLeast(ownRoles.live, liveRole ?? role)) return null;
    return `Your role in Live is ${ownRoles.live}: you cannot grant or revoke a higher one there.`;
  }
  if (ownRole === "Admin") return "Only an Owner makes, changes or removes Owners.";
  return projectId === null
    ? "This is about the whole organization: it takes an Owner or Admin of all of it, not of this project alone."
    : "This takes an Owner or Admin.";
}

/** Whether a member may let an Editor approve change requests of Live, as an Admin does there. */
export const mayLetApprove = (own: readonly ScopedRole[], projectId: string | null): boolean =>
  isAtLeast(rolesIn(own, projectId)?.live ?? "Viewer", "Admin");

/**
 * Whether a member may set another user's password, which allows acting as them: the member must be allowed to grant every role of that
 * user, and to let them approve if they do.
 */
export const maySetPassword = (
  own: readonly ScopedRole[],
  organizationId: string,
  others: readonly (ScopedRole & { organizationId: string; approves: boolean })[],
): boolean =>
  others.every(
    (other) =>
      other.organizationId === organizationId &&
      grantProblem(own, other) === null &&
      (!other.approves || mayLetApprove(own, other.projectId)),
  );

export const isOwnerOfAll = ({ projectId, role }: ScopedRole): boolean => projectId === null && role === "Owner";
