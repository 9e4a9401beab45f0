import { lowerInLive, type Role } from "../../server/model/kernel/environment.ts";

/** Role permissions: a short form beside the name, and a sentence for invitations. */
export const ROLE_WORDS: Record<Role, { hint: string; invited: string }> = {
  Owner: { hint: "Full access, including Owners and archiving the project", invited: "Owners have full access." },
  Admin: {
    hint: "Edits definitions, and manages keys, endpoints and members",
    invited: "Admins edit definitions, and manage keys, endpoints and members.",
  },
  Editor: { hint: "Edits definitions", invited: "Editors edit definitions." },
  Support: {
    hint: "Helps players: adjusts points, reverses purchases, resends deliveries. Changes no definitions",
    invited: "Support helps players: it reverses purchases and sends deliveries again, and changes no definitions.",
  },
  Viewer: { hint: "Views everything except secrets", invited: "Viewers view everything except secrets." },
};

export const SCOPE_WORDS = { organization: "All projects", project: "This project" };

/** The choices for the role in Live: the same, or a lower one. */
export const liveOptions = (role: Role) => [
  { value: role, label: "Same in Live", hint: `${role} in Live too` },
  ...lowerInLive(role).map((value) => ({ value, label: `${value} in Live`, hint: ROLE_WORDS[value].hint })),
];

export const roleOptions = (roles: readonly Role[]) => roles.map((role) => ({ value: role, label: role, hint: ROLE_WORDS[role].hint }));
