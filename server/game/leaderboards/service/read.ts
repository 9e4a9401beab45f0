import { type Database, inTime, readOnly, type Sql } from "#db/client.ts";
import type { Definitions, Leaderboard } from "#server/model/definitions/compiled.ts";
import { readJudgedPlayer, readWholePlayer } from "#server/engine/apply.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { Player } from "#server/model/kernel/player.ts";
import { type Problem, problem } from "#server/model/kernel/problem.ts";
import { inParts } from "#server/model/kernel/steps.ts";
import { type PlayerKey, playerKey } from "#server/model/players/identity.ts";
import { qualifies } from "#server/model/rules/condition.ts";
import { shortened } from "#server/model/rules/naming.ts";
import { resolveInputsOfPlayers } from "#server/engine/inputs.ts";
import { teamOf } from "#server/model/leaderboards/advance.ts";
import { inputsOfBoards } from "#server/model/leaderboards/lookups.ts";
import { periodOf } from "#server/model/leaderboards/periods.ts";
import {
  around,
  type EntryRow,
  entryRows,
  leagueRow,
  type NamedRow,
  namedRows,
  type Own,
  type PlayerStanding,
  type SummaryRow,
  summaryRow,
} from "#server/model/leaderboards/rows.ts";
import { type Score, sortScore, teamKey } from "#server/model/leaderboards/scores.ts";
import { loadScoresOf } from "../store/periods.ts";
import {
  loadContribution,
  loadGroup,
  loadNamed,
  loadNamedContributions,
  loadSeat,
  type LoadStandings,
  loadStandings,
  type Standings,
  standingsTogether,
  type WantedPeriod,
} from "../store/standings.ts";
import { definitionsOf } from "#server/engine/definitions.ts";

/** The player who reads leaderboards, and the language. */
export interface BoardQuery {
  externalId: string;
  language: string | null;
}

/** The part of a board to read. */
export interface StandingsQuery extends BoardQuery {
  leaderboardKey: string;
  /** Null: the default. */
  top: number | null;
  neighbours: number;
  /** The last settled period instead of the current one. */
  previous: boolean;
  /** Players to rank among themselves; null: none. */
  named: readonly string[] | null;
}

export interface StandingsRow {
  leaderboard: SummaryRow;
  top: EntryRow[];
  around: EntryRow[];
  isSettled: boolean;
  named: { entries: NamedRow[] } | null;
}

const DEFAULT_TOP = 10;

/**
 * Every running leaderboard that the player may see, in creation order, with their own rank. Seasons are left out outside their time. An
 * unknown player sees an empty standing and is not created.
 */
export async function readLeaderboards(
  database: Database,
  environment: Environment,
  now: number,
  query: BoardQuery,
): Promise<SummaryRow[]> {
  const definitions = await definitionsOf(database.sql, environment);
  const live = runningBoards(definitions, now);
  const reader = await readerOf(database, environment, definitions, now, query, live);
  return summariesFor(togetherFrom(database), reader, definitions, live, now);
}

/**
 * Like `readLeaderboards`, for the dashboard and a known player: it locks and writes nothing, not even rollups of conditions that are read
 * for the first time. Throws OperatorError if the player's history is too long to read in time.
 */
export function lookAtStandings(database: Database, environment: Environment, now: number, externalId: string): Promise<SummaryRow[]> {
  const standings = readOnly(database, async (tx) => {
    const definitions = await definitionsOf(tx, environment);
    const live = runningBoards(definitions, now);
    const key = playerKey(environment.id, externalId);
    const known = live.some(needsPlayer) ? await readWholePlayer(tx, environment.id, key) : null;
    const inputs = known && (await resolveInputsOfPlayers(tx, definitions, now, [known], inputsOfBoards(live)));
    const player = known && { ...known, inputs: inputs?.get(known.playerId) ?? known.inputs };
    const source: Source = { sql: tx, load: (asked) => loadStandings(tx, asked) };
    return summariesFor(source, { key, player, language: null }, definitions, live, now);
  });
  return inTime(standings, "The player has too many events to judge in time.");
}

/** Where boards are read, and how their standings are loaded. */
interface Source {
  sql: Sql;
  load: LoadStandings;
}

const togetherFrom = (database: Database): Source => ({ sql: database.sql, load: standingsTogether(database) });

