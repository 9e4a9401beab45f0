import { highest, type Role } from "../kernel/roles.ts";

/** A role in a whole organization, or in one project of it. */
export interface ScopedRole {
  /** Null: the whole organization. */
  projectId: string | null;
  role: Role;
}

/** The most members of an organization: the list shows all of them. */
export const MAX_MEMBERSHIPS = 2_000;

/** A person's role in a project (roles in the whole organization count there too), or with null in the whole organization. */
export const roleIn = (roles: readonly ScopedRole[], projectId: string | null): Role | null =>
  highest(roles.filter((one) => one.projectId === null || one.projectId === projectId).map(({ role }) => role));

/** The roles that a member may grant and revoke: an Owner all, an Admin all but Owner. */
export const mayGrant = (role: Role | null, granted: Role): boolean => role === "Owner" || (role === "Admin" && granted !== "Owner");

/** Why a member may not grant or revoke that role, in words for them; null if they may. */
export function grantProblem(own: readonly ScopedRole[], { projectId, role }: ScopedRole): string | null {
  const ownRole = roleIn(own, projectId);
  if (mayGrant(ownRole, role)) return null;
  if (ownRole === "Admin") return "Only an Owner makes, changes or removes Owners.";
  return projectId === null
    ? "This is about the whole organization: it takes an Owner or Admin of all of it, not of this project alone."
    : "This takes an Owner or Admin.";
}

/**
 * Whether a member may set another user's password, which allows acting as them: the member must be allowed to grant every role of that
 * user.
 */
export const maySetPassword = (
  own: readonly ScopedRole[],
  organizationId: string,
  others: readonly (ScopedRole & { organizationId: string })[],
): boolean => others.every((other) => other.organizationId === organizationId && grantProblem(own, other) === null);

export const isOwnerOfAll = ({ projectId, role }: ScopedRole): boolean => projectId === null && role === "Owner";
