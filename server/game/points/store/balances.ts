import type { Sql } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";

/** The balances of some players, by player id. Players who never had points are left out. */
export async function selectBalances(sql: Sql, players: readonly PlayerKey[]): Promise<Map<string, number>> {
  if (players.length === 0) return new Map();
  const keys = players.map(({ part, playerId }) => ({ part, playerId }));
  const rows = await sql<{ playerId: string; balance: number }[]>`
    select k."playerId", b.balance
    from json_to_recordset(${writeJson(keys)}::text::json) as k("part" smallint, "playerId" uuid)
    join balances b on b.part = k.part and b.player_id = k."playerId"`;
  return new Map(rows.map(({ playerId, balance }) => [playerId, balance]));
}
