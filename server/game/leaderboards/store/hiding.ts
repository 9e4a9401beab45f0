import { execute, firstValue, type Transaction } from "#db/client.ts";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";
import { arrayText } from "#server/model/kernel/stored.ts";

/** The instant since which a player is hidden, with the player locked; undefined for an unknown player. */
export async function lockHidden(tx: Transaction, { part, playerId }: PlayerKey): Promise<{ hiddenAt: number | null } | undefined> {
  const [row] = await tx<{ hiddenAt: number | null }[]>`
    select hidden_at from players where part = ${part} and player_id = ${playerId} for no key update`;
  return row;
}

/** Hides a player from `at` on; null: the player is no longer hidden. */
export const setHidden = (tx: Transaction, { part, playerId }: PlayerKey, at: number | null) =>
  execute(tx`
    update players set hidden_at = ${at} where part = ${part} and player_id = ${playerId}`);

/** The key of a leaderboard that is being settled, with the player in that period; null if there is none. */
export const movingBoardOf = (tx: Transaction, { part, playerId }: PlayerKey) =>
  firstValue(tx<{ key: string }[]>`
    select d.key from leaderboard_periods p join definitions d on d.id = p.leaderboard_id
    where p.step in ('Carrying', 'Seating', 'Closing') and p.id in (
      select abs(period_id) from leaderboard_scores where part = ${part} and player_id = ${playerId}
      union select abs(period_id) from leaderboard_contributions where part = ${part} and player_id = ${playerId})
    order by d.key limit 1`);

/** The destination of rows: the hidden side, or the boards. They come from the other one. */
export type Side = "hidden" | "shown";

const signOf = (to: Side): 1 | -1 => (to === "hidden" ? 1 : -1);

/** A moved score; `sortScore` is in sort order. */
export interface MovedScore {
  periodId: number;
  sortScore: Numeric;
}

/** Moves a player's scores to the other side, in the periods that accept scores. */
export const moveScores = (tx: Transaction, { part, playerId }: PlayerKey, to: Side) =>
  tx<MovedScore[]>`
    update leaderboard_scores s set period_id = -s.period_id from leaderboard_periods p
    where s.part = ${part} and s.player_id = ${playerId} and s.period_id = p.id * ${signOf(to)}::int and p.step in ('Open', 'Ended')
    returning p.id as period_id, s.sort_score::text::json as sort_score`.execute();

/** A player's contribution to a team. */
export interface MovedContribution {
  periodId: number;
  leaderboardId: number;
  team: string;
  score: Numeric;
  reachedSeq: number;
}

/** Moves a player's contributions to teams of some boards, in the periods that accept scores. */
export const moveContributions = (tx: Transaction, { part, playerId }: PlayerKey, to: Side, boards: readonly number[]) =>
  tx<MovedContribution[]>`
    update leaderboard_contributions c set period_id = -c.period_id from leaderboard_periods p
    where c.part = ${part} and c.player_id = ${playerId} and c.period_id = p.id * ${signOf(to)}::int and p.step in ('Open', 'Ended')
      and p.leaderboard_id = any(${arrayText(boards)}::text::int[])
    returning p.id as period_id, p.leaderboard_id, c.team_key as team, c.score::text::json as score, c.reached_seq`.execute();

/** Moves a waiting request for a seat. A seat that was given stays in its group, without a score. */
export const moveSeats = (tx: Transaction, { part, playerId }: PlayerKey, to: Side) =>
  execute(tx`
    update leaderboard_seats s set period_id = -s.period_id from leaderboard_periods p
    where s.part = ${part} and s.player_id = ${playerId} and s.period_id = p.id * ${signOf(to)}::int and p.step in ('Open', 'Ended')
      and s.group_number is null`);
