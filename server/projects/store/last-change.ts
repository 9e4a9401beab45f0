import type { Sql } from "../../../db/client.ts";
import type { Environment } from "../../kernel/environment.ts";

/** `at` is real time, epoch milliseconds. */
export interface LastChange {
  actor: string;
  at: number;
}

export async function selectLastChange(
  sql: Sql,
  { id, projectId }: Environment,
  subjectKind: string,
  subjectKey: string | null,
): Promise<LastChange | null> {
  const [row] = await sql<LastChange[]>`
    select actor, (extract(epoch from at) * 1000)::bigint as at from audit_log
    where project_id = ${projectId} and environment_id = ${id}::int
      and subject_kind = ${subjectKind} and subject_key is not distinct from ${subjectKey}
    order by id desc limit 1`;
  return row ?? null;
}
