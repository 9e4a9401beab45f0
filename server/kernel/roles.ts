/** What a person may do, the most first: an Owner everything, a Viewer look at everything but secrets. */
export const ROLES = ["Owner", "Admin", "Editor", "Viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role is that one or above it. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least);

/** Of several roles the one that may do most. */
export const highest = (roles: readonly Role[]): Role | null => ROLES.find((role) => roles.includes(role)) ?? null;

/** The lower of two roles. */
export const lower = (one: Role, other: Role): Role => (isAtLeast(one, other) ? other : one);

/** Who changed something: a person by their address, or what else acted, such as the command line. */
export interface Actor {
  userId: string | null;
  name: string;
  /** The name of the person's token that speaks for them; left out where they are signed in. */
  token?: string;
}

export const COMMAND_LINE: Actor = { userId: null, name: "command line" };
/** What the service does by itself. */
export const SERVICE: Actor = { userId: null, name: "the service" };
/** Whoever makes the demo project. */
export const DEMO: Actor = { userId: null, name: "demo" };
