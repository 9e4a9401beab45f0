import { type Database, type Sql, retryingConflicts } from "#db/client.ts";
import { askTogether } from "#db/together.ts";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { problem } from "#server/model/kernel/problem.ts";
import { arrayText } from "#server/model/kernel/stored.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import type { Outcome } from "#server/model/leaderboards/ranking.ts";
import type { StandingRow } from "#server/model/leaderboards/rows.ts";

/** The rows read of a period, in the board's order. */
export interface Standings {
  periodId: number;
  step: string;
  number: number;
  startsAt: number | null;
  endsAt: number | null;
  participants: number;
  top: StandingRow[];
  around: StandingRow[];
  /** The ranks of the first row around, and of the first one with another score. */
  firstRank: number | null;
  secondRank: number | null;
}

/** The period to read: by its name, or the last settled one. */
export type WantedPeriod = { start: string } | "settled";

/** The rows of a board that a reader requests: the first ones, and those on either side of their own. */
export interface StandingsWanted {
  leaderboardId: number;
  wanted: WantedPeriod;
  player: PlayerKey;
  top: number;
  neighbours: number;
}

/** Loads the standings of a period around one of its rows; null if there is no such period. */
export type LoadStandings = (asked: StandingsWanted) => Promise<Standings | null>;

interface Found extends Pick<Standings, "periodId" | "step" | "number" | "startsAt" | "endsAt" | "participants"> {
  top: [name: string | null, score: Numeric, playerId: string][];
  /** For players with a row. Names and scores above begin with the nearest. */
  readers: [
    at: number,
    ranks: number[],
    above: [names: (string | null)[], scores: Numeric[]],
    own: [name: string | null, score: Numeric],
    below: [names: (string | null)[], scores: Numeric[]],
  ][];
}

/** Readers per statement: with this many it took 4 to 14 ms of CPU, on a machine under load. */
const MAX_READERS = 64;

/** Two, so that readers who arrive during a large statement need not wait for its end: this lowered their p95 by a quarter. */
const AT_ONCE = 2;

/** By connection pool. */
const loaders = new WeakMap<Sql, LoadStandings>();

/**
 * Loads standings together with concurrent readers of the same board, who share the top rows, the sums of whole ranges and the start of a
 * statement. Nothing is cached, so the results are those of `loadStandings`. With a million scores, a single read cost PostgreSQL 820 to
 * 1,150 µs of CPU, and each of 16 concurrent reads 145 to 280.
 *
 * A read of a million scores visits 157 pages, 48 of them for the names around the player, and 250 while scores change: each row counted
 * in a range is then looked up in the table. Tried and rejected: ranges of 160 instead of 400 scores save 37 of these pages, but more
 * sums make up for that in a single read, and an update writes 17 bytes more. The sums are 40 of 320 µs of a single read, and 8 of 180
 * with five readers in a statement: too little for a cache, whose version every slice would have to write.
 */
export function standingsTogether({ sql }: Database): LoadStandings {
  const known = loaders.get(sql);
  if (known !== undefined) return known;
  const load: LoadStandings = askTogether({
    groupOf: ({ leaderboardId, wanted }) => `${leaderboardId} ${wanted === "settled" ? wanted : wanted.start}`,
    most: MAX_READERS,
    atOnce: AT_ONCE,
    ask: (readers: readonly StandingsWanted[]) =>
      retryingConflicts(
        () => loadOfPeriod(sql, readers),
        () => problem("service.unavailable", "Players are being moved to another machine. Send the request again."),
      ),
  });
  loaders.set(sql, load);
  return load;
}

/** Standings by a separate statement, for example in a transaction. */
export async function loadStandings(sql: Sql, asked: StandingsWanted): Promise<Standings | null> {
  const [standings] = await loadOfPeriod(sql, [asked]);
  return standings ?? null;
}

/**
 * The standings of a period for several readers of it, in their order, all as of one instant. Ranks come from counts, rows from an index:
 * it is as fast with ten million rows as with ten.
 */
async function loadOfPeriod(sql: Sql, readers: readonly StandingsWanted[]): Promise<(Standings | null)[]> {
  const { leaderboardId, wanted } = readers[0]!;
  const [row] = await sql<Found[]>`
    select p.id as period_id, p.step, p.number, p.starts_at, p.ends_at, s.participants, s.top, s.readers
    from (
      ${
        wanted === "settled"
          ? sql`select * from leaderboard_periods where leaderboard_id = ${leaderboardId} and step = 'Settled' order by number desc limit 1`
          : sql`select * from leaderboard_periods where leaderboard_id = ${leaderboardId} and start = ${wanted.start}`
      }
    ) p cross join lateral leaderboard_standings_of(p.id, ${arrayText(readers.map(({ player }) => player.part))}::text::smallint[],
      ${arrayText(readers.map(({ player }) => player.playerId))}::text::uuid[], ${Math.max(...readers.map(({ top }) => top))}::int,
      ${arrayText(readers.map(({ neighbours }) => neighbours))}::text::int[]) s`;
  if (row === undefined) return readers.map(() => null);
  const rows = new Map(row.readers.map((own) => [own[0], own]));
  return readers.map((reader, at) => standingsOf(row, reader, rows.get(at + 1)));
}

