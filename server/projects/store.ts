import { asc, eq } from "drizzle-orm";
import type { Orm, Sql, Transaction } from "../../db/client.ts";
import { auditLog, environments, organizations, projects, users } from "../../db/schema/projects.ts";
import type { Environment, EnvironmentKind } from "../kernel/environment.ts";
import { writeJson } from "../kernel/json.ts";
import { type Actor, highest, type Role } from "../kernel/roles.ts";
import type { ProjectSettings } from "./settings.ts";

/** The pool or a transaction of it. */
type Queries = Pick<Orm, "select" | "insert" | "update">;

/** What the first query of every request finds with the hash of its key. */
export interface KeyRow extends Environment {
  keyId: string;
  isArchived: boolean;
  /** Whether `lastUsedAt` is more than a minute behind. */
  isUseDue: boolean;
  /** The database's clock, epoch milliseconds. */
  realNow: number;
}

/** An unrevoked key with its environment and the database's clock, in one round trip; null without one. Never cached. */
export async function selectKey(sql: Sql, hash: Buffer): Promise<KeyRow | null> {
  const [row] = await sql<KeyRow[]>`
    select e.id, e.kind, p.organization_id as "organizationId", p.id as "projectId", p.slug as "projectSlug",
      p.default_language as "defaultLanguage", p.time_zone as "timeZone",
      e.definitions_version as "definitionsVersion", e.clock_offset_ms as "clockOffsetMs", e.resets,
      k.id as "keyId", p.archived_at is not null as "isArchived",
      coalesce(k.last_used_at < clock_timestamp() - interval '1 minute', true) as "isUseDue",
      (extract(epoch from clock_timestamp()) * 1000)::bigint as "realNow"
    from api_keys k join environments e on e.id = k.environment_id join projects p on p.id = e.project_id
    where k.hash = ${hash} and k.revoked_at is null`;
  return row ?? null;
}

/** Notes that a key is in use, at most once a minute however many processes see it. */
export async function touchKey(sql: Sql, keyId: string): Promise<void> {
  await sql`
    update api_keys set last_used_at = clock_timestamp()
    where id = ${keyId} and coalesce(last_used_at < clock_timestamp() - interval '1 minute', true)`;
}

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

export async function hasUsers(orm: Queries): Promise<boolean> {
  const rows = await orm.select({ id: users.id }).from(users).limit(1);
  return rows.length > 0;
}

/** Raises the version by which every process knows that its compiled definitions are old; the new version. */
export async function raiseDefinitionsVersion(tx: Transaction, environmentId: number): Promise<number> {
  const [row] = await tx<{ version: number }[]>`
    update environments set definitions_version = definitions_version + 1 where id = ${environmentId} returning definitions_version as version`;
  return row?.version ?? 0;
}

/** Moves a Sandbox clock forward, never back; false where it is not a Sandbox or already further. */
export async function setClockOffset(tx: Transaction, environmentId: number, offsetMs: number): Promise<boolean> {
  const rows = await tx`
    update environments set clock_offset_ms = ${offsetMs}
    where id = ${environmentId} and kind = 'sandbox' and clock_offset_ms <= ${offsetMs} returning id`;
  return rows.length > 0;
}

/** Counts a reset, by which every process knows that the players it knew are gone; false where it is not a Sandbox. */
export async function raiseResets(tx: Transaction, environmentId: number): Promise<boolean> {
  const rows = await tx`update environments set resets = resets + 1 where id = ${environmentId} and kind = 'sandbox' returning id`;
  return rows.length > 0;
}

/** The database's clock, epoch milliseconds. */
export async function selectNow(sql: Sql): Promise<number> {
  const [row] = await sql<{ now: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`;
  return row?.now ?? 0;
}

/** Who is signed in with a session that has not ended. */
export interface PersonRow {
  sessionId: string;
  userId: string;
  email: string;
  /** Whether `lastSeenAt` is more than five minutes behind. */
  isUseDue: boolean;
}

/** A person's standing in a project that is not archived. */
export interface AccessRow {
  role: Role;
  environment: Environment;
  projectName: string;
  /** The database's clock, epoch milliseconds. */
  realNow: number;
}

export async function selectPerson(sql: Sql, sessionId: string): Promise<PersonRow | null> {
  const [row] = await sql<PersonRow[]>`
    select s.id as "sessionId", u.id as "userId", u.email, s.last_seen_at < now() - interval '5 minutes' as "isUseDue"
    from sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId} and s.expires_at > now()`;
  return row ?? null;
}

/** The roles that a person has in a project: in all of its organization, or there alone. Empty for a stranger. */
export async function selectAccess(sql: Sql, userId: string, projectSlug: string, kind: EnvironmentKind): Promise<AccessRow[]> {
  const rows = await sql<(Environment & Omit<AccessRow, "environment">)[]>`
    select e.id, e.kind, p.organization_id as "organizationId", p.id as "projectId", p.slug as "projectSlug",
      p.default_language as "defaultLanguage", p.time_zone as "timeZone",
      e.definitions_version as "definitionsVersion", e.clock_offset_ms as "clockOffsetMs", e.resets,
      m.role, p.name as "projectName", (extract(epoch from clock_timestamp()) * 1000)::bigint as "realNow"
    from projects p
      join environments e on e.project_id = p.id and e.kind = ${kind}
      join memberships m on m.organization_id = p.organization_id and (m.project_id is null or m.project_id = p.id)
    where p.slug = ${projectSlug} and p.archived_at is null and m.user_id = ${userId}`;
  return rows.map(({ role, projectName, realNow, ...environment }) => ({ role, projectName, realNow, environment }));
}

/** One line of the audit log. `difference` is JSON, or null. */
export interface AuditEntry {
  projectId: string;
  /** Null for what belongs to the whole project. */
  environmentId: number | null;
  actor: Actor;
  action: string;
  subjectKind: string;
  subjectKey: string | null;
  difference: unknown;
}

/** One, in a transaction of the query builder. */
export async function insertAuditEntry(orm: Queries, { actor, ...entry }: AuditEntry): Promise<void> {
  await orm.insert(auditLog).values({ ...entry, userId: actor.userId, actor: actor.name, token: actor.token ?? null });
}

export async function insertAuditEntries(tx: Transaction, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ actor, ...entry }) => ({
    ...entry,
    userId: actor.userId,
    actor: actor.name,
    token: actor.token ?? null,
  }));
  await tx`
    insert into audit_log (project_id, environment_id, user_id, actor, token, action, subject_kind, subject_key, difference)
    select "projectId", "environmentId", "userId", actor, token, action, "subjectKind", "subjectKey", nullif(difference, 'null'::jsonb)
    from json_to_recordset(${writeJson(rows)}::text::json) as entry (
      "projectId" uuid, "environmentId" int, "userId" uuid, actor text, token text, action text, "subjectKind" text, "subjectKey" text, difference jsonb)`;
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
