import type { Calendar } from "../../../server/kernel/time.ts";
import type { Kind } from "../../../server/definitions/contract.ts";
import { type AudienceDraft, audiencePhrase } from "../../../server/rules/audience.ts";
import { type ConditionDraft, conditionPhrase } from "../../../server/rules/condition.ts";
import { type MeasuredDraft, measuredPhrase, readPhrase } from "../../../server/rules/measured.ts";
import { type ObjectiveDraft, objectivePhrase } from "../../../server/rules/objective.ts";
import type { Operator } from "../../../server/rules/operator.ts";
import { begun, listed, missing, named, type Phrase, say, valued, words } from "../../../server/rules/phrase.ts";
import { type RewardDraft, itemPhrase, rewardsPhrase } from "../../../server/rules/reward.ts";
import {
  type SpanDraft,
  EVERY,
  type RecurrenceDraft,
  recurrencePhrase,
  type ScorePeriodDraft,
  scorePeriodPhrase,
  spanPhrase,
} from "../../../server/rules/schedule.ts";
import type { DescribeScope } from "../../../server/rules/scope.ts";
import { type Value, numberInWords } from "../../../server/rules/value.ts";
import { type Catalogue, scopeOf } from "../catalogue.ts";
import type { Draft } from "../document/draft.ts";

/** One thing that a definition says, under what it is about. */
export interface SummaryLine {
  term: string;
  phrases: readonly Phrase[];
  /** They follow each other. */
  isOrdered?: boolean;
}

const line = (term: string, ...phrases: Phrase[]): SummaryLine => ({ term, phrases: phrases.map(begun) });

/** What a definition says, in words; it may be half filled in. Nothing for kinds that say it all by themselves. */
export function summaryOf(kind: Kind, draft: Draft, catalogue: Catalogue): SummaryLine[] {
  const scope = scopeOf(catalogue);
  switch (kind) {
    case "missions":
      return ofMission(draft as unknown as MissionDraft, scope);
    case "segments":
      return [line("Who is in it", segmentPhrase(draft.rule as ConditionDraft | null, scope))];
    case "streaks":
      return ofStreak(draft as unknown as StreakDraft, scope);
    case "leaderboards":
      return ofLeaderboard(draft as unknown as LeaderboardDraft, scope);
    case "marketplaceItems":
      return ofListing(draft as unknown as ListingDraft, scope);
    case "events":
    case "metrics":
    case "exchangeRates":
    case "attributes":
    case "catalogItems":
    case "missionCollections":
    case "marketplaceCollections":
    case "pointsValuations":
      return [];
  }
}

interface MissionDraft {
  optIn: "Automatic" | "Manual";
  objectiveOrder: "AnyOrder" | "InOrder";
  appearsIn: "Feed" | "CollectionOnly";
  recurrence: RecurrenceDraft;
  audience: AudienceDraft;
  window: SpanDraft;
  objectives: ObjectiveDraft[];
  rewards: RewardDraft[];
}

function ofMission(mission: MissionDraft, scope: DescribeScope): SummaryLine[] {
  const { objectives, objectiveOrder } = mission;
  const toDo = objectives.length === 0 ? [missing("no objective yet")] : objectives.map((objective) => objectivePhrase(objective, scope));
  const isOrdered = objectiveOrder === "InOrder" && objectives.length > 1;
  return [
    { ...line(isOrdered ? "To do, in this order" : "To do", ...toDo), isOrdered },
    line("Earns", rewardsPhrase(mission.rewards, scope)),
    line("For", audiencePhrase(mission.audience, scope)),
    line("Starts", words(mission.optIn === "Manual" ? "when the player accepts it" : "by itself")),
    line("Open", spanPhrase(mission.window, scope.timeZone)),
    line("Repeats", recurrencePhrase(mission.recurrence)),
    line("Shown", words(mission.appearsIn === "Feed" ? "in the feed and in collections" : "in collections only")),
  ];
}

export const segmentPhrase = (rule: ConditionDraft | null, scope: DescribeScope): Phrase =>
  rule === null ? missing("no condition yet") : conditionPhrase(rule, scope);

interface StreakDraft extends MeasuredDraft {
  operator: Operator;
  target: Value;
  cadence: Calendar;
  freezes: { max: number | null; earnEvery: number | null } | null;
  milestones: { length: number | null; rewards: RewardDraft[] }[];
}

const PERIODS = { Day: "day", Week: "week", Month: "month" } as const;

