import type { Transaction } from "../../db/client.ts";
import type { Leaderboard } from "../definitions/compiled.ts";
import { definitionsOf, editInstants } from "../definitions/service.ts";
import { appliedEvents } from "../events/store.ts";
import type { Environment } from "../kernel/environment.ts";
import { appliedMetricEvents } from "../metrics/store.ts";
import { type Era, isRecountable, type LoggedGrant, misscores } from "../leaderboards/recount.ts";
import { numberOf, sortScore } from "../leaderboards/scores.ts";
import { zoneChangesOf } from "../leaderboards/service/zones.ts";
import { periodIdOf } from "../leaderboards/teams.ts";
import { zonesPassed } from "../leaderboards/zones.ts";
import type { PlayerKey } from "../players/identity.ts";
import { type PlayerRow, playersAfter } from "../players/store.ts";
import { isGranted } from "../points/store.ts";
import { wrongHeld } from "./audit-held.ts";
import { writeJson } from "../kernel/json.ts";

const PAGE = 500;

/** The leaderboards' part of `audit` (operations.md): a line for each thing that does not hold. */
export async function auditLeaderboards(tx: Transaction, environment: Environment): Promise<string[]> {
  return [
    ...(await wrongCounts(tx, environment.id)),
    ...(await wrongTeams(tx, environment.id)),
    ...(await wrongSeats(tx, environment.id)),
    ...(await missingPrizes(tx, environment.id)),
    ...(await wrongScores(tx, environment)),
    ...(await wrongHeld(tx, environment)),
  ];
}

/** The counts by range equal the scores that lie there, lane by lane. */
async function wrongCounts(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ key: string; start: string; block: number; lane: number; place: number; counted: number; there: number }[]>`
    with periods as (
      select p.id, p.start, d.key,
        (select array_agg(b.block order by b.lower nulls first) from leaderboard_blocks b where b.period_id = p.id) as blocks,
        (select coalesce(array_agg(b.lower order by b.lower) filter (where b.lower is not null), '{}') from leaderboard_blocks b where b.period_id = p.id) as lowers
      from leaderboard_periods p left join definitions d on d.id = p.leaderboard_id where p.environment_id = ${environmentId}
    ), scores as (
      select p.id as period_id, p.blocks[width_bucket(s.sort_score, p.lowers) + 1] as block, s.part >> 8 as lane, s.sort_score
      from periods p join leaderboard_scores s on s.period_id = p.id
    ), there as (
      select s.period_id, s.block, s.lane, width_bucket(s.sort_score, b.bounds) + 1 as place, count(*) as there
      from scores s join leaderboard_blocks b on b.period_id = s.period_id and b.block = s.block group by 1, 2, 3, 4
    ), counted as (
      select c.period_id, c.block, c.lane::int as lane, n.place::int as place, n.counted
      from leaderboard_counts c join periods p on p.id = c.period_id cross join lateral unnest(c.counts) with ordinality as n(counted, place)
      union all
      select c.period_id, c.block, c.lane::int, 0, c.total - (select coalesce(sum(n), 0) from unnest(c.counts) n)
      from leaderboard_counts c join periods p on p.id = c.period_id
    )
    select p.key, p.start, block, lane, place, coalesce(c.counted, 0) as counted, coalesce(t.there, 0) as there
    from there t full join counted c using (period_id, block, lane, place) join periods p on p.id = period_id
    where coalesce(c.counted, 0) <> coalesce(t.there, 0)`;
  return rows.map(
    ({ key, start, block, lane, place, counted, there }) =>
      `${nameOf(key, start)}: ${counted} scores are counted in range ${block}/${place} of lane ${lane}, but there are ${there}`,
  );
}

/** A team's score is the sum of what its members have scored for it. */
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
      `${nameOf(key, start)}, team "${team}": score ${score} of ${members} members, but ${count} of them have scored ${sum}`,
  );
}

/** Whoever has a score in a league has one seat, no group has more than it holds, and a settled period has an outcome for each. */
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
  return rows.map(({ key, start, what }) => `${nameOf(key, start)}: ${what}`);
}

