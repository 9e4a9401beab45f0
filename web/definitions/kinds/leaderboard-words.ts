import { Activity, Box, Coins, Gauge, type LucideIcon } from "lucide-react";
import type { AudienceDraft } from "#server/model/rules/audience.ts";
import { type MeasuredDraft, readPhrase } from "#server/model/rules/measured.ts";
import { missing, named, type Phrase, say, valued, words } from "#server/model/rules/phrase.ts";
import type { RewardDraft } from "#server/model/rules/reward.ts";
import type { ScorePeriodDraft } from "#server/model/rules/schedule.ts";
import type { DescribeScope } from "#server/model/rules/scope.ts";
import { numberInWords } from "#server/model/rules/value-words.ts";
import { choiceName } from "../document/labels.ts";
import type { ScoreSource } from "#server/model/leaderboards/shape.ts";

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

interface SourceWords {
  label: string;
  hint: string;
  icon: LucideIcon;
  /** "points from missions and streaks" */
  phrase(board: LeaderboardDraft, scope: DescribeScope): Phrase;
}

/** Score sources, as the form offers and sentences name them. */
export const SOURCE_WORDS: Record<ScoreSource, SourceWords> = {
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

/** "players by the total amount of Order placed where amount is more than 10, highest first" */
export function rankingPhrase(board: LeaderboardDraft, scope: DescribeScope): Phrase {
  const who = board.teamAttribute === null ? words("players") : say`teams, by ${named(scope.nameOf("attributes", board.teamAttribute))},`;
  const order = words(choiceName("rankOrder", board.rankOrder) ?? "");
  return say`${who} by ${SOURCE_WORDS[board.scoreSource].phrase(board, scope)}, ${order}`;
}

export const count = (number: number | null): Phrase => valued(number === null ? "…" : numberInWords(number));

export const leaguePhrase = ({ groupSize, tiers, promotes, relegates }: League): Phrase =>
  say`${count(tiers.length)} ${tiers.length === 1 ? "tier" : "tiers"} in groups of ${count(groupSize)}; the first ${count(promotes)} move up, the last ${count(relegates)} move down`;

/** "Rank 1", "Ranks 2 to 10" */
export const ranksPhrase = ({ fromRank, toRank }: Prize): Phrase =>
  fromRank === toRank ? say`Rank ${count(fromRank)}` : say`Ranks ${count(fromRank)} to ${count(toRank)}`;
