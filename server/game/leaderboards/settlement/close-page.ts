import type { Transaction } from "#db/client.ts";
import type { Leaderboard, Prize } from "#server/model/definitions/compiled.ts";
import { writeRewards } from "#server/engine/rewards.ts";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";
import { outcomes } from "#server/model/leaderboards/ranking.ts";
import { lastPrizedRank, prizeEffects } from "#server/model/leaderboards/closing.ts";
import { type GroupName, groupsAfter, membersAfter, rowsAfter, saveOutcomes } from "../store/settling.ts";
import type { RowCursor } from "../store/pages.ts";
import { loadGroup } from "../store/standings.ts";
import { periodIdOf } from "#server/model/leaderboards/scores.ts";

/** A frozen period: its scores no longer change. */
export interface FrozenPeriod {
  id: number;
  environmentId: number;
  leaderboardId: number;
  start: string;
  prizes: readonly Prize[];
  settledAt: number;
}

/** A row with a rank. Without an external id it is no player's, and wins nothing. */
type Ranked = PlayerKey & { externalId: string | null; rank: number };

/** Players, groups of a league, or members of a team in one transaction. */
const PAGE = 500;
const GROUPS = 20;

/**
 * Grants the prizes of a frozen period and moves the players of a league, one page per transaction. `cursor` is the start of the page,
 * null for the first. Returns the next cursor, or null at the end. A page that did not commit is repeated: each reward has a derived id, so
 * it is granted once.
 */
export async function closePage(tx: Transaction, board: Leaderboard, period: FrozenPeriod, cursor: unknown): Promise<unknown> {
  if (board.league !== null) return closeGroups(tx, board, period, cursor as GroupName | null);
  if (period.prizes.length === 0) return null;
  return board.teamAttributeId === null
    ? rewardPlayers(tx, period, cursor as RankedCursor | null)
    : rewardTeams(tx, period, cursor as TeamCursor | null);
}

async function closeGroups(
  tx: Transaction,
  { league }: Leaderboard,
  period: FrozenPeriod,
  after: GroupName | null,
): Promise<GroupName | null> {
  if (league === null) return null;
  const groups = await groupsAfter(tx, period.id, after, GROUPS);
  const rules = { ...league, tiers: league.tiers.length };
  const moved = await Promise.all(
    groups.map(async ({ tier, groupNumber }) => outcomes(await loadGroup(tx, period.id, tier, groupNumber), tier, rules)),
  );
  const all = moved.flat();
  await saveOutcomes(
    tx,
    period.leaderboardId,
    period.id,
    all.map(({ row: { part, playerId }, outcome, tier }) => ({ part, playerId, outcome, tier })),
  );
  await grant(
    tx,
    period,
    all.map(({ row, rank }) => ({ ...row, rank })),
  );
  return groups.at(-1) ?? null;
}

/** A row's position, with the counts from which later ranks continue. */
interface RankedCursor extends RowCursor {
  /** The number of rows up to here. */
  passed: number;
  rank: number;
}

type RankedRows = { rows: (Awaited<ReturnType<typeof rowsAfter>>[number] & { rank: number })[]; next: RankedCursor | null };

/** The next rows that may win something, with their ranks. */
async function prizedRows(tx: Transaction, period: FrozenPeriod, after: RankedCursor | null, limit: number): Promise<RankedRows> {
  const last = lastPrizedRank(period.prizes);
  const found: RankedRows = { rows: [], next: null };
  let previous: { sortScore: Numeric | string; rank: number } | null = after;
  let passed = after?.passed ?? 0;
  const rows = await rowsAfter(tx, period.id, after, limit);
  for (const row of rows) {
    const isTied: boolean = previous !== null && String(previous.sortScore) === String(row.sortScore);
    const rank: number = isTied && previous !== null ? previous.rank : passed + 1;
    if (rank > last) return { ...found, next: null };
    passed++;
    found.rows.push({ ...row, rank });
    previous = { sortScore: row.sortScore, rank };
    found.next = { sortScore: String(row.sortScore), reachedSeq: row.reachedSeq, playerId: row.playerId, passed, rank };
  }
  return rows.length < limit ? { ...found, next: null } : found;
}

async function rewardPlayers(tx: Transaction, period: FrozenPeriod, after: RankedCursor | null): Promise<RankedCursor | null> {
  const { rows, next } = await prizedRows(tx, period, after, PAGE);
  await grant(tx, period, rows);
  return next;
}

/** Teams are paid up to `team`, and the next team's members up to `member`. */
interface TeamCursor {
  team: RankedCursor | null;
  member: PlayerKey | null;
}

/** Grants a winning team's prize to every player who contributed to it. */
async function rewardTeams(tx: Transaction, period: FrozenPeriod, after: TeamCursor | null): Promise<TeamCursor | null> {
  const {
    rows: [team],
    next,
  } = await prizedRows(tx, period, after?.team ?? null, 1);
  if (team === undefined || team.team === null) return null;
  const members = await membersAfter(tx, period.id, team.team, after?.member ?? null, PAGE);
  await grant(
    tx,
    period,
    members.map((member) => ({ ...member, rank: team.rank })),
  );
  const last = members.at(-1);
  if (members.length === PAGE && last !== undefined)
    return { team: after?.team ?? null, member: { part: last.part, playerId: last.playerId } };
  return next === null ? null : { team: next, member: null };
}

async function grant(tx: Transaction, period: FrozenPeriod, ranked: readonly Ranked[]): Promise<void> {
  const { environmentId, leaderboardId, prizes, settledAt } = period;
  const source = { periodId: periodIdOf(leaderboardId, period.start), leaderboardId, at: settledAt };
  const won = ranked.flatMap(({ part, playerId, externalId, rank }) => {
    const effects = externalId === null ? [] : prizeEffects(prizes, rank, source);
    return externalId === null || effects.length === 0 ? [] : [{ player: { part, playerId, externalId, environmentId }, effects }];
  });
  await writeRewards(tx, won);
}
