import type { Transaction } from "#db/client.ts";
import { ofParts } from "#db/scale/parts.ts";
import type { Definitions, Leaderboard } from "../../model/definitions/compiled.ts";
import type { ScoreChangeEffect } from "../../model/rules/effects.ts";
import type { Numeric } from "../../model/kernel/decimal.ts";
import { arrayText } from "../../model/kernel/stored.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import {
  type ContributionRow,
  contributionsAfter,
  CountChanges,
  difference,
  type PlacedChange,
  scoreName,
  type ScoreRow,
  scoresAfter,
  sortScoreOf,
  type TeamChange,
} from "../../model/leaderboards/changes.ts";
import { firstDue, settlesAt } from "../../model/leaderboards/periods.ts";
import { numberOf, sortScore } from "../../model/leaderboards/scores.ts";
import { signOf, type BlindUpsert, blindUpsertsAmong } from "../../model/leaderboards/blind-upserts.ts";
import { ensurePeriods, takesScores } from "./periods.ts";

export type ScoreChangeRow = PlayerKey & Omit<ScoreChangeEffect, "kind"> & { isHidden: boolean };

/**
 * Writes score changes and what follows from them: contributions, teams, seats to give, counts. The players are locked. Teams and counts,
 * which many transactions write, come last and in one order. A change for a settled period is dropped. Changes of a hidden player go to the
 * period with the negated id (README.md): it has neither ranges nor teams, so nothing there is counted.
 */
export async function saveScores(
  tx: Transaction,
  { leaderboardsById }: Definitions,
  environmentId: number,
  changes: readonly ScoreChangeRow[],
): Promise<void> {
  if (changes.length === 0) return;
  const { sums, bests, others } = blindUpsertsAmong(await placeChanges(tx, leaderboardsById, environmentId, changes));
  const ofTeams = others.filter(({ board }) => board.teamAttributeId !== null);
  const ofPlayers = others.filter(({ board }) => board.teamAttributeId === null);
  const [scores, contributions] = await Promise.all([loadScores(tx, ofPlayers), loadContributions(tx, ofTeams)]);
  const after = scoresAfter(ofPlayers, scores);
  const counts = new CountChanges();
  for (const { row, before, board } of after) {
    counts.move(row, before === null ? null : sortScoreOf({ board, score: before.score }), sortScoreOf({ board, score: row.score }));
  }
  const { written, gone, teams: changed } = contributionsAfter(ofTeams, contributions);
  const teams = changed.filter(({ periodId }) => periodId > 0);
  const seats = after.filter(({ before, board }) => before === null && board.league !== null);
  const [, , , , changedTeams] = await Promise.all([
    upsertScores(
      tx,
      after.map(({ row, board }) => ({ ...row, sortScore: sortScoreOf({ board, score: row.score }) })),
    ),
    insertSeats(
      tx,
      seats.map(({ row, firstSeq }) => ({ ...row, firstSeq })),
    ),
    deleteContributions(tx, gone),
    upsertContributions(tx, written),
    addToTeams(tx, teams),
  ]);
  countTeams(counts, teams, changedTeams);
  await removeEmptyTeams(tx, changedTeams);
  await moveAndCount(tx, sums, bests, counts);
}

/** Writes changes of teams without scores of players, and the changes in `counts`. */
export async function saveTeams(tx: Transaction, teams: readonly TeamChange[], counts: CountChanges): Promise<void> {
  const changed = await addToTeams(tx, teams);
  countTeams(counts, teams, changed);
  await removeEmptyTeams(tx, changed);
  await moveAndCount(tx, [], [], counts);
}

