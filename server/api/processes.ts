import type { Sql } from "../../db/client.ts";

/** Who has shown no sign of life for this long is taken for dead. */
export const DEAD_MS = 3_000;

/** Rows that nobody looks at any more; taken away much later, so that nobody is in the way of who was only slow. */
const FORGOTTEN_MS = 60_000;

/** Where a process stands among those that serve the database. */
export interface Standing {
  /** How many live ones go before it in the order of their ids. */
  place: number;
  /** How many are alive, itself included. */
  processes: number;
}

/** Shows that a process is alive, and tells where it stands. Commits without waiting for the disk: a beat that a crash loses is made up by the next. */
export async function beat(sql: Sql, id: string): Promise<Standing> {
  const [row] = await sql<Standing[]>`
    with shown as (
      insert into processes (id, beat_at)
      select ${id}::uuid, clock_timestamp() from set_config('synchronous_commit', 'off', true)
      on conflict (id) do update set beat_at = excluded.beat_at
    ), forgotten as (
      delete from processes where id <> ${id}::uuid and beat_at < clock_timestamp() - ${FORGOTTEN_MS}::float8 * interval '1 ms'
    )
    select count(*) filter (where id < ${id}::uuid) as place, count(*) + 1 as processes
    from processes where id <> ${id}::uuid and beat_at >= clock_timestamp() - ${DEAD_MS}::float8 * interval '1 ms'`;
  return row!;
}

/** Takes a process out that serves no more. */
export async function withdraw(sql: Sql, id: string): Promise<void> {
  await sql`delete from processes where id = ${id}::uuid`;
}
