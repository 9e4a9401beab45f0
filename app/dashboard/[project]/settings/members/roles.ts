import type { Role } from "../../../../../server/kernel/roles.ts";

/** What a role may do, in a few words. */
export const ROLE_HINTS: Record<Role, string> = {
  Owner: "Everything, Owners and archiving the project too",
  Admin: "Authors, and manages keys, endpoints and members",
  Editor: "Authors everything an environment defines",
  Viewer: "Sees everything but secrets, changes nothing",
};

export const SCOPE_WORDS = { organization: "All projects", project: "This project" };

export const roleOptions = (roles: readonly Role[]) => roles.map((role) => ({ value: role, label: role, hint: ROLE_HINTS[role] }));
