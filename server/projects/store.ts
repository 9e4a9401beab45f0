import { asc, eq } from "drizzle-orm";
import type { Queries, Sql, Transaction } from "../../db/client.ts";
import { environments, organizations, projects } from "../../db/schema/projects.ts";
import type { Environment } from "../kernel/environment.ts";
import { highest, type Role } from "../kernel/roles.ts";
import type { ChangeableSettings, ProjectSettings } from "./settings.ts";

const environmentColumns = {
  id: environments.id,
  kind: environments.kind,
  organizationId: projects.organizationId,
  projectId: projects.id,
  projectSlug: projects.slug,
  defaultLanguage: projects.defaultLanguage,
  timeZone: projects.timeZone,
  definitionsVersion: environments.definitionsVersion,
  clockOffsetMs: environments.clockOffsetMs,
  resets: environments.resets,
};

export async function selectEnvironment(sql: Sql, environmentId: number): Promise<Environment | null> {
  const [row] = await sql<Environment[]>`
    select e.id, e.kind, p.organization_id as "organizationId", p.id as "projectId", p.slug as "projectSlug",
      p.default_language as "defaultLanguage", p.time_zone as "timeZone",
      e.definitions_version as "definitionsVersion", e.clock_offset_ms as "clockOffsetMs", e.resets
    from environments e join projects p on p.id = e.project_id
    where e.id = ${environmentId}`;
  return row ?? null;
}

/** The environments of a project, Sandbox first; empty when there is no such project. */
export const selectEnvironmentsOf = (orm: Queries, projectSlug: string): Promise<Environment[]> =>
  orm
    .select(environmentColumns)
    .from(environments)
    .innerJoin(projects, eq(projects.id, environments.projectId))
    .where(eq(projects.slug, projectSlug))
    .orderBy(asc(environments.id));

export interface ProjectRow extends ProjectSettings {
  id: string;
  organizationId: string;
  /** Real time, epoch milliseconds. */
  createdAt: number;
  isArchived: boolean;
}

/** In order of creation. */
export async function selectProjects(orm: Queries): Promise<ProjectRow[]> {
  const rows = await orm.select().from(projects).orderBy(asc(projects.createdAt), asc(projects.slug));
  return rows.map(({ archivedAt, ...row }) => ({ ...row, isArchived: archivedAt !== null }));
}

/** Archives a project; its id, null when there is none of that slug. The instant of a first archiving stays. */
export async function setArchived(tx: Transaction, slug: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    update projects set archived_at = coalesce(archived_at, now()) where slug = ${slug} returning id`;
  return row?.id ?? null;
}

/** The organization of that slug, or the first of all; null without one. */
export async function selectOrganization(orm: Queries, slug?: string): Promise<{ id: string; slug: string } | null> {
  const [row] = await orm
    .select({ id: organizations.id, slug: organizations.slug })
    .from(organizations)
    .where(slug === undefined ? undefined : eq(organizations.slug, slug))
    .orderBy(asc(organizations.createdAt), asc(organizations.slug))
    .limit(1);
  return row ?? null;
}

/** Creates an organization unless there is one of that slug. */
export async function insertOrganization(orm: Queries, slug: string): Promise<void> {
  await orm.insert(organizations).values({ slug, name: slug }).onConflictDoNothing();
}

/** Creates a project with its two environments, the Sandbox with that clock; null when the slug is taken. */
export async function insertProject(
  orm: Queries,
  organizationId: string,
  settings: ProjectSettings,
  clockOffsetMs: number,
): Promise<string | null> {
  const [project] = await orm
    .insert(projects)
    .values({ organizationId, ...settings })
    .onConflictDoNothing()
    .returning({ id: projects.id });
  if (!project) return null;
  await orm.insert(environments).values([
    { projectId: project.id, kind: "sandbox", clockOffsetMs },
    { projectId: project.id, kind: "live" },
  ]);
  return project.id;
}

/** Raises the version by which every process knows that its compiled definitions are old; the new version. */
export async function raiseDefinitionsVersion(tx: Transaction, environmentId: number): Promise<number> {
  const [row] = await tx<{ version: number }[]>`
    update environments set definitions_version = definitions_version + 1 where id = ${environmentId} returning definitions_version as version`;
  return row?.version ?? 0;
}

/** Moves a Sandbox clock forward, never back; false where it is not a Sandbox or already further. */
export async function setClockOffset(tx: Transaction, environmentId: number, offsetMs: number): Promise<boolean> {
  const rows = await tx<{ id: number }[]>`
    update environments set clock_offset_ms = ${offsetMs}
    where id = ${environmentId} and kind = 'sandbox' and clock_offset_ms <= ${offsetMs} returning id`;
  return rows.length > 0;
}

/** Counts a reset, by which every process knows that the players it knew are gone; false where it is not a Sandbox. */
export async function raiseResets(tx: Transaction, environmentId: number): Promise<boolean> {
  const rows = await tx<
    { id: number }[]
  >`update environments set resets = resets + 1 where id = ${environmentId} and kind = 'sandbox' returning id`;
  return rows.length > 0;
}

/** Counts an erasure, by which every process knows that a player it knew is gone. */
export async function raiseDeletions(tx: Transaction, environmentId: number): Promise<void> {
  await tx`update environments set resets = resets + 1 where id = ${environmentId}`;
}

/** The projects that a person takes part in, archived ones left out, in order of creation; each with the highest of their roles. */
export async function selectProjectsOf(sql: Sql, userId: string): Promise<{ slug: string; name: string; role: Role }[]> {
  const rows = await sql<{ slug: string; name: string; roles: Role[] }[]>`
    select p.slug, p.name, array_agg(m.role) as roles
    from projects p join memberships m on m.organization_id = p.organization_id and (m.project_id is null or m.project_id = p.id)
    where m.user_id = ${userId} and p.archived_at is null
    group by p.id order by p.created_at, p.slug`;
  return rows.map(({ roles, ...project }) => ({ ...project, role: highest(roles)! }));
}

export interface OrganizationRow {
  slug: string;
  name: string;
  role: Role;
}

/** The organizations that a person has a role in all of, in order of creation. */
export const selectOrganizationsOf = (sql: Sql, userId: string): Promise<OrganizationRow[]> =>
  sql<OrganizationRow[]>`
    select o.slug, o.name, m.role from organizations o join memberships m on m.organization_id = o.id
    where m.user_id = ${userId} and m.project_id is null
    order by o.created_at, o.slug`;

export async function selectSettings(sql: Sql, projectId: string): Promise<ChangeableSettings> {
  const [row] = await sql<ChangeableSettings[]>`
    select name, default_language as "defaultLanguage", time_zone as "timeZone" from projects where id = ${projectId}`;
  return { ...row! };
}

export async function updateSettings(
  tx: Transaction,
  projectId: string,
  { name, defaultLanguage, timeZone }: ChangeableSettings,
): Promise<void> {
  await tx`
    update projects set name = ${name}, default_language = ${defaultLanguage}, time_zone = ${timeZone} where id = ${projectId}`;
}
