import type { Database, Sql } from "#db/client.ts";
import {
  type Caller,
  type Environment,
  type EnvironmentKind,
  mayApprove,
  rolesByEnvironment,
  type RolesByEnvironment,
} from "../../model/kernel/environment.ts";
import { ensureOrganization } from "../projects/projects.ts";
import { isOwnerOfAll } from "../../model/identity/scoped-role.ts";
import { selectAccess, selectScopedRoles } from "./store/memberships.ts";

/** A person's roles in a project, and the environment of the call. */
export interface Access extends Caller {
  roles: RolesByEnvironment;
  /** Whether they may approve change requests, by environment. */
  mayApprove: Record<EnvironmentKind, boolean>;
  /** Whether a change of the project's Live needs a second person. */
  isLiveGuarded: boolean;
  projectName: string;
  /** The slug of the project that this test project was made for; null if it is not a test project. */
  testOf: string | null;
}

/** A person's access to an environment of an unarchived project; null for non-members and unknown projects. */
export async function findAccess(
  { sql }: Database,
  person: { userId: string },
  projectSlug: string,
  kind: EnvironmentKind,
): Promise<Access | null> {
  const rows = await selectAccess(sql, person.userId, projectSlug, kind);
  const [first] = rows;
  const roles = rolesByEnvironment(rows);
  if (!first || roles === null) return null;
  const { environment, projectName, testOf, isLiveGuarded, realNow } = first;
  const now = realNow + environment.clockOffsetMs;
  const approving = { sandbox: mayApprove(rows, "sandbox"), live: mayApprove(rows, "live") };
  return { environment, projectName, testOf, isLiveGuarded, roles, mayApprove: approving, now };
}

/** A person's rights in an environment now; null for non-members. */
export async function findRights(sql: Sql, userId: string, { projectSlug, kind }: Environment) {
  const rows = await selectAccess(sql, userId, projectSlug, kind);
  const roles = rolesByEnvironment(rows);
  return roles && { role: roles[kind], mayApprove: mayApprove(rows, kind) };
}

/** Whether a user is an Owner of the first organization, whose Owners may see the whole installation. */
export async function isOwnerOfFirst(sql: Sql, userId: string): Promise<boolean> {
  const { id } = await ensureOrganization(sql);
  return (await selectScopedRoles(sql, userId, id)).some(isOwnerOfAll);
}
