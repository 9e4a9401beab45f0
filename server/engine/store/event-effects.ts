import type { Sql, Transaction } from "#db/client.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { decodeMoved, type Moved, type RecordedEvent } from "../moved.ts";

/** Writes the moves of events, in the transaction that applies them; the request log reads and purges them (`insight/request-log/`). */
export async function saveEventEffects(
  tx: Transaction,
  { id, definitionsVersion }: { id: number; definitionsVersion: number },
  events: readonly RecordedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await tx`
    insert into event_effects (environment_id, seq, part, player_id, definitions_version, moved)
    select ${id}::int, r.seq, r.part, r."playerId", ${definitionsVersion}::int, r.moved
    from json_to_recordset(${writeJson(events)}::text::json) as r("seq" bigint, "part" smallint, "playerId" uuid, "moved" text)
    on conflict do nothing`;
}

/** The moves of an event, and the definitions' version that applied it; null if not kept. */
export async function selectEventEffects(
  sql: Sql,
  environmentId: number,
  seq: number,
): Promise<{ definitionsVersion: number; moved: Moved } | null> {
  const [row] = await sql<{ definitionsVersion: number; moved: string }[]>`
    select definitions_version, moved from event_effects where environment_id = ${environmentId} and seq = ${seq}`;
  return row === undefined ? null : { definitionsVersion: row.definitionsVersion, moved: decodeMoved(row.moved) };
}
