import type { Sql } from "../../../db/client.ts";
import { writeJson } from "../../kernel/json.ts";
import type { PlayerKey } from "../../players/service.ts";

/** What a list of players says of a player's points. */
export interface PointsStanding {
  balance: number;
  /** When the balance last moved, on the environment's clock; null where it never did. */
  movedAt: number | null;
}

/** The points of some players, by player id: one probe of two keys for each. */
export async function selectStandings(sql: Sql, players: readonly PlayerKey[]): Promise<Map<string, PointsStanding>> {
  if (players.length === 0) return new Map();
  const keys = players.map(({ part, playerId }) => ({ part, playerId }));
  const rows = await sql<(PointsStanding & { playerId: string })[]>`
    select k."playerId", coalesce(b.balance, 0) as balance, (extract(epoch from moved.at) * 1000)::bigint as "movedAt"
    from json_to_recordset(${writeJson(keys)}::text::json) as k("part" smallint, "playerId" uuid)
    left join balances b on b.part = k.part and b.player_id = k."playerId"
    left join lateral (
      select t.occurred_at as at from points_transactions t where t.part = k.part and t.player_id = k."playerId"
      order by t.occurred_at desc, t.seq desc limit 1
    ) moved on true`;
  return new Map(rows.map(({ playerId, ...standing }) => [playerId, standing]));
}
