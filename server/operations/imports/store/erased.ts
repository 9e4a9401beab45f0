import type { Sql } from "#db/client.ts";
import { arrayText } from "#server/model/kernel/array-text.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";

/** Which of these players were erased since an instant (epoch milliseconds, the environment's clock). */
export async function erasedSince(sql: Sql, since: number, keys: readonly PlayerKey[]): Promise<Set<string>> {
  const rows = await sql<{ playerId: string }[]>`
    select e.player_id as "playerId"
    from unnest(${arrayText(keys.map(({ part }) => part))}::text::smallint[], ${arrayText(keys.map(({ playerId }) => playerId))}::text::uuid[]) as k(part, player_id)
    join erasures e on e.part = k.part and e.player_id = k.player_id and e.erased_at >= to_timestamp(${since / 1000}::float8)`;
  return new Set(rows.map(({ playerId }) => playerId));
}
