import type { Transaction } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { periodIdOf } from "../../model/leaderboards/scores.ts";
import { checkAudiences } from "./check-audiences.ts";
import { checkScores } from "./check-scores.ts";
import { type HeldBoard, heldBoards, heldLine, periodName } from "./boards.ts";
import { isUngranted, joinGranted } from "../../engine/store/rewards.ts";

/** The leaderboards' part of the integrity check: a line for each violation. */
export async function checkLeaderboards(tx: Transaction, environment: Environment): Promise<string[]> {
  const held = await heldBoards(tx, environment);
  return [
    ...(await wrongCounts(tx, environment.id)),
    ...(await wrongTeams(tx, environment.id)),
    ...(await wrongSeats(tx, environment.id)),
    ...(await wrongHidden(tx, environment.id)),
    ...(await missingPrizes(tx, environment.id)),
    ...(await checkScores(tx, environment)),
    ...(await checkHeld(tx, environment, held)),
    ...(await checkAudiences(tx, environment, held)),
  ];
}

/** The counts by range equal the number of scores in them, over all lanes. */
export async function wrongCounts(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ key: string; start: string; block: number; place: number; counted: number; there: number }[]>`
    with periods as (
      select p.id, p.start, d.key,
        (select array_agg(b.block order by b.lower nulls first) from leaderboard_blocks b where b.period_id = p.id) as blocks,
        (select coalesce(array_agg(b.lower order by b.lower) filter (where b.lower is not null), '{}') from leaderboard_blocks b where b.period_id = p.id) as lowers
      from leaderboard_periods p left join definitions d on d.id = p.leaderboard_id where p.environment_id = ${environmentId}
    ), scores as (
      select p.id as period_id, p.blocks[width_bucket(s.sort_score, p.lowers) + 1] as block, s.sort_score
      from periods p join leaderboard_scores s on s.period_id = p.id
    ), there as (
      select s.period_id, s.block, width_bucket(s.sort_score, b.bounds) + 1 as place, count(*) as there
      from scores s join leaderboard_blocks b on b.period_id = s.period_id and b.block = s.block group by 1, 2, 3
    ), counted as (
      select c.period_id, c.block, n.place::int as place, sum(n.counted) as counted
      from leaderboard_counts c join periods p on p.id = c.period_id cross join lateral unnest(c.counts) with ordinality as n(counted, place)
      group by 1, 2, 3
      union all
      select c.period_id, c.block, 0, c.total - (select coalesce(sum(n), 0) from unnest(c.counts) n)
      from leaderboard_counts c join periods p on p.id = c.period_id
    )
    select p.key, p.start, block, place, coalesce(c.counted, 0) as counted, coalesce(t.there, 0) as there
    from there t full join counted c using (period_id, block, place) join periods p on p.id = period_id
    where coalesce(c.counted, 0) <> coalesce(t.there, 0)`;
  return rows.map(
    ({ key, start, block, place, counted, there }) =>
      `${periodName(key, start)}: ${counted} scores are counted in range ${block}/${place}, but there are ${there}`,
  );
}

/** A team's score is the sum of its members' scores for it. */
async function wrongTeams(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ key: string; start: string; team: string; score: string; sum: string; members: number; count: number }[]>`
    select d.key, p.start, team, coalesce(t.score, 0)::text as score, coalesce(c.sum, 0)::text as sum, coalesce(t.members, 0) as members,
      coalesce(c.count, 0) as count
    from (
      select s.period_id, s.team_key as team, case d.body ->> 'rankOrder' when 'HighestFirst' then -s.sort_score else s.sort_score end as score, s.members
      from leaderboard_scores s join leaderboard_periods p on p.id = s.period_id join definitions d on d.id = p.leaderboard_id
      where p.environment_id = ${environmentId} and s.team_key is not null
    ) t
    full join (
      select c.period_id, c.team_key as team, sum(c.score) as sum, count(*) as count
      from leaderboard_contributions c join leaderboard_periods p on p.id = c.period_id where p.environment_id = ${environmentId} group by 1, 2
    ) c using (period_id, team)
    join leaderboard_periods p on p.id = period_id left join definitions d on d.id = p.leaderboard_id
    where coalesce(t.score, 0) <> coalesce(c.sum, 0) or coalesce(t.members, 0) <> coalesce(c.count, 0)`;
  return rows.map(
    ({ key, start, team, score, sum, members, count }) =>
      `${periodName(key, start)}, team "${team}": score ${score} of ${members} members, but ${count} of them have scored ${sum}`,
  );
}

