export type EnvironmentKind = "sandbox" | "live";

/**
 * Sandbox or Live of a project as every request and every slice of work sees it: read with the key or the lock. If a request uses a cached
 * one, the statement that writes confirms it (`RememberedKey`).
 */
export interface Environment {
  id: number;
  kind: EnvironmentKind;
  organizationId: string;
  projectId: string;
  projectSlug: string;
  defaultLanguage: string;
  /** IANA zone of the project; a player's own zone takes precedence. */
  timeZone: string;
  /** Rises with every change of a definition; compiled definitions are kept by it. */
  definitionsVersion: number;
  /** How far the Sandbox clock is ahead of real time, in milliseconds; negative only while the demo is loaded. 0 in Live. */
  clockOffsetMs: number;
  /** How often players were deleted, by resets and erasures. Processes key their caches of players by it. */
  resets: number;
}

/**
 * What a process remembers of a key by an earlier request with it. A statement that writes for it confirms all of it first, so that a
 * request needs no query before.
 */
export interface RememberedKey {
  hash: Buffer;
  /** Whether the request log keeps bodies. */
  keepsBodies: boolean;
  /** Names all that is remembered: requests with the same name are confirmed together. */
  name: string;
  /** Called by the statement that has confirmed it, with the database's clock. */
  confirm(realNow: number, isUseDue: boolean): void;
}

/** The database does not confirm the remembered key, or the request needs a query for the key first. Nothing was written. */
export class Unconfirmed extends Error {}

/** The caller of a request: the environment of the key, and the current time on its clock. */
export interface Caller {
  environment: Environment;
  /** Epoch milliseconds on the environment's clock. */
  now: number;
}

/**
 * The roles of people, the highest first: an Owner may do everything, Support serves players without changing definitions, a Viewer reads
 * everything but secrets.
 */
export const ROLES = ["Owner", "Admin", "Editor", "Support", "Viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role is that one or above it. */
export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least);

export const highest = (roles: readonly Role[]): Role | null => ROLES.find((role) => roles.includes(role)) ?? null;

export const lower = (one: Role, other: Role): Role => (isAtLeast(one, other) ? other : one);

/** A person's role in each environment. Calls about no environment use that of the Sandbox, which is never the lower one. */
export type RolesByEnvironment = Record<EnvironmentKind, Role>;

/** A role, and the lower one that holds in Live; null: the same. */
export interface RoleWithLive {
  role: Role;
  liveRole: Role | null;
}

/** The highest of several memberships' roles in each environment; null for no membership. */
export function rolesByEnvironment(memberships: readonly RoleWithLive[]): RolesByEnvironment | null {
  const sandbox = highest(memberships.map(({ role }) => role));
  const live = highest(memberships.map(({ role, liveRole }) => lower(role, liveRole ?? role)));
  return sandbox === null || live === null ? null : { sandbox, live };
}

/** A membership's roles, and whether an Admin lets its Editor of Live approve change requests. */
export interface ApprovingRole extends RoleWithLive {
  approves: boolean;
}

/** Whether a person with these memberships may approve change requests of an environment: Owners, Admins, and chosen Editors. */
export function mayApprove(memberships: readonly ApprovingRole[], kind: EnvironmentKind): boolean {
  const roleOf = ({ role, liveRole }: RoleWithLive) => (kind === "live" ? lower(role, liveRole ?? role) : role);
  return memberships.some((one) => isAtLeast(roleOf(one), one.approves ? "Editor" : "Admin"));
}

/** The lower roles that can be set for Live. An Owner has none: Owners have full access everywhere. */
export const lowerInLive = (role: Role): Role[] => (role === "Owner" ? [] : ROLES.filter((one) => one !== role && isAtLeast(role, one)));

/** A membership's roles after one of them was changed: the role in Live is dropped unless it is still lower. */
export const withLive = (role: Role, liveRole: Role | null): RoleWithLive => ({
  role,
  liveRole: liveRole !== null && lowerInLive(role).includes(liveRole) ? liveRole : null,
});

/** The author of a change: a person's address, or another actor, such as the command line. */
export interface Actor {
  userId: string | null;
  name: string;
  /** The name of the person's token that makes the call; left out if they are signed in. */
  token?: string;
  /** Their comment on the change, in case it becomes a change request. */
  request?: { title?: string | undefined; reason?: string | undefined };
}

export const COMMAND_LINE: Actor = { userId: null, name: "command line" };
/** The actor of the service's own changes. */
export const SERVICE: Actor = { userId: null, name: "the service" };
/** The actor of switching off a definition whose budget is used up. */
export const BUDGET: Actor = { userId: null, name: "the service (budget)" };
export const isService = ({ userId, name }: Actor): boolean => userId === null && (name === SERVICE.name || name === BUDGET.name);
/** The actor that makes the demo project. */
export const DEMO: Actor = { userId: null, name: "demo" };

/** The person who changes something, and the project they do it from. */
export interface InProject {
  person: { userId: string };
  actor: Actor;
  project: Pick<Environment, "organizationId" | "projectId">;
}