/** The score changes that periods still accept, with the periods' ids. */
async function placeChanges(
  tx: Transaction,
  boards: Definitions["leaderboardsById"],
  environmentId: number,
  changes: readonly ScoreChangeRow[],
): Promise<PlacedChange[]> {
  const wanted = new PerPeriod<ScoreChangeRow>();
  for (const change of changes) wanted.setFirst(change.leaderboardId, change.period.start, change);
  const periods = await ensurePeriods(
    tx,
    environmentId,
    wanted.all.map(({ leaderboardId, period }) => {
      const board = boards.get(leaderboardId);
      return {
        leaderboardId,
        ...period,
        settlesAt: board ? settlesAt(board, period) : null,
        dueAt: board ? firstDue(board, period) : null,
      };
    }),
  );
  const open = new PerPeriod<{ id: number; board: Leaderboard }>();
  for (const period of periods.filter(takesScores)) {
    const board = boards.get(period.leaderboardId);
    if (board !== undefined) open.setFirst(period.leaderboardId, period.start, { id: period.id, board });
  }
  const placed: PlacedChange[] = [];
  for (const { part, playerId, isHidden, leaderboardId, period, team, change, seq } of changes) {
    const found = open.get(leaderboardId, period.start);
    if (found === undefined) continue;
    placed.push({ part, playerId, periodId: isHidden ? -found.id : found.id, board: found.board, team, change, seq });
  }
  return placed;
}

/** One value for each period of each leaderboard. */
class PerPeriod<Value> {
  readonly all: Value[] = [];
  readonly #boards = new Map<number, Map<string, Value>>();

  setFirst(leaderboardId: number, start: string, value: Value): void {
    let starts = this.#boards.get(leaderboardId);
    if (starts === undefined) this.#boards.set(leaderboardId, (starts = new Map()));
    if (starts.has(start)) return;
    starts.set(start, value);
    this.all.push(value);
  }

  get(leaderboardId: number, start: string): Value | undefined {
    return this.#boards.get(leaderboardId)?.get(start);
  }
}

type StoredScore = PlayerKey & { periodId: number; score: string; reachedSeq: number; latestAt: number | null };

const keysOf = (changes: readonly PlacedChange[]): string =>
  writeJson(
    [...new Map(changes.map((change) => [scoreName(change), change])).values()].map(({ part, playerId, periodId }) => ({
      part,
      playerId,
      periodId,
    })),
  );

async function loadScores(tx: Transaction, changes: readonly PlacedChange[]): Promise<Map<string, ScoreRow>> {
  if (changes.length === 0) return new Map();
  const boards = new Map(changes.map(({ periodId, board }) => [periodId, board]));
  const rows = await tx<StoredScore[]>`
    select s.part, s.player_id, s.period_id, s.sort_score::text as score, s.reached_seq, s.latest_at
    from json_to_recordset(${keysOf(changes)}::text::json) as w("part" smallint, "playerId" uuid, "periodId" int)
    join leaderboard_scores s on s.part = w.part and s.player_id = w."playerId" and s.period_id = w."periodId" ${ofParts(tx, "s", changes)}`;
  return new Map(
    rows.map((row) => [
      scoreName(row),
      { ...row, score: sortScore(numberOf(row.score), boards.get(row.periodId)?.rankOrder ?? "HighestFirst") },
    ]),
  );
}

async function loadContributions(tx: Transaction, changes: readonly PlacedChange[]): Promise<Map<string, ContributionRow[]>> {
  if (changes.length === 0) return new Map();
  const rows = await tx<(StoredScore & { team: string })[]>`
    select c.part, c.player_id, c.period_id, c.team_key as team, c.score::text as score, c.reached_seq, c.latest_at
    from json_to_recordset(${keysOf(changes)}::text::json) as w("part" smallint, "playerId" uuid, "periodId" int)
    join leaderboard_contributions c on c.part = w.part and c.player_id = w."playerId" and c.period_id = w."periodId" ${ofParts(tx, "c", changes)}`;
  return Map.groupBy(
    rows.map((row) => ({ ...row, score: numberOf(row.score) })),
    scoreName,
  );
}

