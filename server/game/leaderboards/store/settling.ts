import { firstValue, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import type { Outcome } from "#server/model/leaderboards/ranking.ts";
import type { RowCursor } from "./pages.ts";
import { arrayText, FIRST_UUID } from "#server/model/kernel/stored.ts";

/** League periods whose seats can be given: the previous period is settled, and the board is filled with players' values. */
export async function periodsWithSeatsToGive(sql: Sql): Promise<{ id: number; environmentId: number }[]> {
  return sql.unsafe<{ id: number; environmentId: number }[]>(
    `select p.id, p.environment_id from leaderboard_periods p
     where p.step <> 'Settled'
       and p.id in (select u.id from periods_with_unseated() as u(id))
       and not exists (select from leaderboard_fills f where f.leaderboard_id = p.leaderboard_id and not f.is_through)
       and not exists (select from leaderboard_periods e where e.leaderboard_id = p.leaderboard_id and e.number < p.number and e.step <> 'Settled')`,
  );
}

/** The number of an environment's leagues in which the facts up to `seq`, of one player if given, have earned seats to be given. */
export async function countLeaguesToSeat(sql: Sql, environmentId: number, seq: number, player: PlayerKey | null): Promise<number> {
  const periods = (await periodsWithSeatsToGive(sql)).filter((period) => period.environmentId === environmentId).map(({ id }) => id);
  if (periods.length === 0) return 0;
  const ofPlayer = player === null ? sql`` : sql`and part = ${player.part} and player_id = ${player.playerId}`;
  return onlyValue(sql<{ count: number }[]>`
    select count(distinct period_id)::int as count from leaderboard_seats
    where period_id = any(${periods}::int[]) and group_number is null and first_seq <= ${seq}::bigint ${ofPlayer}`);
}

/** The position of an environment's first unapplied fact; null if all are applied. */
export const firstWaiting = (sql: Sql, environmentId: number, lanes: number) =>
  firstValue(sql<{ seq: number | null }[]>`
    select min(first.seq) as seq from generate_series(0, ${lanes - 1}::int) lane
    cross join lateral (
      select q.seq from queued_facts q where q.lane = lane.lane and q.environment_id = ${environmentId} and q.seq > (select floor from queue_floor)
      order by q.seq limit 1
    ) first`);

/** Whether an environment has queued facts from before an instant. */
export const hasWaitingFrom = (sql: Sql, environmentId: number, before: number, lanes: number) =>
  onlyValue(sql<{ waits: boolean }[]>`
    select exists (
      select from generate_series(0, ${lanes - 1}::int) lane
      join queued_facts q on q.lane = lane.lane and q.environment_id = ${environmentId} and q.received_at < ${before}
        and q.seq > (select floor from queue_floor)
    ) as waits`);

/** Players who wait for a seat, in the order of their first scores, with their tiers. */
export async function loadUnseated(
  tx: Transaction,
  leaderboardId: number,
  periodId: number,
  beforeSeq: number | null,
  limit: number,
): Promise<(PlayerKey & { tier: number })[]> {
  return tx<(PlayerKey & { tier: number })[]>`
    select s.part, s.player_id, coalesce(t.tier, 0) as tier
    from leaderboard_seats s
    left join leaderboard_tiers t on t.part = s.part and t.player_id = s.player_id and t.leaderboard_id = ${leaderboardId}
    where s.period_id = ${periodId} and s.group_number is null and (${beforeSeq}::bigint is null or s.first_seq < ${beforeSeq}::bigint)
    order by s.first_seq, s.player_id limit ${limit}`;
}

export async function giveSeats(
  tx: Transaction,
  periodId: number,
  rows: readonly (PlayerKey & { tier: number; groupNumber: number })[],
  given: readonly number[],
): Promise<void> {
  await tx`
    update leaderboard_seats s set tier = r.tier, group_number = r."groupNumber"
    from json_to_recordset(${writeJson(rows.map((row) => ({ ...row, periodId })))}::text::json)
      as r("part" smallint, "playerId" uuid, "periodId" int, "tier" smallint, "groupNumber" int)
    where s.part = r.part and s.player_id = r."playerId" and s.period_id = r."periodId"`;
  await tx`update leaderboard_periods set seats = ${arrayText(given)}::text::int[] where id = ${periodId}`;
}

export interface GroupName {
  tier: number;
  groupNumber: number;
}

export async function groupsAfter(tx: Transaction, periodId: number, after: GroupName | null, limit: number): Promise<GroupName[]> {
  return tx<GroupName[]>`
    select distinct tier, group_number from leaderboard_seats
    where period_id = ${periodId} and (tier, group_number) > (${after?.tier ?? -1}::smallint, ${after?.groupNumber ?? -1}::int)
    order by tier, group_number limit ${limit}`;
}

/** The outcome of each player of a league, and their next tier. */
export async function saveOutcomes(
  tx: Transaction,
  leaderboardId: number,
  periodId: number,
  rows: readonly (PlayerKey & { outcome: Outcome; tier: number })[],
): Promise<void> {
  await tx`
    update leaderboard_seats s set outcome = r.outcome
    from json_to_recordset(${writeJson(rows.map((row) => ({ ...row, periodId })))}::text::json)
      as r("part" smallint, "playerId" uuid, "periodId" int, "outcome" text)
    where s.part = r.part and s.player_id = r."playerId" and s.period_id = r."periodId"`;
  await tx`
    insert into leaderboard_tiers (part, player_id, leaderboard_id, tier)
    select part, "playerId", ${leaderboardId}::int, tier
    from json_to_recordset(${writeJson(rows.filter(({ outcome }) => outcome !== "Stayed"))}::text::json) as r("part" smallint, "playerId" uuid, "tier" smallint)
    on conflict (part, player_id, leaderboard_id) do update set tier = excluded.tier`;
}

/** A row of a board with its position. */
export interface RankedRow extends PlayerKey {
  externalId: string | null;
  team: string | null;
  sortScore: Numeric;
  reachedSeq: number;
}

/** The rows of a board after a cursor, in order. */
export const rowsAfter = (tx: Transaction, periodId: number, after: RowCursor | null, limit: number): Promise<RankedRow[]> =>
  tx<RankedRow[]>`
    select s.part, s.player_id, p.external_id, s.team_key as team, s.sort_score::text::json as sort_score, s.reached_seq
    from leaderboard_scores s
    left join players p on p.part = s.part and p.player_id = s.player_id
    where s.period_id = ${periodId} and (s.sort_score, s.reached_seq, s.player_id)
      > (${after?.sortScore ?? "-infinity"}::text::numeric, ${after?.reachedSeq ?? 0}::bigint, ${after?.playerId ?? FIRST_UUID}::uuid)
    order by s.sort_score, s.reached_seq, s.player_id limit ${limit}`.execute();

/** The players who contributed to a team, after a cursor, in key order. */
export const membersAfter = (tx: Transaction, periodId: number, team: string, after: PlayerKey | null, limit: number) =>
  tx<(PlayerKey & { externalId: string })[]>`
    select c.part, c.player_id, p.external_id
    from leaderboard_contributions c join players p on p.part = c.part and p.player_id = c.player_id
    where c.period_id = ${periodId} and c.team_key = ${team} and (c.part, c.player_id) > (${after?.part ?? -1}::smallint, ${after?.playerId ?? FIRST_UUID}::uuid)
    order by c.part, c.player_id limit ${limit}`.execute();

export interface ContributionCursor extends PlayerKey {
  team: string;
}

interface Contribution extends ContributionCursor {
  externalId: string;
  score: Numeric;
  reachedSeq: number;
}

/** The contributions of players after a cursor, by team. */
export const selectContributions = (
  tx: Transaction,
  periodId: number,
  after: ContributionCursor | null,
  limit: number,
): Promise<Contribution[]> =>
  tx<Contribution[]>`
    select c.part, c.player_id, c.team_key as team, p.external_id, c.score::text::json as score, c.reached_seq
    from (
      select * from leaderboard_contributions
      where period_id = ${periodId} and (team_key, part, player_id) > (${after?.team ?? ""}::text, ${after?.part ?? -1}::smallint, ${after?.playerId ?? FIRST_UUID}::uuid)
      order by team_key, part, player_id limit ${limit}
    ) c
    join players p on p.part = c.part and p.player_id = c.player_id
    order by c.team_key, c.part, c.player_id`.execute();
