import type { Database } from "../../db/client.ts";
import { wrongCounts } from "../../server/operations/integrity/check-leaderboards.ts";
import type { Context } from "./figure.ts";
import { makeProject, type Project } from "./project.ts";
import { eventDefinition } from "./definitions.ts";

/** Distributions of scores: even, a few players far ahead of many, or few distinct values. SQL over `r`, a random number from 0 to 1. */
export const SPREADS = {
  uniform: "floor(r * 1000000)",
  "power-law": "floor(10 / power(1 - r, 1.2))",
  "few distinct": "floor(r * 5)",
} as const;
export type Spread = keyof typeof SPREADS;

/** A leaderboard with a score of each player, stored as the service would have written it. */
export interface Board {
  database: Database & { url: string };
  project: Project;
  key: string;
  leaderboardId: number;
  periodId: number;
  players: number;
}

/** Counting events keeps the distinct scores few while updates come in; sums would spread them. */
const measureOf = (spread: Spread) => (spread === "few distinct" ? { kind: "Count" } : { kind: "Sum", property: "amount" });
const keyOf = (spread: Spread): string => spread.replaceAll(/[^a-z]/g, "_");

/** Makes a customer whose players all have a score on each of these leaderboards over the same event. */
export async function openBoards(database: Board["database"], players: number, spreads: readonly Spread[]): Promise<Board[]> {
  const project = await makeProject(database, "boards", {
    events: [eventDefinition("order_placed")],
    leaderboards: spreads.map((spread) => ({
      key: keyOf(spread),
      name: spread,
      scoreSource: "Event",
      event: "order_placed",
      measure: measureOf(spread),
      rankOrder: "HighestFirst",
      period: { kind: "AllTime" },
    })),
  });
  await fillPlayers(database, project, players);
  const boards: Board[] = [];
  for (const spread of spreads) {
    const key = keyOf(spread);
    const [period] = await database.sql<{ id: number; leaderboardId: number }[]>`
      select p.id, p.leaderboard_id from leaderboard_periods p join definitions d on d.id = p.leaderboard_id where d.key = ${key}`;
    const { id: periodId, leaderboardId } = period!;
    await fillScores(database, periodId, spread);
    boards.push({ database, project, players, key, periodId, leaderboardId });
  }
  await database.sql`vacuum (analyze) players, leaderboard_scores, leaderboard_blocks, leaderboard_counts`;
  return boards;
}

export async function openBoard(database: Board["database"], players: number, spread: Spread): Promise<Board> {
  const [board] = await openBoards(database, players, [spread]);
  return board!;
}

/** The counts by range match the scores, as checked by the service's own audit. */
export async function expectCounts({ outcome }: Pick<Context, "outcome">, { database, project }: Board): Promise<void> {
  const wrong = await database.sql.begin((tx) => wrongCounts(tx, project.environment.id));
  outcome.equal("ranges whose count is not that of the scores in them", wrong, []);
}

/** Inserts players with the names of `playerName` and the ids of `playerKey`, in SQL: one by one would take too long. */
export async function fillPlayers({ sql }: Database, project: Project, players: number): Promise<void> {
  await sql.unsafe(
    `insert into players (part, player_id, environment_id, external_id, display_name, created_at, analytics_epoch)
     select ('x' || substr(hex, 1, 3))::bit(12)::int >> 2,
       (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-8' || substr(hex, 14, 3) || '-'
         || substr('89ab', (('x' || substr(hex, 17, 1))::bit(4)::int & 3) + 1, 1) || substr(hex, 18, 3) || '-' || substr(hex, 21, 12))::uuid,
       $1, name, name, now(), (select analytics_epoch from environments where id = $1)
     from (select name, encode(sha256(convert_to($1::int || ':' || name, 'UTF8')), 'hex') as hex
       from (select 'player-' || lpad(i::text, 7, '0') as name from generate_series(0, $2::int - 1) i) n) h
     order by 1, 2`,
    [project.environment.id, players],
  );
}

/** Inserts a score for each player, and the counts by range. */
export async function fillScores({ sql }: Database, periodId: number, spread: Spread): Promise<void> {
  await sql.unsafe(
    `insert into leaderboard_scores (part, player_id, period_id, sort_score, reached_seq)
     select part, player_id, $1, -(${SPREADS[spread]})::numeric, row_number() over () from (select part, player_id, random() as r from players) p`,
    [periodId],
  );
  await sql.begin(async (tx) => {
    await tx`set local work_mem = '256MB'`;
    await tx.unsafe(CUT.replace("$1", String(periodId)));
    // With statistics of this table, PostgreSQL joins ten million scores to it by hash.
    await tx`analyze cut`;
    await tx.unsafe(RANGES, [periodId]);
  });
}

/**
 * Every distinct score with its range. As on a growing board, a range has some hundreds of scores, or one score that more players share.
 */
const CUT = `
  create temp table cut on commit drop as
  with distinct_scores as materialized (
    select sort_score, count(*) as n from leaderboard_scores where period_id = $1 group by 1
  ), in_order as (
    select sort_score, n, sum(n) over w - n as before, coalesce(lag(n) over w, 0) as previous from distinct_scores window w as (order by sort_score)
  )
  select sort_score, sum(case when n > 400 or previous > 400 or floor(before / 400) <> floor((before - previous) / 400) then 1 else 0 end)
    over (order by sort_score) as range
  from in_order`;

const RANGES = `
  with ranges as materialized (
    select range, min(sort_score) as lower, row_number() over (order by range) - 1 as number from cut group by range
  ), blocks as (
    select number / 128 as block, array_agg(lower order by number) as lowers from ranges group by 1
  ), gone as (
    delete from leaderboard_blocks where period_id = $1
  ), added as (
    insert into leaderboard_blocks (period_id, block, lower, upper, bounds)
    select $1, block + 1, case when block > 0 then lowers[1] end, lead(lowers[1]) over (order by block), lowers[2:] from blocks
  ), tallies as materialized (
    select c.range, board_lane(s.part) as lane, count(*)::int as count
    from leaderboard_scores s join cut c on c.sort_score = s.sort_score where s.period_id = $1 group by 1, 2
  )
  insert into leaderboard_counts (period_id, block, lane, total, counts)
  select $1, r.number / 128 + 1, l.lane, coalesce(sum(t.count), 0), array_agg(coalesce(t.count, 0) order by r.number)
  from ranges r cross join generate_series(0, 3) l(lane) left join tallies t on t.range = r.range and t.lane = l.lane
  group by r.number / 128, l.lane`;