const byKey = (a: PlayerKey, b: PlayerKey): number => a.part - b.part || (a.playerId < b.playerId ? -1 : a.playerId > b.playerId ? 1 : 0);

async function upsertScores(tx: Transaction, rows: readonly (ScoreRow & { sortScore: Numeric })[]): Promise<void> {
  if (rows.length === 0) return;
  const stored = rows.map(({ score: _, ...row }) => row).sort(byKey);
  await tx`
    insert into leaderboard_scores (part, player_id, period_id, sort_score, reached_seq, latest_at)
    select part, "playerId", "periodId", "sortScore", "reachedSeq", to_timestamp("latestAt" / 1000)
    from json_to_recordset(${writeJson(stored)}::text::json)
      as r("part" smallint, "playerId" uuid, "periodId" int, "sortScore" numeric, "reachedSeq" bigint, "latestAt" float8)
    on conflict (part, player_id, period_id) do update
      set sort_score = excluded.sort_score, reached_seq = excluded.reached_seq, latest_at = excluded.latest_at`;
}

async function upsertContributions(tx: Transaction, rows: readonly ContributionRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into leaderboard_contributions (part, player_id, period_id, team_key, score, reached_seq, latest_at)
    select part, "playerId", "periodId", team, score, "reachedSeq", to_timestamp("latestAt" / 1000)
    from json_to_recordset(${writeJson(rows)}::text::json)
      as r("part" smallint, "playerId" uuid, "periodId" int, "team" text, "score" numeric, "reachedSeq" bigint, "latestAt" float8)
    on conflict (part, player_id, period_id, team_key) do update
      set score = excluded.score, reached_seq = excluded.reached_seq, latest_at = excluded.latest_at`;
}

async function deleteContributions(tx: Transaction, rows: readonly ContributionRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    delete from leaderboard_contributions c
    using json_to_recordset(${writeJson(rows.map(({ part, playerId, periodId, team }) => ({ part, playerId, periodId, team })))}::text::json)
      as r("part" smallint, "playerId" uuid, "periodId" int, "team" text)
    where c.part = r.part and c.player_id = r."playerId" and c.period_id = r."periodId" and c.team_key = r.team ${ofParts(tx, "c", rows)}`;
}

