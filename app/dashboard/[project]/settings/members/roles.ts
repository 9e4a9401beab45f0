import type { Role } from "../../../../../server/kernel/roles.ts";

/** What a role may do, in a few words. */
export const ROLE_HINTS: Record<Role, string> = {
  Owner: "Full access, including Owners and archiving the project",
  Admin: "Edits definitions, and manages keys, endpoints and members",
  Editor: "Edits definitions",
  Support: "Helps players: adjusts points, reverses purchases, resends deliveries. Changes no definitions",
  Viewer: "Views everything except secrets",
};

export const SCOPE_WORDS = { organization: "All projects", project: "This project" };

export const roleOptions = (roles: readonly Role[]) => roles.map((role) => ({ value: role, label: role, hint: ROLE_HINTS[role] }));
