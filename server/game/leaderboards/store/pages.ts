import { firstValue, type Sql } from "#db/client.ts";
import type { PeriodStep } from "#db/schema/leaderboards.ts";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";
import type { Outcome } from "#server/model/leaderboards/ranking.ts";
import { FIRST_UUID } from "#server/model/kernel/stored.ts";

/** A period for the dashboard. Instants are epoch milliseconds on the environment's clock. */
export interface KeptPeriod {
  id: number;
  start: string;
  startsAt: number | null;
  endsAt: number | null;
  settlesAt: number | null;
  settledAt: number | null;
  step: PeriodStep;
  participants: number;
  /** Seats given in each tier. */
  seats: number[];
}

const PERIOD = `p.id, p.start, p.starts_at, p.ends_at, p.settles_at, p.settled_at, p.step, p.seats,
  coalesce(p.participants, (select sum(c.total) from leaderboard_counts c where c.period_id = p.id), 0)::int as participants`;

/** The periods of a board before one of them, the newest first. */
export const selectPeriods = (sql: Sql, leaderboardId: number, before: string | null, limit: number): Promise<KeptPeriod[]> =>
  sql.unsafe<KeptPeriod[]>(
    `select ${PERIOD} from leaderboard_periods p where p.leaderboard_id = $1 and ($2::text is null or p.start < $2::text) order by p.start desc limit $3::int`,
    [leaderboardId, before, limit],
  );

/** One period by its start; null if there is none. */
export async function selectPeriod(sql: Sql, leaderboardId: number, start: string): Promise<KeptPeriod | null> {
  const [row] = await sql.unsafe<KeptPeriod[]>(`select ${PERIOD} from leaderboard_periods p where p.leaderboard_id = $1 and p.start = $2`, [
    leaderboardId,
    start,
  ]);
  return row ?? null;
}

/** A row of a board with its rank; of a team, or of a player with their seat in a league. */
export interface PageRow extends PlayerKey {
  externalId: string | null;
  displayName: string | null;
  team: string | null;
  members: number | null;
  sortScore: Numeric;
  reachedSeq: number;
  rank: number;
  tier: number | null;
  groupNumber: number | null;
  outcome: Outcome | null;
}

/** A cursor in a board. */
export interface RowCursor {
  sortScore: string;
  reachedSeq: number;
  playerId: string;
}

/** The rows of a period after a cursor, with their ranks from the counts. `+ 0`, here and below, is explained in the README. */
export const selectRows = (sql: Sql, periodId: number, after: RowCursor | null, limit: number): Promise<PageRow[]> =>
  sql<PageRow[]>`
    select r.part, r.player_id, r.external_id, r.display_name, r.team_key as team, r.members,
      r.sort_score::text::json as sort_score, r.reached_seq, leaderboard_rank(${periodId}::int, r.sort_score) as rank,
      r.tier, r.group_number, r.outcome
    from (
      select s.part, s.player_id, s.team_key, s.members, s.sort_score, s.reached_seq, p.external_id, p.display_name, m.tier, m.group_number, m.outcome
      from leaderboard_scores s
      left join players p on p.part = s.part and p.player_id = s.player_id
      left join leaderboard_seats m on m.part = s.part and m.player_id = s.player_id and m.period_id = s.period_id + 0
      where s.period_id = ${periodId} and (s.sort_score, s.reached_seq, s.player_id)
        > (${after?.sortScore ?? "-infinity"}::text::numeric, ${after?.reachedSeq ?? 0}::bigint, ${after?.playerId ?? FIRST_UUID}::uuid)
      order by s.sort_score, s.reached_seq, s.player_id limit ${limit}::int
    ) r
    order by r.sort_score, r.reached_seq, r.player_id`.execute();

/** The cursor some rows above a row of a period. Undefined if there is no such row, null at the top. */
export async function entryAbove(
  sql: Sql,
  periodId: number,
  { part, playerId }: PlayerKey,
  rows: number,
): Promise<RowCursor | null | undefined> {
  const [own] = await sql<RowCursor[]>`
    select sort_score::text, reached_seq, player_id from leaderboard_scores
    where part = ${part} and player_id = ${playerId} and period_id = ${periodId}`;
  if (own === undefined) return undefined;
  const above = await sql<RowCursor[]>`
    select sort_score::text, reached_seq, player_id from leaderboard_scores s
    where s.period_id = ${periodId}
      and (s.sort_score, s.reached_seq, s.player_id) < (${own.sortScore}::text::numeric, ${own.reachedSeq}::bigint, ${own.playerId}::uuid)
    order by s.sort_score desc, s.reached_seq desc, s.player_id desc limit ${rows + 1}::int`;
  return above[rows] ?? null;
}

/** The team to which a player has contributed most in a period; null if there is none. */
export const selectTeamOf = (sql: Sql, periodId: number, { part, playerId }: PlayerKey) =>
  firstValue(sql<{ team: string }[]>`
    select team_key as team from leaderboard_contributions
    where part = ${part} and player_id = ${playerId} and period_id = ${periodId} order by score desc, team_key limit 1`);

/** The players of a group of a league with their seats, in the order of their scores. */
export const selectGroup = (sql: Sql, periodId: number, tier: number, groupNumber: number) =>
  sql<Omit<PageRow, "rank" | "team" | "members">[]>`
    select s.part, s.player_id, p.external_id, p.display_name, s.sort_score::text::json as sort_score,
      s.reached_seq, m.tier, m.group_number, m.outcome
    from leaderboard_seats m
    join leaderboard_scores s on s.part = m.part and s.player_id = m.player_id and s.period_id = m.period_id + 0
    left join players p on p.part = s.part and p.player_id = s.player_id
    where m.period_id = ${periodId} and m.tier = ${tier} and m.group_number = ${groupNumber}
    order by s.sort_score, s.reached_seq, s.player_id`.execute();