async function insertSeats(tx: Transaction, rows: readonly (PlayerKey & { periodId: number; firstSeq: number })[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into leaderboard_seats (part, player_id, period_id, first_seq)
    select part, "playerId", "periodId", "firstSeq"
    from json_to_recordset(${writeJson(rows.map(({ part, playerId, periodId, firstSeq }) => ({ part, playerId, periodId, firstSeq })))}::text::json)
      as r("part" smallint, "playerId" uuid, "periodId" int, "firstSeq" bigint)
    on conflict do nothing`;
}

type TeamRow = PlayerKey & { periodId: number; sortScore: string; members: number; isNew: boolean };

/** Adds to the rows of teams in one order: writers of the same team wait for this transaction. */
async function addToTeams(tx: Transaction, teams: readonly TeamChange[]): Promise<TeamRow[]> {
  if (teams.length === 0) return [];
  const stored = teams
    .map(({ board, score, ...team }) => ({ ...team, sortScore: sortScore(score, board.rankOrder) }))
    .sort((a, b) => a.periodId - b.periodId || byKey(a, b));
  return tx<TeamRow[]>`
    insert into leaderboard_scores as s (part, player_id, period_id, sort_score, reached_seq, team_key, members)
    select part, "playerId", "periodId", "sortScore", "reachedSeq", team, members
    from json_to_recordset(${writeJson(stored)}::text::json)
      as r("part" smallint, "playerId" uuid, "periodId" int, "sortScore" numeric, "reachedSeq" bigint, "team" text, "members" int)
    on conflict (part, player_id, period_id) do update set
      sort_score = s.sort_score + excluded.sort_score, members = s.members + excluded.members,
      reached_seq = case when excluded.sort_score = 0 then s.reached_seq else greatest(s.reached_seq, excluded.reached_seq) end
    returning part, player_id, period_id, sort_score::text, members, xmax = 0 as is_new`.execute();
}

function countTeams(counts: CountChanges, changes: readonly TeamChange[], rows: readonly TeamRow[]): void {
  const changeOf = new Map(changes.map((change) => [scoreName(change), change]));
  for (const row of rows) {
    const change = changeOf.get(scoreName(row));
    if (change === undefined) continue;
    const after = numberOf(row.sortScore);
    const before = difference(after, sortScore(change.score, change.board.rankOrder));
    counts.move(row, row.isNew ? null : before, row.members === 0 ? null : after);
  }
}

/** A team without members is not ranked. */
async function removeEmptyTeams(tx: Transaction, rows: readonly TeamRow[]): Promise<void> {
  const empty = rows.filter(({ members }) => members === 0).map(({ part, playerId, periodId }) => ({ part, playerId, periodId }));
  if (empty.length === 0) return;
  await tx`
    delete from leaderboard_scores s
    using json_to_recordset(${writeJson(empty)}::text::json) as r("part" smallint, "playerId" uuid, "periodId" int)
    where s.part = r.part and s.player_id = r."playerId" and s.period_id = r."periodId" ${ofParts(tx, "s", empty)}`;
}

/**
 * Adds `sums` to the scores of players locked by this transaction, keeps `bests` where they are better, and counts these changes and those
 * in `counts`, locking all counts in one order. Reading nothing beforehand saves a third of the work.
 */
async function moveAndCount(
  tx: Transaction,
  sums: readonly BlindUpsert[],
  bests: readonly BlindUpsert[],
  counts: CountChanges,
): Promise<void> {
  if (sums.length === 0 && bests.length === 0 && counts.scores.length === 0) return;
  const best = bests.toSorted(byKey);
  const counted = tx`select * from unnest(${arrayText(counts.periods)}::text::int[], ${arrayText(counts.lanes)}::text::smallint[],
    ${arrayText(counts.scores)}::text::numeric[], ${arrayText(counts.changes)}::text::int[]) as n(period_id, lane, score, change)`;
  await tx`
    select leaderboard_count_changes(period_id, lanes, scores, changes) from (
      select period_id, array_agg(lane::int) as lanes, array_agg(score) as scores, array_agg(change) as changes from (
        ${counted}
        ${sums.length === 0 ? tx`` : tx`union all select * from leaderboard_add(${columnsOf(tx, sums.toSorted(byKey))})`}
        ${best.length === 0 ? tx`` : tx`union all select * from leaderboard_keep(${signsOf(tx, best)}, ${columnsOf(tx, best)})`}
      ) changed group by 1 order by 1
    ) by_period`;
}

const columnsOf = (tx: Transaction, rows: readonly BlindUpsert[]) => {
  const leagues = new Set(rows.filter(({ board }) => board.league !== null).map(({ periodId }) => periodId));
  return tx`${arrayText(rows.map(({ part }) => part))}::text::smallint[], ${arrayText(rows.map(({ playerId }) => playerId))}::text::uuid[],
    ${arrayText(rows.map(({ periodId }) => periodId))}::text::int[],
    ${arrayText(rows.map(({ score, board }) => sortScore(score, board.rankOrder)))}::text::numeric[],
    ${arrayText(rows.map(({ firstSeq }) => firstSeq))}::text::bigint[], ${arrayText(rows.map(({ movedSeq }) => movedSeq))}::text::bigint[],
    ${arrayText([...leagues])}::text::int[]`;
};

/** For each row, in the order of `columnsOf`: 1 keeps the larger sort score, −1 the smaller. */
const signsOf = (tx: Transaction, rows: readonly BlindUpsert[]) =>
  tx`${arrayText(rows.map(({ by, board: { rankOrder } }) => sortScore(signOf(by), rankOrder)))}::text::smallint[]`;