/** Whoever ended a settled period on a rank with a prize was granted all of it. */
async function missingPrizes(tx: Transaction, environmentId: number): Promise<string[]> {
  const periods = await tx<{ id: number; leaderboardId: number; start: string; key: string }[]>`
    select p.id, p.leaderboard_id as "leaderboardId", p.start, d.key
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
    select w.key, w.start, p.external_id as "externalId", w.rank, g.ordinal
    from winners w join players p on p.part = w.part and p.player_id = w.player_id
    cross join lateral (
      select z.prize, r.reward, row_number() over (order by z.place, r.place) - 1 as ordinal
      from json_array_elements(w.prizes) with ordinality as z(prize, place)
      cross join lateral json_array_elements(z.prize -> 'rewards') with ordinality as r(reward, place)
    ) g
    left join points_transactions l on l.part = w.part and l.player_id = w.player_id and l.source_type = 'Leaderboard' and l.source_id = w.uuid
      and l.type = 'Grant' and l.ordinal = g.ordinal and ${isGranted(tx, "l", "(g.reward ->> 'points')::bigint")}
    left join owed_items o on o.part = w.part and o.player_id = w.player_id and o.source_type = 'Leaderboard' and o.source_id = w.uuid
      and o.ordinal = g.ordinal and o.catalog_item_key = g.reward ->> 'catalogItemKey'
    where w.rank between (g.prize ->> 'fromRank')::int and (g.prize ->> 'toRank')::int
      and case g.reward ->> 'kind' when 'Points' then l.id is null else o.id is null end`;
  return rows.map(
    ({ key, start, externalId, rank, ordinal }) =>
      `${nameOf(key, start)}: player "${externalId}", rank ${rank}, was not granted reward ${ordinal}`,
  );
}

/** Every score equals what the logs give, of the boards of which they tell it. */
async function wrongScores(tx: Transaction, environment: Environment): Promise<string[]> {
  const definitions = await definitionsOf(tx, environment);
  const edited = await editInstants(tx, environment.id, "leaderboards");
  const changes = await zoneChangesOf(tx, environment.id);
  // Where nobody knows by which zone facts went, periods by the calendar are left out.
  const unknownUntil = Math.max(0, ...changes.filter(({ waiting }) => waiting === null).map(({ at }) => at));
  const boards = definitions.leaderboards.filter(
    (board) => isRecountable(board, edited.get(board.id) ?? 0) && (board.period.kind !== "Calendar" || board.createdAt >= unknownUntil),
  );
  if (boards.length === 0) return [];
  const eraOf = erasOf(boards, definitions.timeZone, changes);
  const frozen = await frozenPeriods(tx, environment.id);
  const found: string[] = [];
  let page = await playersAfter(tx, environment.id, null, PAGE);
  while (page.length > 0) {
    found.push(...(await wrongScoresOf(tx, environment, boards, eraOf, frozen, page)));
    page = await playersAfter(tx, environment.id, page.at(-1)?.externalId ?? null, PAGE);
  }
  return found;
}

/** Which zone the fact at a place went by, and how the boards were then. */
function erasOf(
  boards: readonly Leaderboard[],
  timeZone: string,
  changes: Awaited<ReturnType<typeof zoneChangesOf>>,
): (seq: number) => Era {
  const before = changes.map(({ zone, seq, waiting }, place) => ({
    seq,
    waiting: new Set(waiting),
    era: { timeZone: zone, boards: boards.map((board) => ({ ...board, ...zonesPassed(board, changes.slice(0, place)) })) },
  }));
  const present = { timeZone, boards };
  return (seq) => before.find((change) => seq < change.seq && !change.waiting.has(seq))?.era ?? present;
}

/** A period that takes nothing any more from the fact `seq` on, nor took what lay in quarantine then. */
interface Frozen {
  seq: number;
  leftOut: number[];
}

