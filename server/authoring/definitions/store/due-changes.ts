import { allValues, type Sql } from "#db/client.ts";

/** Pending scheduled changes and approved requests, with the instants at which they are due on their environments' clocks. */
const waiting = (sql: Sql) => sql`(
  select id, environment_id, due_at, created_at, false as is_request from scheduled_changes where failed_at is null
  union all
  select id, environment_id, coalesce(due_at, created_at), created_at, true from change_requests
  where closed_at is null and state = 'Approved'
) c join environments e on e.id = c.environment_id and c.due_at <= now() + e.clock_offset_ms * interval '1 millisecond'`;

/** The environments with due changes. Archived projects wait. */
export const environmentsWithDueChanges = (sql: Sql) =>
  allValues(sql<{ id: number }[]>`
    select distinct e.id from ${waiting(sql)} join projects p on p.id = e.project_id where p.archived_at is null`);

/** An environment's due changes, in order. */
export const selectDueChanges = (sql: Sql, environmentId: number) =>
  sql<{ id: string; isRequest: boolean }[]>`
    select c.id, c.is_request from ${waiting(sql)} where e.id = ${environmentId}::int
    order by c.due_at, c.created_at, c.id`.execute();
