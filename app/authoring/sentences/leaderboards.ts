import { type Catalogue, nameIn } from "../catalogue.ts";
import type { Audience, Measured, Reward } from "../rules/shapes.ts";
import { audiencePhrase, EVERY, type Every, rewardsPhrase } from "./blocks.ts";
import { missing, named, type Phrase, say, valued, words } from "./parts.ts";
import { ADJECTIVES, sourcePhrase, takenOf, wherePhrase } from "./rules.ts";
import { line, type Summarize } from "./summary.ts";
import { instantInWords, numberInWords } from "./values.ts";

export type Period =
  { kind: "AllTime" } | { kind: "Calendar"; every: Every } | { kind: "Season"; startsAt: string | null; endsAt: string | null };

export interface League {
  groupSize: number | null;
  tiers: { key: string; name: unknown }[];
  promotes: number | null;
  relegates: number | null;
}

export interface Prize {
  fromRank: number | null;
  toRank: number | null;
  rewards: Reward[];
}

export interface LeaderboardDraft extends Omit<Measured, "measure"> {
  scoreSource: "Event" | "Metric" | "Points" | "Attribute";
  attribute: string | null;
  measure: Measured["measure"] | null;
  rankOrder: "HighestFirst" | "LowestFirst";
  period: Period;
  settleAfterMinutes: number | null;
  audience: Audience;
  teamAttribute: string | null;
  league: League | null;
  prizes: Prize[];
}

export const leaderboardSummary: Summarize = (draft, catalogue) => {
  const board = draft as unknown as LeaderboardDraft;
  const lines = [
    line("Ranks", rankingPhrase(board, catalogue)),
    line("Period", periodPhrase(board.period, catalogue.timeZone)),
    line("For", audiencePhrase(board.audience, catalogue)),
  ];
  if (board.league !== null) lines.push(line("League", leaguePhrase(board.league)));
  const prizes = board.prizes.map((prize) => say`${ranksPhrase(prize)}: ${rewardsPhrase(prize.rewards, catalogue)}`);
  lines.push(line("Prizes", ...(prizes.length === 0 ? [words("none")] : prizes)));
  return lines;
};

/** "players by the total amount of Order placed where amount is over 10, the highest first" */
export function rankingPhrase(board: LeaderboardDraft, catalogue: Catalogue): Phrase {
  const who = board.teamAttribute === null ? words("players") : say`teams, by ${named(nameIn(catalogue.attributes, board.teamAttribute))},`;
  const order = words(board.rankOrder === "HighestFirst" ? "the highest first" : "the lowest first");
  return say`${who} by ${scorePhrase(board, catalogue)}, ${order}`;
}

function scorePhrase(board: LeaderboardDraft, catalogue: Catalogue): Phrase {
  const { scoreSource, attribute } = board;
  if (scoreSource === "Points") return words("points granted by missions and streaks");
  if (scoreSource === "Attribute") return attribute === null ? missing("an attribute") : named(nameIn(catalogue.attributes, attribute));
  const measured: Measured = {
    where: board.where,
    measure: board.measure ?? { kind: "Count" },
    ...(scoreSource === "Event" ? { event: board.event } : { metric: board.metric }),
  };
  return say`${takenPhrase(measured)} ${sourcePhrase(measured, catalogue)}${wherePhrase(measured, catalogue)}`;
}

function takenPhrase(measured: Measured): Phrase {
  const { kind, property } = measured.measure;
  switch (kind) {
    case "Count":
    case "DistinctCount":
      return words("the number of");
    case "DistinctDays":
      return words("the number of days with");
    case "Sum":
    case "Max":
    case "Min":
    case "Latest":
      return say`the ${ADJECTIVES[kind]} ${takenOf(property, measured)} of`;
  }
}

function periodPhrase(period: Period, timeZone: string): Phrase {
  switch (period.kind) {
    case "AllTime":
      return words("all time, without an end");
    case "Calendar":
      return say`anew ${words(EVERY[period.every].toLowerCase())}`;
    case "Season": {
      const at = (instant: string | null) => (instant === null ? missing("…") : valued(instantInWords(instant, timeZone)));
      return say`one season, from ${at(period.startsAt)} until ${at(period.endsAt)}`;
    }
  }
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
