import type { Sql } from "#db/client.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import { numberOf, type Score, sortScore } from "#server/model/leaderboards/scores.ts";

type ScoredRow = { start: string; score: string; reachedSeq: number; latestAt: number | null };

/** A player's scores in the periods of a board, hidden or not, by the period's start; on a team board for the team they are in now. */
export async function loadScoresOf(
  sql: Sql,
  board: Leaderboard,
  { part, playerId }: PlayerKey,
  team: string | null,
): Promise<Map<string, Score>> {
  const rows =
    board.teamAttributeId === null
      ? await sql<ScoredRow[]>`
          select p.start, s.sort_score::text as score, s.reached_seq as "reachedSeq", (extract(epoch from s.latest_at) * 1000)::bigint as "latestAt"
          from leaderboard_periods p join leaderboard_scores s on s.part = ${part} and s.player_id = ${playerId} and s.period_id in (p.id, -p.id)
          where p.leaderboard_id = ${board.id}`
      : await sql<ScoredRow[]>`
          select p.start, c.score::text as score, c.reached_seq as "reachedSeq", (extract(epoch from c.latest_at) * 1000)::bigint as "latestAt"
          from leaderboard_periods p join leaderboard_contributions c on c.part = ${part} and c.player_id = ${playerId} and c.period_id in (p.id, -p.id)
          where p.leaderboard_id = ${board.id} and c.team_key = ${team ?? ""}`;
  const scoreOf = (text: string) => (board.teamAttributeId === null ? sortScore(numberOf(text), board.rankOrder) : numberOf(text));
  return new Map(rows.map(({ start, score, reachedSeq, latestAt }) => [start, { score: scoreOf(score), reachedSeq, latestAt }]));
}
