/**
 * The roles of people, the highest first: an Owner may do everything, Support serves players without changing definitions, a Viewer reads
 * everything but secrets.
 */
export const ROLES = ["Owner", "Admin", "Editor", "Support", "Viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role is that one or above it. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least);

/** The highest of several roles. */
export const highest = (roles: readonly Role[]): Role | null => ROLES.find((role) => roles.includes(role)) ?? null;

/** The lower of two roles. */
export const lower = (one: Role, other: Role): Role => (isAtLeast(one, other) ? other : one);

/** The author of a change: a person's address, or another actor, such as the command line. */
export interface Actor {
  userId: string | null;
  name: string;
  /** The name of the person's token that speaks for them; left out where they are signed in. */
  token?: string;
}

export const COMMAND_LINE: Actor = { userId: null, name: "command line" };
/** The actor of the service's own changes. */
export const SERVICE: Actor = { userId: null, name: "the service" };
/** The actor that makes the demo project. */
export const DEMO: Actor = { userId: null, name: "demo" };
