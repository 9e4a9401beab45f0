import type { Sql } from "#db/client.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";

/** An erasure. The instant is on the environment's clock, epoch milliseconds. */
export interface ErasureRow extends PlayerKey {
  erasedAt: number;
}

/** In the order in which they were done. */
export const selectErasures = (sql: Sql, environmentId: number): Promise<ErasureRow[]> =>
  sql<ErasureRow[]>`
    select part, player_id as "playerId", (extract(epoch from erased_at) * 1000)::bigint as "erasedAt" from erasures
    where environment_id = ${environmentId} order by erased_at, part, player_id`.execute();

/** The external id of a player who exists despite their erasure; null if there is none, or only one created later. */
export async function findErased(sql: Sql, environmentId: number, { part, playerId, erasedAt }: ErasureRow): Promise<string | null> {
  const [row] = await sql<{ externalId: string }[]>`
    select external_id as "externalId" from players
    where part = ${part} and player_id = ${playerId} and environment_id = ${environmentId}
      and created_at <= to_timestamp(${erasedAt / 1000}::float8)`;
  return row?.externalId ?? null;
}
