import type { Sql, Transaction } from "#db/client.ts";
import type { Leaderboard } from "#server/model/definitions/compiled.ts";
import type { Below } from "#server/model/kernel/stored.ts";
import type { Outcome } from "#server/model/leaderboards/ranking.ts";
import { numberOf, type Score, sortScore } from "#server/model/leaderboards/scores.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";

/** A period in which a player has scored. */
export interface PartIn {
  leaderboardId: number;
  /** The local date of its first day; empty if the board has only one period. */
  start: string;
}

/** The periods in which a player, or a team with them, has scored. */
export const selectPeriodsOf = (sql: Sql, { part, playerId }: PlayerKey): Promise<PartIn[]> =>
  sql<PartIn[]>`
    select p.leaderboard_id, p.start from leaderboard_periods p
    where p.id in (
      select abs(period_id) from leaderboard_scores where part = ${part} and player_id = ${playerId}
      union select abs(period_id) from leaderboard_contributions where part = ${part} and player_id = ${playerId})`.execute();

/** How a settled period ended for a player. */
export interface Finish extends PartIn {
  periodId: number;
  settledAt: number;
  /** Null in a league, where ranks are those of a group. */
  rank: number | null;
  outcome: Outcome | null;
}

/** The settled periods of a player below a cursor, newest first. Ranks are counted only for these. */
export const finishesBelow = (sql: Sql, { part, playerId }: PlayerKey, { at, id }: Below<number>, limit: number): Promise<Finish[]> =>
  sql<Finish[]>`
    with own as materialized (
      select s.period_id, s.sort_score, m.player_id is not null as is_seated, m.outcome
      from leaderboard_scores s left join leaderboard_seats m on m.part = s.part and m.player_id = s.player_id and m.period_id = s.period_id
      where s.part = ${part} and s.player_id = ${playerId}
    )
    select f.id as period_id, f.leaderboard_id, f.start, f.settled_at,
      case when not f.is_seated then leaderboard_rank(f.id, f.sort_score) end as rank, f.outcome
    from (
      select p.id, p.leaderboard_id, p.start, p.settled_at, s.sort_score, s.is_seated, s.outcome
      from own s join leaderboard_periods p on p.id = s.period_id and p.step = 'Settled'
      where (p.settled_at, p.id) < (${at}, ${id}::int)
      order by p.settled_at desc, p.id desc limit ${limit}::int
    ) f
    order by f.settled_at desc, f.id desc`.execute();

/** Deletes the periods of a board that never had a score, with their ranges, seats and fills. The environment lock is held exclusively. */
export async function deletePeriodsOf(tx: Transaction, leaderboardId: number): Promise<void> {
  const periods = tx`select id from leaderboard_periods where leaderboard_id = ${leaderboardId}::int`;
  for (const table of ["leaderboard_counts", "leaderboard_blocks", "leaderboard_seats"] as const) {
    await tx`delete from ${tx(table)} where period_id in (${periods})`;
  }
  await tx`delete from leaderboard_fills where leaderboard_id = ${leaderboardId}::int`;
  await tx`delete from leaderboard_periods where leaderboard_id = ${leaderboardId}::int`;
}

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
          select p.start, s.sort_score::text as score, s.reached_seq, s.latest_at
          from leaderboard_periods p join leaderboard_scores s on s.part = ${part} and s.player_id = ${playerId} and s.period_id in (p.id, -p.id)
          where p.leaderboard_id = ${board.id}`
      : await sql<ScoredRow[]>`
          select p.start, c.score::text as score, c.reached_seq, c.latest_at
          from leaderboard_periods p join leaderboard_contributions c on c.part = ${part} and c.player_id = ${playerId} and c.period_id in (p.id, -p.id)
          where p.leaderboard_id = ${board.id} and c.team_key = ${team ?? ""}`;
  const scoreOf = (text: string) => (board.teamAttributeId === null ? sortScore(numberOf(text), board.rankOrder) : numberOf(text));
  return new Map(rows.map(({ start, score, reachedSeq, latestAt }) => [start, { score: scoreOf(score), reachedSeq, latestAt }]));
}