/** Every scorer in a league has one seat, no group exceeds its size, and a settled period has an outcome for each. */
async function wrongSeats(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ key: string; start: string; what: string }[]>`
    with leagues as (
      select p.id, p.start, p.step, d.key, (d.body -> 'league' ->> 'groupSize')::int as size
      from leaderboard_periods p join definitions d on d.id = p.leaderboard_id
      where p.environment_id = ${environmentId} and jsonb_typeof(d.body -> 'league') = 'object'
    )
    select l.key, l.start, 'group ' || m.tier || '/' || m.group_number || ' has ' || count(*) || ' players, more than ' || l.size as what
    from leagues l join leaderboard_seats m on m.period_id = l.id where m.group_number is not null
    group by l.key, l.start, l.size, m.tier, m.group_number having count(*) > l.size
    union all
    select l.key, l.start, 'the score of player ' || s.player_id || case when m.player_id is null then ' is without a seat' else ' is without an outcome' end
    from leagues l join leaderboard_scores s on s.period_id = l.id
    left join leaderboard_seats m on m.part = s.part and m.player_id = s.player_id and m.period_id = s.period_id
    where m.player_id is null or (l.step = 'Settled' and m.outcome is null)`;
  return rows.map(({ key, start, what }) => `${periodName(key, start)}: ${what}`);
}

/** Hidden players are not on unsettled boards, and visible players have no hidden rows. Periods that are being settled are skipped. */
async function wrongHidden(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ key: string; start: string; externalId: string; isHidden: boolean }[]>`
    select distinct d.key, p.start, w.external_id, w.hidden_at is not null as is_hidden
    from leaderboard_periods p
    join definitions d on d.id = p.leaderboard_id
    cross join lateral (
      select s.part, s.player_id, s.period_id from leaderboard_scores s where s.period_id in (p.id, -p.id)
      union all
      select c.part, c.player_id, c.period_id from leaderboard_contributions c where c.period_id in (p.id, -p.id)
    ) r
    join players w on w.part = r.part and w.player_id = r.player_id
    where p.environment_id = ${environmentId} and p.step in ('Open', 'Ended') and (w.hidden_at is not null) = (r.period_id > 0)
    order by d.key, p.start, w.external_id`;
  return rows.map(({ key, start, externalId, isHidden }) =>
    isHidden
      ? `${periodName(key, start)}: player "${externalId}" is hidden from leaderboards, but has a score there`
      : `${periodName(key, start)}: the score of player "${externalId}" is kept apart, but they are not hidden`,
  );
}

/** Every player on a winning rank of a settled period has received the whole prize. */
async function missingPrizes(tx: Transaction, environmentId: number): Promise<string[]> {
  const periods = await tx<{ id: number; leaderboardId: number; start: string; key: string }[]>`
    select p.id, p.leaderboard_id, p.start, d.key
    from leaderboard_periods p left join definitions d on d.id = p.leaderboard_id
    where p.environment_id = ${environmentId} and p.step = 'Settled' and json_array_length(p.prizes) > 0`;
  const named = periods.map((period) => ({ ...period, uuid: periodIdOf(period.leaderboardId, period.start) }));
  const rows = await tx<{ key: string; start: string; externalId: string; rank: number; ordinal: number }[]>`
    with settled as (
      select n.*, p.prizes, (select max((z ->> 'toRank')::int) from json_array_elements(p.prizes) z) as last
      from json_to_recordset(${writeJson(named)}::text::json) as n("id" int, "start" text, "key" text, "uuid" uuid)
      join leaderboard_periods p on p.id = n.id
    ), ranked as (
      select t.*, m.part, m.player_id, m.team_key, m.rank
      from settled t cross join lateral (
        select * from (
          select s.part, s.player_id, s.team_key,
            rank() over (partition by m.tier, m.group_number order by s.sort_score) as rank
          from leaderboard_scores s
          left join leaderboard_seats m on m.part = s.part and m.player_id = s.player_id and m.period_id = s.period_id
          where s.period_id = t.id
        ) r where r.rank <= t.last
      ) m
    ), winners as (
      select r.key, r.start, r.uuid, r.prizes, r.rank, coalesce(c.part, r.part) as part, coalesce(c.player_id, r.player_id) as player_id
      from ranked r left join leaderboard_contributions c on c.period_id = r.id and c.team_key = r.team_key
    )
    select w.key, w.start, p.external_id, w.rank, r.ordinal
    from winners w join players p on p.part = w.part and p.player_id = w.player_id
    cross join lateral (
      select w.part, w.player_id, w.uuid as source_id, z.prize, r.reward, row_number() over (order by z.place, r.place) - 1 as ordinal
      from json_array_elements(w.prizes) with ordinality as z(prize, place)
      cross join lateral json_array_elements(z.prize -> 'rewards') with ordinality as r(reward, place)
    ) r
    ${joinGranted(tx, "Leaderboard")}
    where w.rank between (r.prize ->> 'fromRank')::int and (r.prize ->> 'toRank')::int and ${isUngranted(tx)}`;
  return rows.map(
    ({ key, start, externalId, rank, ordinal }) =>
      `${periodName(key, start)}: player "${externalId}", rank ${rank}, was not granted reward ${ordinal}`,
  );
}

