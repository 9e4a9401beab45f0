import { allValues, execute, firstRow, firstValue, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import { environmentColumns } from "#server/engine/environment.ts";
import type { Environment, EnvironmentKind, ApprovingRole } from "#server/model/kernel/environment.ts";
import type { ScopedRole } from "#server/model/identity/scoped-role.ts";

/** Locks an organization's memberships until the end of the transaction. Checking for the last Owner requires it. */
export const lockOrganization = (tx: Transaction, organizationId: string) =>
  execute(tx`select from organizations where id = ${organizationId} for update`);

export const selectScopedRoles = (sql: Sql, userId: string, organizationId: string): Promise<ScopedRole[]> =>
  sql<ScopedRole[]>`
    select project_id, role, live_role from memberships
    where user_id = ${userId} and organization_id = ${organizationId}`;

/** All roles of some people, anywhere. */
export const selectScopedRolesOf = (sql: Sql, userIds: readonly string[]) =>
  sql<(ScopedRole & { userId: string; organizationId: string; approves: boolean })[]>`
    select user_id, organization_id, project_id, role, live_role, approves
    from memberships where user_id = any(${userIds as string[]}::uuid[])`;

export interface MemberRow extends ScopedRole {
  /** The membership's id. */
  id: string;
  userId: string;
  email: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Whether an Admin lets them approve change requests of Live, as an Editor there. */
  approves: boolean;
  /** When they last used the dashboard; null while they are not signed in anywhere. */
  lastSeenAt: number | null;
}

const memberColumns = (sql: Sql) => sql`
  m.id, m.user_id, u.email, m.project_id, m.role, m.live_role, m.approves, m.created_at,
  (select max(s.last_seen_at) from sessions s where s.user_id = m.user_id) as last_seen_at`;

/** The members of a project: those of the whole organization first, then those of the project alone, each by address. */
export const selectMembers = (sql: Sql, organizationId: string, projectId: string): Promise<MemberRow[]> =>
  sql<MemberRow[]>`
    select ${memberColumns(sql)} from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and (m.project_id is null or m.project_id = ${projectId})
    order by m.project_id nulls first, u.email`;

/** One member of `selectMembers`, by the membership's id. */
export const selectMember = (sql: Sql, organizationId: string, projectId: string, membershipId: string) =>
  firstRow(sql<MemberRow[]>`
    select ${memberColumns(sql)} from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and (m.project_id is null or m.project_id = ${projectId}) and m.id = ${membershipId}`);

export const countOwners = (sql: Sql, organizationId: string) =>
  onlyValue(sql<{ count: number }[]>`
    select count(*)::int as count from memberships
    where organization_id = ${organizationId} and project_id is null and role = 'Owner'`);

export const upsertMembership = (
  tx: Transaction,
  { userId, organizationId, projectId, role, liveRole }: ScopedRole & { userId: string; organizationId: string },
) =>
  execute(tx`
    insert into memberships (user_id, organization_id, project_id, role, live_role)
    values (${userId}, ${organizationId}, ${projectId}, ${role}, ${liveRole})
    on conflict (user_id, organization_id, project_id)
      do update set role = excluded.role, live_role = excluded.live_role,
        approves = memberships.approves and coalesce(excluded.live_role, excluded.role) = 'Editor'`);

export const updateRole = (tx: Transaction, membershipId: string, { role, liveRole, approves }: ApprovingRole) =>
  execute(tx`update memberships set role = ${role}, live_role = ${liveRole}, approves = ${approves} where id = ${membershipId}`);

/** Deletes a membership, and with the last one the person; call it with organization and person locked. */
export async function deleteMembership(tx: Transaction, membershipId: string, userId: string): Promise<void> {
  await tx`delete from memberships where id = ${membershipId}`;
  await tx`delete from users u where u.id = ${userId} and not exists (select from memberships m where m.user_id = u.id)`;
}

/** A person's unarchived projects, without test projects. */
export const selectProjectIdsOf = (sql: Sql, userId: string) =>
  allValues(sql<{ id: string }[]>`
    select distinct p.id from projects p
      join memberships m on m.organization_id = p.organization_id and (m.project_id is null or m.project_id = p.id)
    where m.user_id = ${userId} and p.archived_at is null and p.test_of is null`);

/** The projects of a scoped role: its own, or all unarchived ones of the organization. */
export const selectProjectIdsIn = (sql: Sql, organizationId: string, projectId: string | null) =>
  allValues(sql<{ id: string }[]>`
    select id from projects
    where organization_id = ${organizationId} and (${projectId}::uuid is null or id = ${projectId})
      and archived_at is null and test_of is null`);

/** The name of a scoped role's project, or of its organization. */
export const selectName = async (sql: Sql, organizationId: string, projectId: string | null) =>
  (await firstValue(sql<{ name: string }[]>`
    select coalesce((select name from projects where id = ${projectId}), name) as name from organizations where id = ${organizationId}`)) ??
  "";

/** A person's role in a project that is not archived. */
export interface AccessRow extends ApprovingRole {
  environment: Environment;
  projectName: string;
  /** Whether a change of the project's Live needs a second person. */
  isLiveGuarded: boolean;
  /** The slug of the project that a test project was made for; null for any other. */
  testOf: string | null;
  /** The database's clock, epoch milliseconds. */
  realNow: number;
}

/**
 * A person's roles in a project, from its whole organization and from the project; for a test project, those in the project that it was
 * made for. Empty for non-members.
 */
export async function selectAccess(sql: Sql, userId: string, projectSlug: string, kind: EnvironmentKind): Promise<AccessRow[]> {
  const rows = await sql<(Environment & Omit<AccessRow, "environment">)[]>`
    select ${environmentColumns(sql)}, m.role, m.live_role, m.approves, p.is_live_guarded, p.name as project_name, home.slug as test_of, clock_timestamp() as real_now
    from projects p
      join environments e on e.project_id = p.id and e.kind = ${kind}
      join memberships m on m.organization_id = p.organization_id and (m.project_id is null or m.project_id = coalesce(p.test_of, p.id))
      left join projects home on home.id = p.test_of
    where p.slug = ${projectSlug} and p.archived_at is null and m.user_id = ${userId}`;
  return rows.map(({ role, liveRole, approves, isLiveGuarded, projectName, testOf, realNow, ...environment }) => ({
    role,
    liveRole,
    approves,
    isLiveGuarded,
    projectName,
    testOf,
    realNow,
    environment,
  }));
}
