import { Activity, Box, Coins, Gauge, type LucideIcon } from "lucide-react";
import { type AudienceDraft, audiencePhrase } from "#server/model/rules/audience.ts";
import { type MeasuredDraft, readPhrase } from "#server/model/rules/measured.ts";
import { missing, named, type Phrase, say, valued, words } from "#server/model/rules/phrase.ts";
import { type RewardDraft, rewardsPhrase } from "#server/model/rules/reward.ts";
import { type ScorePeriodDraft, scorePeriodPhrase } from "#server/model/rules/schedule.ts";
import type { DescribeScope } from "#server/model/rules/scope.ts";
import { numberInWords } from "#server/model/rules/value.ts";
import type { ScoreSource } from "#server/game/leaderboards/contract.ts";
import { scopeOf } from "../../catalogue.ts";
import { line, type Summarize } from "../summary.ts";

export interface League {
  groupSize: number | null;
  tiers: { key: string; name: unknown }[];
  promotes: number | null;
  relegates: number | null;
}

export interface Prize {
  fromRank: number | null;
  toRank: number | null;
  rewards: RewardDraft[];
}

export interface LeaderboardDraft extends Omit<MeasuredDraft, "measure"> {
  scoreSource: ScoreSource;
  attribute: string | null;
  measure: MeasuredDraft["measure"] | null;
  rankOrder: "HighestFirst" | "LowestFirst";
  period: ScorePeriodDraft;
  settleAfterMinutes: number | null;
  audience: AudienceDraft;
  teamAttribute: string | null;
  league: League | null;
  prizes: Prize[];
}

export const leaderboardSummary: Summarize = (draft, catalogue) => {
  const board = draft as unknown as LeaderboardDraft;
  const scope = scopeOf(catalogue);
  const lines = [
    line("Ranks", rankingPhrase(board, scope)),
    line("Period", scorePeriodPhrase(board.period, scope.timeZone)),
    line("Audience", audiencePhrase(board.audience, scope)),
  ];
  if (board.league !== null) lines.push(line("League", leaguePhrase(board.league)));
  const prizes = board.prizes.map((prize) => say`${ranksPhrase(prize)}: ${rewardsPhrase(prize.rewards, scope)}`);
  lines.push(line("Prizes", ...(prizes.length === 0 ? [words("none")] : prizes)));
  return lines;
};

interface SourceWords {
  label: string;
  hint: string;
  icon: LucideIcon;
  /** "points from missions and streaks" */
  phrase(board: LeaderboardDraft, scope: DescribeScope): Phrase;
}

/** Score sources, as the form offers and sentences name them. */
export const SCORE_SOURCES: Record<ScoreSource, SourceWords> = {
  Event: {
    label: "An event",
    hint: "How often it happens, or how much.",
    icon: Activity,
    phrase: (board, scope) => readPhrase({ ...measuredOf(board), event: board.event }, scope),
  },
  Metric: {
    label: "A metric",
    hint: "The player's running total.",
    icon: Gauge,
    phrase: (board, scope) => readPhrase({ ...measuredOf(board), metric: board.metric }, scope),
  },
  Points: {
    label: "Points",
    hint: "Points from missions and streaks.",
    icon: Coins,
    phrase: () => words("points from missions and streaks"),
  },
  Attribute: {
    label: "An attribute",
    hint: "A number attribute of the player.",
    icon: Box,
    phrase: ({ attribute }, scope) => (attribute === null ? missing("an attribute") : named(scope.nameOf("attributes", attribute))),
  },
};

const measuredOf = ({ where, measure }: LeaderboardDraft) => ({ where, measure: measure ?? { kind: "Count" as const } });

/** "players by the total amount of Order placed where amount is over 10, the highest first" */
export function rankingPhrase(board: LeaderboardDraft, scope: DescribeScope): Phrase {
  const who = board.teamAttribute === null ? words("players") : say`teams, by ${named(scope.nameOf("attributes", board.teamAttribute))},`;
  const order = words(board.rankOrder === "HighestFirst" ? "highest first" : "lowest first");
  return say`${who} by ${SCORE_SOURCES[board.scoreSource].phrase(board, scope)}, ${order}`;
}

function leaguePhrase({ groupSize, tiers, promotes, relegates }: League): Phrase {
  const count = (number: number | null) => valued(number === null ? "…" : numberInWords(number));
  return say`${count(tiers.length)} ${tiers.length === 1 ? "tier" : "tiers"} in groups of ${count(groupSize)}; the first ${count(promotes)} move up, the last ${count(relegates)} move down`;
}

/** "Rank 1", "Ranks 2 to 10" */
function ranksPhrase({ fromRank, toRank }: Prize): Phrase {
  const count = (number: number | null) => valued(number === null ? "…" : numberInWords(number));
  return fromRank === toRank ? say`Rank ${count(fromRank)}` : say`Ranks ${count(fromRank)} to ${count(toRank)}`;
}
