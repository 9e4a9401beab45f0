import type { Kind } from "../../../server/definitions/contract.ts";
import type { Operator } from "../../../server/kernel/values.ts";
import { type Catalogue, nameIn } from "../catalogue.ts";
import type { Draft } from "../document/draft.ts";
import type { Audience, Condition, Measured, Objective, Reward, Span, Value } from "../rules/shapes.ts";
import { audiencePhrase, EVERY, type Every, itemPhrase, type Recurrence, recurrencePhrase, rewardsPhrase, spanPhrase } from "./blocks.ts";
import { begun, listed, missing, named, type Phrase, say, valued, words } from "./parts.ts";
import { ADJECTIVES, conditionPhrase, measuredPhrase, objectivePhrase, sourcePhrase, takenOf, wherePhrase } from "./rules.ts";
import { instantInWords, numberInWords } from "./values.ts";

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
  switch (kind) {
    case "missions":
      return ofMission(draft as unknown as MissionDraft, catalogue);
    case "segments":
      return [line("Who is in it", segmentPhrase(draft.rule as Condition | null, catalogue))];
    case "streaks":
      return ofStreak(draft as unknown as StreakDraft, catalogue);
    case "leaderboards":
      return ofLeaderboard(draft as unknown as LeaderboardDraft, catalogue);
    case "marketplaceItems":
      return ofListing(draft as unknown as ListingDraft, catalogue);
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
  recurrence: Recurrence;
  audience: Audience;
  window: Span;
  objectives: Objective[];
  rewards: Reward[];
}

function ofMission(mission: MissionDraft, catalogue: Catalogue): SummaryLine[] {
  const { objectives, objectiveOrder } = mission;
  const toDo =
    objectives.length === 0 ? [missing("no objective yet")] : objectives.map((objective) => objectivePhrase(objective, catalogue));
  const isOrdered = objectiveOrder === "InOrder" && objectives.length > 1;
  return [
    { ...line(isOrdered ? "To do, in this order" : "To do", ...toDo), isOrdered },
    line("Earns", rewardsPhrase(mission.rewards, catalogue)),
    line("For", audiencePhrase(mission.audience, catalogue)),
    line("Starts", words(mission.optIn === "Manual" ? "when the player accepts it" : "by itself")),
    line("Open", spanPhrase(mission.window, catalogue.timeZone)),
    line("Repeats", recurrencePhrase(mission.recurrence)),
    line("Shown", words(mission.appearsIn === "Feed" ? "in the feed and in collections" : "in collections only")),
  ];
}

export const segmentPhrase = (rule: Condition | null, catalogue: Catalogue): Phrase =>
  rule === null ? missing("no condition yet") : conditionPhrase(rule, catalogue);

interface StreakDraft extends Measured {
  operator: Operator;
  target: Value;
  cadence: Every;
  freezes: { max: number | null; earnEvery: number | null } | null;
  milestones: { length: number | null; rewards: Reward[] }[];
}

const PERIODS = { Day: "day", Week: "week", Month: "month" } as const;

function ofStreak(streak: StreakDraft, catalogue: Catalogue): SummaryLine[] {
  const { freezes, milestones } = streak;
  const period = PERIODS[streak.cadence];
  const count = (number: number | null) => valued(number === null ? "…" : numberInWords(number));
  const saved =
    freezes === null
      ? words("none: a missed period ends the run")
      : say`one for every ${count(freezes.earnEvery)} ${period}s of the run, at most ${count(freezes.max)} in hand`;
  const paid = milestones.map(({ length, rewards }) => say`${count(length)} ${period}s: ${rewardsPhrase(rewards, catalogue)}`);
  return [
    line(`A ${period} counts with`, streakPhrase(streak, catalogue)),
    line("Freezes", saved),
    line("Milestones", ...(paid.length === 0 ? [words("none")] : paid)),
  ];
}

const streakPhrase = (streak: StreakDraft, catalogue: Catalogue): Phrase =>
  streak.event === null && streak.metric === null
    ? missing("nothing chosen yet")
    : measuredPhrase(streak, { operator: streak.operator, value: streak.target }, catalogue);

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

function ofLeaderboard(board: LeaderboardDraft, catalogue: Catalogue): SummaryLine[] {
  const lines = [
    line("Ranks", rankingPhrase(board, catalogue)),
    line("Period", periodPhrase(board.period, catalogue.timeZone)),
    line("For", audiencePhrase(board.audience, catalogue)),
  ];
  if (board.league !== null) lines.push(line("League", leaguePhrase(board.league)));
  const prizes = board.prizes.map((prize) => say`${ranksPhrase(prize)}: ${rewardsPhrase(prize.rewards, catalogue)}`);
  lines.push(line("Prizes", ...(prizes.length === 0 ? [words("none")] : prizes)));
  return lines;
}

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

function pricePhrase(points: number | null): Phrase {
  if (points === null) return missing("… points");
  return points === 0 ? words("nothing: it is free") : valued(`${numberInWords(points)} ${points === 1 ? "point" : "points"}`);
}

interface ListingDraft {
  priceInPoints: number | null;
  contents: Parameters<typeof itemPhrase>[0][];
  audience: Audience;
  appearsIn: "Shop" | "CollectionOnly";
  onSale: Span;
  stock: number | null;
  limitPerPlayer: number | null;
  recurrence: Recurrence;
}

function ofListing(listing: ListingDraft, catalogue: Catalogue): SummaryLine[] {
  const { priceInPoints, contents, stock, limitPerPlayer, recurrence } = listing;
  const isRepeating = recurrence.kind === "Calendar";
  const round = isRepeating ? ` ${EVERY[recurrence.every].toLowerCase()}` : "";
  const got =
    contents.length === 0
      ? missing("nothing yet")
      : listed(
          contents.map((content) => itemPhrase(content, catalogue)),
          "and",
        );
  return [
    line("Costs", pricePhrase(priceInPoints)),
    line("Gives", got),
    line("For", audiencePhrase(listing.audience, catalogue)),
    line("On sale", spanPhrase(listing.onSale, catalogue.timeZone)),
    line("In stock", stock === null ? words("without limit") : say`${valued(numberInWords(stock))}${round}`),
    line(
      "Each player",
      limitPerPlayer === null ? words("as often as they like") : say`at most ${valued(numberInWords(limitPerPlayer))}${round}`,
    ),
    line("Shown", words(listing.appearsIn === "Shop" ? "in the shop and in collections" : "in collections only")),
  ];
}