/** By board and start. */
async function frozenPeriods(tx: Transaction, environmentId: number): Promise<Map<string, Frozen>> {
  const rows = await tx<({ leaderboardId: number; start: string } & Frozen)[]>`
    select leaderboard_id as "leaderboardId", start, frozen_seq as seq, coalesce(left_out, '{}') as "leftOut" from leaderboard_periods
    where environment_id = ${environmentId} and frozen_seq is not null`;
  return new Map(rows.map(({ leaderboardId, start, ...frozen }) => [`${leaderboardId}/${start}`, frozen]));
}

async function wrongScoresOf(
  tx: Transaction,
  environment: Environment,
  boards: readonly Leaderboard[],
  eraOf: (seq: number) => Era,
  frozen: ReadonlyMap<string, Frozen>,
  page: readonly PlayerRow[],
): Promise<string[]> {
  const definitionIds = boards.flatMap(({ definitionId }) => (definitionId === null ? [] : [definitionId]));
  const events = (await appliedEvents(tx, environment.id, page)).filter(({ definitionId }) => definitionIds.includes(definitionId));
  const metricEvents = await appliedMetricEvents(tx, environment.id, page, definitionIds);
  const logged = [...events.map((event) => ({ ...event, value: null })), ...metricEvents].sort((a, b) => a.seq - b.seq);
  const [facts, grants, scores] = [
    Map.groupBy(logged, ({ playerId }) => playerId),
    Map.groupBy(await grantsOf(tx, page), ({ playerId }) => playerId),
    Map.groupBy(await scoresOf(tx, boards, page), ({ playerId }) => playerId),
  ];
  return page.flatMap(({ playerId, externalId }) =>
    misscores(
      boards,
      eraOf,
      (board, start, seq) => {
        const period = frozen.get(`${board.id}/${start}`);
        return period === undefined || (seq < period.seq && !period.leftOut.includes(seq));
      },
      scores.get(playerId) ?? [],
      (facts.get(playerId) ?? []).map((fact) => ({ kind: "event" as const, ...fact })),
      grants.get(playerId) ?? [],
    ).map(
      ({ leaderboardKey, start, stored, recounted }) =>
        `player "${externalId}", ${nameOf(leaderboardKey, start)}: score ${stored ?? "none"}, but the logs give ${recounted ?? "none"}`,
    ),
  );
}

const keysOf = (players: readonly PlayerKey[]): string => writeJson(players.map(({ part, playerId }) => ({ part, playerId })));

async function grantsOf(tx: Transaction, page: readonly PlayerKey[]): Promise<(LoggedGrant & { playerId: string })[]> {
  return tx<(LoggedGrant & { playerId: string })[]>`
    select t.player_id as "playerId", t.seq, t.amount, (extract(epoch from t.occurred_at) * 1000)::bigint as at
    from json_to_recordset(${keysOf(page)}::text::json) as k("part" smallint, "playerId" uuid)
    join points_transactions t on t.part = k.part and t.player_id = k."playerId" and t.type = 'Grant' and t.source_type in ('Mission', 'StreakMilestone')
    order by t.seq`.execute();
}

async function scoresOf(tx: Transaction, boards: readonly Leaderboard[], page: readonly PlayerKey[]) {
  const orders = new Map(boards.map(({ id, rankOrder }) => [id, rankOrder]));
  const rows = await tx<{ playerId: string; leaderboardId: number; start: string; score: string }[]>`
    select s.player_id as "playerId", p.leaderboard_id as "leaderboardId", p.start, s.sort_score::text as score
    from json_to_recordset(${keysOf(page)}::text::json) as k("part" smallint, "playerId" uuid)
    join leaderboard_scores s on s.part = k.part and s.player_id = k."playerId"
    join leaderboard_periods p on p.id = s.period_id`;
  return rows.flatMap(({ score, ...row }) => {
    const order = orders.get(row.leaderboardId);
    return order === undefined ? [] : [{ ...row, score: sortScore(numberOf(score), order) }];
  });
}

const nameOf = (key: string, start: string): string => (start === "" ? `leaderboard ${key}` : `leaderboard ${key}, period of ${start}`);