const runningBoards = ({ leaderboards, timeZone }: Definitions, now: number): Leaderboard[] =>
  leaderboards.filter((board) => board.active && periodOf(board, now, timeZone) !== null);

async function summariesFor(
  source: Source,
  reader: Reader,
  { timeZone }: Definitions,
  live: readonly Leaderboard[],
  now: number,
): Promise<SummaryRow[]> {
  const visible = live.filter((board) => board.audience.otherwise === "Locked" || mayTakePart(reader, board));
  const summaries: SummaryRow[] = [];
  for (const some of inParts(visible, BOARDS_AT_ONCE)) {
    const views = some.map((board) => viewOf(source, reader, board, now, timeZone, { top: 0, neighbours: 0, previous: false }));
    for (const [at, view] of (await Promise.all(views)).entries())
      summaries.push(summaryRow(some[at]!, playerStandingOf(view), reader.language));
  }
  return summaries;
}

/** The boards that a request reads at once: it leaves connections to others, whose statements wait in line behind its own. */
const BOARDS_AT_ONCE = 4;

/**
 * The standings of one leaderboard: its first rows, those around the player's own, and players of the caller's
 * choice ranked among themselves. Problems: leaderboard.not_found (unknown, switched off, outside its season, hidden from the
 * player), leaderboard.no_settled_period.
 */
export async function readStandings(
  database: Database,
  environment: Environment,
  now: number,
  query: StandingsQuery,
): Promise<StandingsRow> {
  const definitions = await definitionsOf(database.sql, environment);
  const board = definitions.leaderboardsByKey.get(query.leaderboardKey);
  if (!board?.active || periodOf(board, now, definitions.timeZone) === null) throw notFound(query.leaderboardKey);
  const reader = await readerOf(database, environment, definitions, now, query, [board]);
  if (board.audience.otherwise === "Hidden" && !mayTakePart(reader, board)) throw notFound(query.leaderboardKey);
  const top = Math.min(query.top ?? DEFAULT_TOP, board.topSize);
  const view = await viewOf(togetherFrom(database), reader, board, now, definitions.timeZone, { ...query, top });
  const named =
    query.named === null || view.isLocked
      ? null
      : await namedOf(database.sql, environment.id, board, view.periodId, query.externalId, query.named);
  const { isSettled } = view;
  return { leaderboard: summaryRow(board, playerStandingOf(view), query.language), top: view.top, around: view.around, isSettled, named };
}

const notFound = (key: string): Problem =>
  problem("leaderboard.not_found", `There is no leaderboard "${shortened(key)}" for this player now.`, { parameter: "leaderboardKey" });

/** The reader of boards: their identity, and their state where a board reads it. */
interface Reader {
  key: PlayerKey;
  player: Player | null;
  language: string | null;
}

async function readerOf(
  database: Database,
  environment: Environment,
  definitions: Definitions,
  now: number,
  { externalId, language }: BoardQuery,
  boards: readonly Leaderboard[],
): Promise<Reader> {
  const key = { ...playerKey(environment.id, externalId), externalId };
  const player = boards.some(needsPlayer)
    ? await readJudgedPlayer(database, environment, definitions, now, key, inputsOfBoards(boards))
    : null;
  return { key, player, language };
}

/** Whether a board needs the player's state before it shows their rank. */
const needsPlayer = ({ audience, teamAttributeId }: Leaderboard): boolean => audience.rule !== null || teamAttributeId !== null;

const mayTakePart = ({ player }: Reader, { audience: { rule } }: Leaderboard): boolean =>
  rule === null || (player !== null && qualifies(player, rule));

/** A board as one player sees it. */
interface View extends PlayerStanding {
  periodId: number | null;
  isSettled: boolean;
  top: EntryRow[];
  around: EntryRow[];
}

const playerStandingOf = ({ period, isLocked, participants, me, league, team }: View): PlayerStanding => ({
  period,
  isLocked,
  participants,
  me,
  league,
  team,
});

interface Reach {
  top: number;
  neighbours: number;
  previous: boolean;
}

