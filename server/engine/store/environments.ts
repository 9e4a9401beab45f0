import type { Sql } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";

const environmentColumns = (sql: Sql) => sql`
  e.id, e.kind, p.organization_id as "organizationId", p.id as "projectId", p.slug as "projectSlug",
  p.default_language as "defaultLanguage", p.time_zone as "timeZone",
  e.definitions_version as "definitionsVersion", e.clock_offset_ms as "clockOffsetMs", e.resets`;

export async function selectEnvironment(sql: Sql, environmentId: number): Promise<Environment | null> {
  const [row] = await sql<Environment[]>`
    select ${environmentColumns(sql)} from environments e join projects p on p.id = e.project_id where e.id = ${environmentId}`;
  return row ?? null;
}

/** The environments of a project, Sandbox first; empty when there is no such project. */
export const selectEnvironmentsOf = (sql: Sql, projectSlug: string): Promise<Environment[]> =>
  sql<Environment[]>`
    select ${environmentColumns(sql)} from environments e join projects p on p.id = e.project_id
    where p.slug = ${projectSlug} order by e.id`.execute();
