import { affectsRow, execute, firstRow, firstValue, hasRow, type Sql, type Transaction } from "#db/client.ts";
import { highest, type Role } from "#server/model/kernel/environment.ts";
import type { ChangeableSettings, ProjectSettings } from "#server/model/projects/settings.ts";

export interface ProjectRow extends ProjectSettings {
  id: string;
  organizationId: string;
  /** Real time, epoch milliseconds. */
  createdAt: number;
  isArchived: boolean;
}

/** All projects in order of creation, without test projects. */
export const selectProjects = (sql: Sql): Promise<ProjectRow[]> =>
  sql<ProjectRow[]>`
    select id, organization_id, slug, name, default_language, time_zone, created_at, archived_at is not null as is_archived
    from projects p where p.test_of is null order by p.created_at, p.slug`.execute();

/** Archives a project and returns its id, or null if it is archived already or the slug is unknown. */
export const setArchived = (tx: Transaction, slug: string) =>
  firstValue(tx<{ id: string }[]>`
    update projects set archived_at = now() where slug = ${slug} and archived_at is null returning id`);

export const hasProject = (sql: Sql, slug: string) => hasRow(sql`select from projects where slug = ${slug}`);

/** The organization of that slug, or the first one; null if there is none. */
export const selectOrganization = (sql: Sql, slug?: string) =>
  firstRow(sql<{ id: string }[]>`
    select id from organizations where ${slug ?? null}::text is null or slug = ${slug ?? null} order by created_at, slug limit 1`);

/** Creates an organization unless the slug is taken. */
export const insertOrganization = (sql: Sql, slug: string) =>
  execute(sql`insert into organizations (slug, name) values (${slug}, ${slug}) on conflict do nothing`);

/**
 * Creates a project with its two environments, the Sandbox with that clock offset; returns its id, or null if the slug is taken. `test`
 * makes it a test project of another one, with a lifetime in hours.
 */
export async function insertProject(
  tx: Transaction,
  organizationId: string,
  { slug, name, defaultLanguage, timeZone }: ProjectSettings,
  clockOffsetMs: number,
  test: { of: string; hours: number } | null = null,
): Promise<string | null> {
  const [project] = await tx<{ id: string }[]>`
    insert into projects (organization_id, slug, name, default_language, time_zone, test_of, expires_at)
    values (${organizationId}, ${slug}, ${name}, ${defaultLanguage}, ${timeZone}, ${test?.of ?? null},
      now() + ${test?.hours ?? null}::float8 * interval '1 hour')
    on conflict do nothing returning id`;
  if (!project) return null;
  // Ids are assigned in this order: the Sandbox comes first.
  for (const [kind, offsetMs] of [
    ["sandbox", clockOffsetMs],
    ["live", 0],
  ] as const) {
    await tx`insert into environments (project_id, kind, clock_offset_ms) values (${project.id}, ${kind}, ${offsetMs})`;
  }
  return project.id;
}

/** Increments the version by which every process notices that its compiled definitions are outdated; returns the new version. */
export const raiseDefinitionsVersion = async (tx: Transaction, environmentId: number) =>
  (await firstValue(tx<{ version: number }[]>`
    update environments set definitions_version = definitions_version + 1 where id = ${environmentId} returning definitions_version as version`)) ??
  0;

/** Moves a Sandbox clock forward, never back; false for Live or a clock that is already further. */
export const setClockOffset = (tx: Transaction, environmentId: number, offsetMs: number) =>
  hasRow(tx<{ id: number }[]>`
    update environments set clock_offset_ms = ${offsetMs}
    where id = ${environmentId} and kind = 'sandbox' and clock_offset_ms <= ${offsetMs} returning id`);

/** Counts a reset, by which every process notices that its known players were deleted; false for Live. */
export const raiseResets = (tx: Transaction, environmentId: number) =>
  hasRow(tx<{ id: number }[]>`update environments set resets = resets + 1 where id = ${environmentId} and kind = 'sandbox' returning id`);

/** Counts an erasure, by which every process notices that a known player was deleted. */
export const raiseDeletions = (tx: Transaction, environmentId: number) =>
  execute(tx`update environments set resets = resets + 1 where id = ${environmentId}`);

/** A person's unarchived projects without test projects, in order of creation, each with the highest of their roles. */
export async function selectProjectsOf(sql: Sql, userId: string): Promise<{ slug: string; name: string; role: Role }[]> {
  const rows = await sql<{ slug: string; name: string; roles: Role[] }[]>`
    select p.slug, p.name, array_agg(m.role) as roles
    from projects p join memberships m on m.organization_id = p.organization_id and (m.project_id is null or m.project_id = p.id)
    where m.user_id = ${userId} and p.archived_at is null and p.test_of is null
    group by p.id order by p.created_at, p.slug`;
  return rows.map(({ roles, ...project }) => ({ ...project, role: highest(roles)! }));
}

export interface OrganizationRow {
  slug: string;
  name: string;
  role: Role;
}

/** The organizations that a person is a member of as a whole, in order of creation. */
export const selectOrganizationsOf = (sql: Sql, userId: string): Promise<OrganizationRow[]> =>
  sql<OrganizationRow[]>`
    select o.slug, o.name, m.role from organizations o join memberships m on m.organization_id = o.id
    where m.user_id = ${userId} and m.project_id is null
    order by o.created_at, o.slug`;

/** A project's editable settings. */
export async function selectSettings(sql: Sql, projectId: string): Promise<ChangeableSettings> {
  const [row] = await sql<ChangeableSettings[]>`
    select name, default_language, time_zone from projects where id = ${projectId}`;
  return { ...row! };
}

/** Whether a change of a project's Live needs a second person. */
export const selectIsLiveGuarded = async (sql: Sql, projectId: string) =>
  (await firstValue(sql<{ isLiveGuarded: boolean }[]>`select is_live_guarded from projects where id = ${projectId}`)) === true;

/** Sets whether a change to Live needs a second person; false if that was set already. */
export const updateIsLiveGuarded = (tx: Transaction, projectId: string, isLiveGuarded: boolean) =>
  affectsRow(tx`
    update projects set is_live_guarded = ${isLiveGuarded} where id = ${projectId} and is_live_guarded <> ${isLiveGuarded}`);

export const updateSettings = (tx: Transaction, projectId: string, { name, defaultLanguage, timeZone }: ChangeableSettings) =>
  execute(tx`
    update projects set name = ${name}, default_language = ${defaultLanguage}, time_zone = ${timeZone} where id = ${projectId}`);
