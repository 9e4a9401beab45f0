import { highest, type Role } from "../kernel/roles.ts";

/** A role in a whole organization, or in one project of it. */
export interface ScopedRole {
  /** Null: the whole organization. */
  projectId: string | null;
  role: Role;
}

/** An organization's people are listed whole, so there is an end to them. */
export const MOST_MEMBERSHIPS = 2_000;

/** A person's role in a project (roles in the whole organization count there too), or with null in the whole organization. */
export const roleIn = (roles: readonly ScopedRole[], projectId: string | null): Role | null =>
  highest(roles.filter((one) => one.projectId === null || one.projectId === projectId).map(({ role }) => role));

/** The roles that somebody may give and take: an Owner all, an Admin all but Owner. */
export const mayGrant = (role: Role | null, granted: Role): boolean => role === "Owner" || (role === "Admin" && granted !== "Owner");

/** The reason why somebody may not give or take that role, in words for them; null when they may. */
export function grantProblem(own: readonly ScopedRole[], { projectId, role }: ScopedRole): string | null {
  const ownRole = roleIn(own, projectId);
  if (mayGrant(ownRole, role)) return null;
  if (ownRole === "Admin") return "Only an Owner makes, changes or removes Owners.";
  return projectId === null
    ? "This is about the whole organization: it takes an Owner or Admin of all of it, not of this project alone."
    : "This takes an Owner or Admin.";
}

/**
 * Whether somebody may set another person's password, which is to act as them: everything that person may do anywhere must be theirs to
 * give.
 */
export const maySetPassword = (
  own: readonly ScopedRole[],
  organizationId: string,
  others: readonly (ScopedRole & { organizationId: string })[],
): boolean => others.every((other) => other.organizationId === organizationId && grantProblem(own, other) === null);

export const isOwnerOfAll = ({ projectId, role }: ScopedRole): boolean => projectId === null && role === "Owner";