function standingsOf({ top, readers: _, ...period }: Found, reader: StandingsWanted, row: Found["readers"][number] | undefined): Standings {
  const shown = top.slice(0, reader.top).map(([name, sortScore, id]) => ({ name, sortScore, isMe: id === reader.player.playerId }));
  if (row === undefined) return { ...period, top: shown, around: [], firstRank: null, secondRank: null };
  const [, [firstRank = null, secondRank = null], above, [name, sortScore], below] = row;
  const around = [...othersOf(above).reverse(), { name, sortScore, isMe: true }, ...othersOf(below)];
  return { ...period, top: shown, around, firstRank, secondRank };
}

const othersOf = ([names, scores]: [names: (string | null)[], scores: Numeric[]]): StandingRow[] =>
  scores.map((sortScore, at) => ({ name: names[at] ?? null, sortScore, isMe: false }));

/** A row of a league's group, or of a named player. */
interface MemberRow<ExternalId> extends PlayerKey {
  externalId: ExternalId;
  name: string | null;
  sortScore: Numeric;
  reachedSeq: number;
}

type NamedMember = MemberRow<string>;

/**
 * The players of a group of a league with their scores; erased ones, without an external id, keep their ranks in settled periods. The README
 * explains `+ 0`, and how the statements below give the period.
 */
export const loadGroup = (sql: Sql, periodId: number, tier: number, groupNumber: number): Promise<MemberRow<string | null>[]> =>
  sql<MemberRow<string | null>[]>`
    select s.part, s.player_id, p.external_id, p.display_name as name, s.sort_score::text::json as sort_score, s.reached_seq
    from leaderboard_seats m
    join leaderboard_scores s on s.part = m.part and s.player_id = m.player_id and s.period_id = m.period_id + 0
    left join players p on p.part = s.part and p.player_id = s.player_id
    where m.period_id = ${periodId} and m.tier = ${tier} and m.group_number = ${groupNumber}
    order by s.sort_score, s.reached_seq`.execute();

/** As `playersIn`, each with the period. */
const playersOf = (sql: Sql, periodId: number, players: readonly PlayerKey[]) =>
  sql`json_to_recordset(${writeJson(players.map(({ part, playerId }) => ({ part, playerId, periodId })))}::text::json)
    as k("part" smallint, "playerId" uuid, "periodId" int)`;

/** The rows of those players who have a score in a period. */
export const loadNamed = (sql: Sql, periodId: number, players: readonly PlayerKey[]): Promise<NamedMember[]> =>
  sql<NamedMember[]>`
    select s.part, s.player_id, p.external_id, p.display_name as name, s.sort_score::text::json as sort_score, s.reached_seq
    from ${playersOf(sql, periodId, players)}
    join leaderboard_scores s on s.part = k.part and s.player_id = k."playerId" and s.period_id = k."periodId"
    join players p on p.part = s.part and p.player_id = s.player_id`.execute();

/** The contributions of some players in a period, to any team. */
export const loadNamedContributions = (sql: Sql, periodId: number, players: readonly PlayerKey[]) =>
  sql<(Omit<NamedMember, "sortScore"> & { score: Numeric })[]>`
    select p.part, p.player_id, p.external_id, p.display_name as name, sum(c.score)::text::json as score, max(c.reached_seq) as reached_seq
    from ${playersOf(sql, periodId, players)}
    join leaderboard_contributions c on c.part = k.part and c.player_id = k."playerId" and c.period_id = k."periodId"
    join players p on p.part = c.part and p.player_id = c.player_id
    group by p.part, p.player_id`.execute();

/** A player's contribution to a team, and the number of its contributors. */
export async function loadContribution(
  sql: Sql,
  periodId: number,
  { part, playerId }: PlayerKey,
  team: PlayerKey & { name: string },
): Promise<{ score: Numeric | null; members: number }> {
  const [row] = await sql<{ score: Numeric | null; members: number | null }[]>`
    select
      (select c.score::text::json from leaderboard_contributions c
        where c.part = ${part} and c.player_id = ${playerId} and c.period_id = ${periodId} and c.team_key = ${team.name}) as score,
      (select s.members from leaderboard_scores s where s.part = ${team.part} and s.player_id = ${team.playerId} and s.period_id = ${periodId}) as members`;
  return { score: row?.score ?? null, members: row?.members ?? 0 };
}

/** A player's tier in a league, and the seat in a period if they have one. */
export interface Seat {
  tier: number;
  groupNumber: number | null;
  outcome: Outcome | null;
}

export async function loadSeat(sql: Sql, leaderboardId: number, periodId: number | null, { part, playerId }: PlayerKey): Promise<Seat> {
  const [row] = await sql<{ tier: number; seatTier: number | null; groupNumber: number | null; outcome: Outcome | null }[]>`
    select coalesce(t.tier, 0) as tier, m.tier as seat_tier, m.group_number, m.outcome
    from (select ${part}::smallint as part, ${playerId}::uuid as player_id) k
    left join leaderboard_tiers t on t.part = k.part and t.player_id = k.player_id and t.leaderboard_id = ${leaderboardId}
    left join leaderboard_seats m on m.part = k.part and m.player_id = k.player_id and m.period_id = (select ${periodId}::int)`;
  return { tier: row?.seatTier ?? row?.tier ?? 0, groupNumber: row?.groupNumber ?? null, outcome: row?.outcome ?? null };
}