function ofStreak(streak: StreakDraft, scope: DescribeScope): SummaryLine[] {
  const { freezes, milestones } = streak;
  const period = PERIODS[streak.cadence];
  const count = (number: number | null) => valued(number === null ? "…" : numberInWords(number));
  const saved =
    freezes === null
      ? words("none: a missed period ends the run")
      : say`one for every ${count(freezes.earnEvery)} ${period}s of the run, at most ${count(freezes.max)} in hand`;
  const paid = milestones.map(({ length, rewards }) => say`${count(length)} ${period}s: ${rewardsPhrase(rewards, scope)}`);
  return [
    line(`A ${period} counts with`, streakPhrase(streak, scope)),
    line("Freezes", saved),
    line("Milestones", ...(paid.length === 0 ? [words("none")] : paid)),
  ];
}

const streakPhrase = (streak: StreakDraft, scope: DescribeScope): Phrase =>
  streak.event === null && streak.metric === null
    ? missing("nothing chosen yet")
    : measuredPhrase(streak, { operator: streak.operator, value: streak.target }, scope);

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
  scoreSource: "Event" | "Metric" | "Points" | "Attribute";
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

function ofLeaderboard(board: LeaderboardDraft, scope: DescribeScope): SummaryLine[] {
  const lines = [
    line("Ranks", rankingPhrase(board, scope)),
    line("Period", scorePeriodPhrase(board.period, scope.timeZone)),
    line("For", audiencePhrase(board.audience, scope)),
  ];
  if (board.league !== null) lines.push(line("League", leaguePhrase(board.league)));
  const prizes = board.prizes.map((prize) => say`${ranksPhrase(prize)}: ${rewardsPhrase(prize.rewards, scope)}`);
  lines.push(line("Prizes", ...(prizes.length === 0 ? [words("none")] : prizes)));
  return lines;
}

/** "players by the total amount of Order placed where amount is over 10, the highest first" */
export function rankingPhrase(board: LeaderboardDraft, scope: DescribeScope): Phrase {
  const who = board.teamAttribute === null ? words("players") : say`teams, by ${named(scope.nameOf("attributes", board.teamAttribute))},`;
  const order = words(board.rankOrder === "HighestFirst" ? "the highest first" : "the lowest first");
  return say`${who} by ${scorePhrase(board, scope)}, ${order}`;
}

function scorePhrase(board: LeaderboardDraft, scope: DescribeScope): Phrase {
  const { scoreSource, attribute } = board;
  if (scoreSource === "Points") return words("points granted by missions and streaks");
  if (scoreSource === "Attribute") return attribute === null ? missing("an attribute") : named(scope.nameOf("attributes", attribute));
  const measured: MeasuredDraft = {
    where: board.where,
    measure: board.measure ?? { kind: "Count" },
    ...(scoreSource === "Event" ? { event: board.event } : { metric: board.metric }),
  };
  return readPhrase(measured, scope);
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

function pricePhrase(points: number | null): Phrase {
  if (points === null) return missing("… points");
  return points === 0 ? words("nothing: it is free") : valued(`${numberInWords(points)} ${points === 1 ? "point" : "points"}`);
}

interface ListingDraft {
  priceInPoints: number | null;
  contents: Parameters<typeof itemPhrase>[0][];
  audience: AudienceDraft;
  appearsIn: "Shop" | "CollectionOnly";
  onSale: SpanDraft;
  stock: number | null;
  limitPerPlayer: number | null;
  recurrence: RecurrenceDraft;
}

function ofListing(listing: ListingDraft, scope: DescribeScope): SummaryLine[] {
  const { priceInPoints, contents, stock, limitPerPlayer, recurrence } = listing;
  const isRepeating = recurrence.kind === "Calendar";
  const round = isRepeating ? ` ${EVERY[recurrence.every].toLowerCase()}` : "";
  const got =
    contents.length === 0
      ? missing("nothing yet")
      : listed(
          contents.map((content) => itemPhrase(content, scope)),
          "and",
        );
  return [
    line("Costs", pricePhrase(priceInPoints)),
    line("Gives", got),
    line("For", audiencePhrase(listing.audience, scope)),
    line("On sale", spanPhrase(listing.onSale, scope.timeZone)),
    line("In stock", stock === null ? words("without limit") : say`${valued(numberInWords(stock))}${round}`),
    line(
      "Each player",
      limitPerPlayer === null ? words("as often as they like") : say`at most ${valued(numberInWords(limitPerPlayer))}${round}`,
    ),
    line("Shown", words(listing.appearsIn === "Shop" ? "in the shop and in collections" : "in collections only")),
  ];
}