interface Fault {
  key: string;
  externalId: string;
  team: string;
  score: string | null;
  value: string | null;
}

/**
 * In the current period, an attribute board open to all players has each player's present value, on a team board for their present team.
 */
async function checkHeld(tx: Transaction, environment: Environment, held: readonly HeldBoard[]): Promise<string[]> {
  const asked = held.flatMap(({ board, periodId, endsAt }) => {
    const { id, key, definitionId, teamAttributeId, rankOrder, audience } = board;
    if (audience.rule !== null) return [];
    return [{ id, key, definitionId, teamAttributeId, sign: rankOrder === "HighestFirst" ? -1 : 1, periodId, endsAt }];
  });
  if (asked.length === 0) return [];
  const rows = await tx<Fault[]>`
    with boards as materialized (
      select b.id, b.key, b."definitionId", b."teamAttributeId", b.sign, b."periodId" as period_id, to_timestamp(b."endsAt" / 1000) as ends_at
      from json_to_recordset(${writeJson(asked)}::text::json)
        as b("id" int, "key" text, "definitionId" int, "teamAttributeId" int, "sign" int, "periodId" int, "endsAt" float8)
    ), players_of as materialized (
      -- Not checked: players with a value from after the end of the period, or with too long a team name.
      select b.period_id, p.part, p.player_id, a.value::text::numeric as value, coalesce(t.value #>> '{}', '') as team,
        b."teamAttributeId" is null or t.value is not null as is_ranked
      from boards b join players p on p.environment_id = ${environment.id}
      join attribute_values a on a.part = p.part and a.player_id = p.player_id and a.attribute_id = b."definitionId"
      left join attribute_values t on t.part = p.part and t.player_id = p.player_id and t.attribute_id = b."teamAttributeId"
      where (b.ends_at is null or a.occurred_at < b.ends_at) and (t.value is null or char_length(t.value #>> '{}') <= 200)
    ), held as (
      select period_id, part, player_id, team, value from players_of where is_ranked
    ), scored as (
      select b.period_id, s.part, s.player_id, '' as team, b.sign * s.sort_score as score
      from boards b join leaderboard_scores s on s.period_id in (b.period_id, -b.period_id) where b."teamAttributeId" is null
      union all
      select b.period_id, c.part, c.player_id, c.team_key, c.score
      from boards b join leaderboard_contributions c on c.period_id in (b.period_id, -b.period_id) where b."teamAttributeId" is not null
    ), judged as (
      select s.* from scored s join boards b on b.period_id = s.period_id
      where exists (select from players_of p where p.period_id = s.period_id and p.part = s.part and p.player_id = s.player_id)
        or not exists (
          select from attribute_values a where a.part = s.part and a.player_id = s.player_id and a.attribute_id = b."definitionId")
    )
    select b.key, p.external_id, f.team, f.score::text as score, f.value::text as value
    from (select * from held full join judged using (period_id, part, player_id, team)) f
    join boards b on b.period_id = f.period_id join players p on p.part = f.part and p.player_id = f.player_id
    where f.value is distinct from f.score order by b.id, p.external_id, f.team`;
  return rows.map(({ key, externalId, team, score, value }) => heldLine(externalId, key, team, score, value));
}
