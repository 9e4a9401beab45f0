import type { Sql } from "#db/client.ts";

/** A process's report on itself. */
export interface Instance {
  id: string;
  host: string;
  pid: number;
  version: string;
  node: string;
  isServing: boolean;
  isWorking: boolean;
  /** Epoch milliseconds. */
  startedAt: number;
}

/** What a process reports with each beat; an older version reports only its memory. */
export interface InstanceState {
  memoryBytes: number;
  pools?: { name: string; size: number; inUse: number; waiting: number }[];
  errors?: { serverErrors: number; failedAttempts: number; quarantined: number };
}

/** Records a beat; processes silent for a day are deleted. A beat lost in a crash is replaced by the next. */
export async function upsertInstance(sql: Sql, instance: Instance, state: InstanceState): Promise<void> {
  const { id, host, pid, version, node, isServing, isWorking, startedAt } = instance;
  await sql`
    with forgotten as (
      delete from instances where id <> ${id}::uuid and beat_at < clock_timestamp() - interval '1 day'
    )
    insert into instances (id, host, pid, version, node, is_serving, is_working, started_at, beat_at, state)
    values (${id}::uuid, ${host}, ${pid}, ${version}, ${node}, ${isServing}, ${isWorking}, to_timestamp(${startedAt / 1000}::float8),
      clock_timestamp(), ${JSON.stringify(state)}::text::json)
    on conflict (id) do update set beat_at = excluded.beat_at, state = excluded.state`;
}

export async function deleteInstance(sql: Sql, id: string): Promise<void> {
  await sql`delete from instances where id = ${id}::uuid`;
}

export interface InstanceRow extends Instance {
  beatAt: number;
  secondsSilent: number;
  state: InstanceState;
}

export const selectInstances = (sql: Sql, limit: number): Promise<InstanceRow[]> =>
  sql<InstanceRow[]>`
    select id, host, pid, version, node, is_serving as "isServing", is_working as "isWorking",
      (extract(epoch from started_at) * 1000)::bigint as "startedAt", (extract(epoch from beat_at) * 1000)::bigint as "beatAt",
      extract(epoch from clock_timestamp() - beat_at)::float8 as "secondsSilent", state
    from instances order by beat_at desc limit ${limit}::int`.execute();