async function viewOf({ sql, load }: Source, reader: Reader, board: Leaderboard, now: number, zone: string, reach: Reach): Promise<View> {
  const period = periodOf(board, now, zone);
  const wanted: WantedPeriod = reach.previous ? "settled" : { start: period?.start ?? "" };
  const isLocked = !mayTakePart(reader, board);
  const team = reader.player === null ? null : teamOf(reader.player, board);
  const key = team === null ? reader.key : teamKey(board.id, team);
  const rows = board.league !== null || isLocked ? { top: 0, neighbours: 0 } : reach;
  const found = await load({ leaderboardId: board.id, wanted, player: key, top: rows.top, neighbours: rows.neighbours });
  if (found === null && reach.previous) {
    throw problem("leaderboard.no_settled_period", `No period of the leaderboard "${board.key}" has been settled yet.`, {
      parameter: "Previous",
    });
  }
  const nothing = {
    periodId: found?.periodId ?? null,
    isLocked,
    isSettled: found?.step === "Settled",
    me: null,
    league: null,
    team: null,
    top: [],
    around: [],
  };
  const empty: View = { ...nothing, period: found ?? period ?? { startsAt: null, endsAt: null }, participants: found?.participants ?? 0 };
  // A player who cannot take part in a league has no group in it.
  if (isLocked) return board.league === null ? empty : { ...empty, participants: 0 };
  if (board.league !== null) return leagueView(sql, reader, board, board.league, empty, reach);
  const top = entryRows(board, found?.top ?? []);
  const near = found === null ? [] : entryRows(board, found.around, found.firstRank ?? 1, found.secondRank);
  const me = ownOf(near);
  return { ...empty, top, around: near, me, team: team === null ? null : await teamRow(sql, reader, board, found, team, me) };
}

const ownOf = (rows: readonly EntryRow[]): Own | null => {
  const own = rows.find(({ isMe }) => isMe);
  return own === undefined ? null : { rank: own.rank, score: own.score };
};

async function teamRow(sql: Sql, { key }: Reader, board: Leaderboard, found: Standings | null, team: string, me: Own | null) {
  const { score, members } =
    found === null
      ? { score: null, members: 0 }
      : await loadContribution(sql, found.periodId, key, { ...teamKey(board.id, team), name: team });
  return { teamKey: team, rank: me?.rank ?? null, score: me?.score ?? null, contribution: score, members };
}

/** On a league the board is the player's own group; without a seat there is none yet. */
async function leagueView(
  sql: Sql,
  { key, language }: Reader,
  board: Leaderboard,
  league: NonNullable<Leaderboard["league"]>,
  empty: View,
  reach: Reach,
): Promise<View> {
  const seat = await loadSeat(sql, board.id, empty.periodId, key);
  const outcome = empty.isSettled ? (seat.outcome ?? "Stayed") : null;
  const view = { ...empty, league: leagueRow(league, seat.tier, outcome, language), participants: 0 };
  if (empty.periodId === null || seat.groupNumber === null) return view;
  const group = await loadGroup(sql, empty.periodId, seat.tier, seat.groupNumber);
  const rows = entryRows(
    board,
    group.map((row) => ({ ...row, isMe: row.playerId === key.playerId })),
  );
  return { ...view, participants: rows.length, top: rows.slice(0, reach.top), around: around(rows, reach.neighbours), me: ownOf(rows) };
}

/** The rows of the named players and the caller who have a score; on a team board, of their contributions. */
async function namedOf(
  sql: Sql,
  environmentId: number,
  board: Leaderboard,
  periodId: number | null,
  me: string,
  named: readonly string[],
): Promise<{ entries: NamedRow[] }> {
  if (periodId === null) return { entries: [] };
  const keys = Array.from(new Set([me, ...named]), (externalId) => playerKey(environmentId, externalId));
  const players =
    board.teamAttributeId === null
      ? await loadNamed(sql, periodId, keys)
      : (await loadNamedContributions(sql, periodId, keys)).map(({ score, ...row }) => ({
          ...row,
          sortScore: sortScore(score, board.rankOrder),
        }));
  return { entries: namedRows(board, players, me) };
}

/** A player's own scores on a board, by the start of the period; on a team board those for the team they are in now. */
export const readScoresOf = (sql: Sql, board: Leaderboard, player: Player): Promise<Map<string, Score>> =>
  loadScoresOf(sql, board, player, teamOf(player, board));
