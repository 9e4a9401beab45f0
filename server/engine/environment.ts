import { firstRow, selectNow, type Sql } from "../../db/client.ts";
import type { Environment } from "../model/kernel/environment.ts";

/** The environment as the database has it now; null if there is none. It does not change while the environment's lock is held. */
export const loadEnvironment = (sql: Sql, environmentId: number) =>
  firstRow(sql<Environment[]>`
    select ${environmentColumns(sql)} from environments e join projects p on p.id = e.project_id where e.id = ${environmentId}`);

/** The present on an environment's clock, epoch milliseconds. */
export const environmentNow = async (sql: Sql, environment: Environment): Promise<number> =>
  (await selectNow(sql)) + environment.clockOffsetMs;

/** The columns of an `Environment`; its row is called `e`, that of its project `p`. */
export const environmentColumns = (sql: Sql) => sql`
  e.id, e.kind, p.organization_id, p.id as project_id, p.slug as project_slug, p.default_language, p.time_zone,
  e.definitions_version, e.clock_offset_ms, e.resets`;

/** The environments of a project, Sandbox first; empty when there is no such project. */
export const selectEnvironmentsOf = (sql: Sql, projectSlug: string): Promise<Environment[]> =>
  sql<Environment[]>`
    select ${environmentColumns(sql)} from environments e join projects p on p.id = e.project_id
    where p.slug = ${projectSlug} order by e.id`.execute();
