import { type Database, execute, onlyRow, type Transaction } from "../../db/client.ts";
import type { PeerProcesses } from "./quota-split.ts";

/** A process silent for this long counts as dead, unless the database is slow. */
export const DEAD_MS = 3_000;

/** Rows of dead processes are deleted much later, so that a process that was only slow meets no conflict. */
const FORGOTTEN_MS = 60_000;

/**
 * Records that a process is alive and how many requests in flight it takes, as `choose` computes from the others. Serialized, so that no
 * two processes take the same slots. Commits without waiting for the disk: a beat lost in a crash is replaced by the next.
 */
export async function beat(database: Database, id: string, choose: (peers: PeerProcesses) => number): Promise<void> {
  const began = performance.now();
  await database.sql.begin(async (tx) => {
    // The others wait for this lock: if a process freezes or vanishes while it has it, the server ends its session.
    await tx`
      select pg_advisory_xact_lock(hashtext('engagement processes')), set_config('synchronous_commit', 'off', true),
        set_config('idle_in_transaction_session_timeout', ${String(DEAD_MS)}, true)`;
    // If this is slow, so are the others' beats, and a process may look dead although it is alive.
    const slowMs = performance.now() - began;
    const inFlight = choose(await peersOf(tx, id, DEAD_MS + 2 * slowMs));
    await tx`
      with forgotten as (
        delete from processes where id <> ${id}::uuid and beat_at < clock_timestamp() - ${FORGOTTEN_MS}::float8 * interval '1 ms'
      )
      insert into processes (id, in_flight, beat_at) values (${id}::uuid, ${inFlight}::int, clock_timestamp())
      on conflict (id) do update set beat_at = excluded.beat_at, in_flight = excluded.in_flight`;
  });
}

const peersOf = (tx: Transaction, id: string, deadMs: number) =>
  onlyRow(tx<PeerProcesses[]>`
    select count(*) filter (where id < ${id}::uuid) as index, count(*) + 1 as processes, coalesce(sum(in_flight), 0)::int as taken
    from processes where id <> ${id}::uuid and beat_at >= clock_timestamp() - ${deadMs}::float8 * interval '1 ms'`);

/** Removes a process that has stopped serving. */
export const withdraw = ({ sql }: Database, id: string) => execute(sql`delete from processes where id = ${id}::uuid`);
