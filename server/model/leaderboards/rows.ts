import type { Images, Leaderboard } from "../definitions/compiled.ts";
import type { Numeric } from "../kernel/decimal.ts";
import { described, pickText } from "../kernel/texts.ts";
import { boundOrNull } from "../kernel/time.ts";
import { byRank, type Outcome, type Rankable, ranks } from "./ranking.ts";
import { sortScore } from "./scores.ts";
import { SCORE_SOURCES } from "./shape.ts";

export interface EntryRow {
  rank: number;
  displayName: string | null;
  score: Numeric;
  isMe: boolean;
}

export interface NamedRow extends EntryRow {
  playerId: string;
}

export interface Own {
  rank: number;
  score: Numeric;
}

export interface TeamRow {
  teamKey: string;
  rank: number | null;
  score: Numeric | null;
  contribution: Numeric | null;
  members: number;
}

export interface LeagueRow {
  tierKey: string;
  tierName: string;
  tier: number;
  tiers: number;
  groupSize: number;
  promotes: number;
  relegates: number;
  outcome: Outcome | null;
}

/** A leaderboard as a player sees it. */
export interface SummaryRow {
  leaderboardKey: string;
  name: string;
  description: string | null;
  images: Images;
  scoreSource: Leaderboard["scoreSource"];
  aggregation: "Count" | "Sum" | "Max" | "Min" | "Latest" | null;
  rankOrder: Leaderboard["rankOrder"];
  ranksTeams: boolean;
  period: { startsAtUtc: string | null; endsAtUtc: string | null };
  isLocked: boolean;
  participants: number;
  me: Own | null;
  league: LeagueRow | null;
  team: TeamRow | null;
}

/** The part of a summary that differs from player to player, and with time. */
export type PlayerStanding = Pick<SummaryRow, "isLocked" | "participants" | "me" | "league" | "team"> & {
  period: { startsAt: number | null; endsAt: number | null };
};

export function summaryRow(board: Leaderboard, { period, ...standing }: PlayerStanding, language: string | null): SummaryRow {
  const { key, scoreSource, rankOrder, teamAttributeId } = board;
  return {
    leaderboardKey: key,
    ...described(board, language),
    scoreSource,
    aggregation: aggregationOf(board),
    rankOrder,
    ranksTeams: teamAttributeId !== null,
    period: { startsAtUtc: boundOrNull(period.startsAt), endsAtUtc: boundOrNull(period.endsAt) },
    ...standing,
  };
}

/** The aggregation of scores: points are added up, an attribute is not aggregated. */
function aggregationOf({ scoreSource, measure }: Leaderboard): SummaryRow["aggregation"] {
  const { aggregation } = SCORE_SOURCES[scoreSource];
  return aggregation === "Measured" ? (measure?.kind ?? null) : aggregation;
}

/** The league as a player of a tier sees it. */
export const leagueRow = (
  { tiers, groupSize, promotes, relegates }: NonNullable<Leaderboard["league"]>,
  tier: number,
  outcome: Outcome | null,
  language: string | null,
): LeagueRow => ({
  tierKey: tiers[tier]?.key ?? "",
  tierName: tiers[tier] === undefined ? "" : pickText(tiers[tier].name, language),
  tier,
  tiers: tiers.length,
  groupSize,
  promotes,
  relegates,
  outcome,
});

/** A row of a board for display: with a player's display name, or a team's key. */
export interface StandingRow {
  name: string | null;
  sortScore: Numeric;
  isMe: boolean;
}

/** Rows that follow each other on a board, with their ranks (`ranks`). */
export function entryRows(board: Leaderboard, rows: readonly StandingRow[], first = 1, second: number | null = null): EntryRow[] {
  const placed = ranks(rows, first, second);
  return rows.map(({ name, sortScore: score, isMe }, at) => ({
    rank: placed[at] ?? first,
    displayName: name,
    score: sortScore(score, board.rankOrder),
    isMe,
  }));
}

/** The rows around the player's own, including it; empty without one. */
export function around<Row extends { isMe: boolean }>(rows: readonly Row[], neighbours: number): Row[] {
  const own = rows.findIndex(({ isMe }) => isMe);
  return own < 0 ? [] : rows.slice(Math.max(0, own - neighbours), own + neighbours + 1);
}

/** The rows of these players, ranked among themselves. */
export function namedRows(
  board: Leaderboard,
  players: readonly (Rankable & { externalId: string; name: string | null })[],
  me: string,
): NamedRow[] {
  const inOrder = [...players].sort(byRank);
  const entries = entryRows(
    board,
    inOrder.map((player) => ({ ...player, isMe: player.externalId === me })),
  );
  return entries.map((entry, at) => ({ playerId: inOrder[at]?.externalId ?? "", ...entry }));
}
