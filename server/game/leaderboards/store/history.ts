import type { Sql } from "#db/client.ts";
import type { Below } from "#server/model/kernel/cursor.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import type { Outcome } from "#server/model/leaderboards/leagues.ts";

/** A period that a player has a part in. */
export interface PartIn {
  leaderboardId: number;
  /** The local date of its first day; empty where there is only one. */
  start: string;
}

/** The periods in which a player, or a team with them, has scored. */
export const selectPeriodsOf = (sql: Sql, { part, playerId }: PlayerKey): Promise<PartIn[]> =>
  sql<PartIn[]>`
    select p.leaderboard_id as "leaderboardId", p.start from leaderboard_periods p
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

/** The settled periods of a player below a place, newest first. Ranks are counted for these alone. */
export const finishesBelow = (sql: Sql, { part, playerId }: PlayerKey, { at, id }: Below<number>, limit: number): Promise<Finish[]> =>
  sql<Finish[]>`
    with own as materialized (
      select s.period_id, s.sort_score, m.player_id is not null as is_seated, m.outcome
      from leaderboard_scores s left join leaderboard_seats m on m.part = s.part and m.player_id = s.player_id and m.period_id = s.period_id
      where s.part = ${part} and s.player_id = ${playerId}
    )
    select f.id as "periodId", f.leaderboard_id as "leaderboardId", f.start, (extract(epoch from f.settled_at) * 1000)::bigint as "settledAt",
      case when not f.is_seated then leaderboard_rank(f.id, f.sort_score) end as rank, f.outcome
    from (
      select p.id, p.leaderboard_id, p.start, p.settled_at, s.sort_score, s.is_seated, s.outcome
      from own s join leaderboard_periods p on p.id = s.period_id and p.step = 'Settled'
      where (p.settled_at, p.id) < (to_timestamp(${at / 1000}::float8)::timestamptz(3), ${id}::int)
      order by p.settled_at desc, p.id desc limit ${limit}::int
    ) f
    order by f.settled_at desc, f.id desc`.execute();
