import { instantInWords } from "#server/model/kernel/dates.ts";
import { parseJson } from "#server/model/kernel/json.ts";
import { CALENDAR, type Calendar } from "#server/model/kernel/calendar.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { type AudienceDraft, audiencePhrase } from "#server/model/rules/audience.ts";
import { type ConditionDraft, conditionPhrase } from "#server/model/rules/condition.ts";
import { type MeasuredDraft, measuredPhrase } from "#server/model/rules/measured.ts";
import { type ObjectiveDraft, objectivePhrase, objectiveSentence } from "#server/model/rules/objective.ts";
import type { Operator } from "#server/model/rules/operator.ts";
import { begun, listed, missing, named, type Phrase, say, valued, words } from "#server/model/rules/phrase.ts";
import { itemPhrase, type RewardDraft, rewardsPhrase } from "#server/model/rules/reward.ts";
import { type RecurrenceDraft, recurrencePhrase, scorePeriodPhrase, type SpanDraft, spanPhrase } from "#server/model/rules/schedule.ts";
import type { DescribeScope } from "#server/model/rules/scope.ts";
import { type Value } from "#server/model/rules/value.ts";
import { numberInWords } from "#server/model/rules/value-words.ts";
import { type Catalogue, nameIn, type CatalogueEntry, scopeOf } from "../catalogue.ts";
import type { Draft } from "../document/draft.ts";
import { choiceName, typeName } from "../document/labels.ts";
import { count, type LeaderboardDraft, leaguePhrase, rankingPhrase, ranksPhrase } from "./leaderboard-words.ts";

/** One statement of a summary, with its heading. */
export interface SummaryLine {
  term: string;
  phrases: readonly Phrase[];
  /** The lines are in sequence. */
  isOrdered?: boolean;
}

/** A definition's summary; it may be incomplete. */
export type Summarize = (draft: Draft, catalogue: Catalogue) => SummaryLine[];

const line = (term: string, ...phrases: Phrase[]): SummaryLine => ({ term, phrases: phrases.map(begun) });

const choice = (member: string, value: string): Phrase => words(choiceName(member, value) ?? value);

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

const missionSummary: Summarize = (draft, catalogue) => {
  const mission = draft as unknown as MissionDraft;
  const scope = scopeOf(catalogue);
  const { objectives, objectiveOrder } = mission;
  const toDo = objectives.length === 0 ? [missing("no objective yet")] : objectives.map((objective) => objectivePhrase(objective, scope));
  const isOrdered = objectiveOrder === "InOrder" && objectives.length > 1;
  return [
    { ...line(isOrdered ? "Objectives, in order" : "Objectives", ...toDo), isOrdered },
    line("Rewards", rewardsPhrase(mission.rewards, scope)),
    line("Audience", audiencePhrase(mission.audience, scope)),
    line("Entry", choice("optIn", mission.optIn)),
    line("Availability", spanPhrase(mission.window, scope.timeZone)),
    line("Repeats", recurrencePhrase(mission.recurrence)),
    line("Shown in", choice("appearsIn", mission.appearsIn)),
  ];
};

/** The sentence of each objective of a mission document; none for other definitions. */
export function objectiveSentences(document: string, catalogue: Catalogue): string[] {
  const { objectives = [] } = parseJson(document) as { objectives?: readonly ObjectiveDraft[] };
  return objectives.map((objective) => objectiveSentence(objective, scopeOf(catalogue)));
}

export interface StreakDraft extends MeasuredDraft {
  operator: Operator;
  target: Value;
  cadence: Calendar;
  freezes: { max: number | null; earnEvery: number | null } | null;
  milestones: { length: number | null; rewards: RewardDraft[] }[];
}

const streakSummary: Summarize = (draft, catalogue) => {
  const streak = draft as unknown as StreakDraft;
  const scope = scopeOf(catalogue);
  const { freezes, milestones } = streak;
  const period = CALENDAR[streak.cadence].noun;
  const periods = (several: number | null) => say`${count(several)} ${period}${several === 1 ? "" : "s"}`;
  const saved =
    freezes === null
      ? say`none: a missed ${period} ends the streak`
      : say`one for every ${periods(freezes.earnEvery)}, at most ${count(freezes.max)} held`;
  const paid = milestones.map(({ length, rewards }) => say`${periods(length)}: ${rewardsPhrase(rewards, scope)}`);
  return [
    line(`A ${period} counts with`, streakPhrase(streak, scope)),
    line("Freezes", saved),
    line("Milestones", ...(paid.length === 0 ? [words("none")] : paid)),
  ];
};

const streakPhrase = (streak: StreakDraft, scope: DescribeScope): Phrase =>
  streak.event === null && streak.metric === null
    ? missing("nothing chosen yet")
    : measuredPhrase(streak, { operator: streak.operator, value: streak.target }, scope);

const leaderboardSummary: Summarize = (draft, catalogue) => {
  const board = draft as unknown as LeaderboardDraft;
  const scope = scopeOf(catalogue);
  const lines = [
    line("Ranks", rankingPhrase(board, scope)),
    line("Period", scorePeriodPhrase(board.period, scope.timeZone)),
    line("Audience", audiencePhrase(board.audience, scope)),
  ];
  if (board.league !== null) lines.push(line("League", leaguePhrase(board.league)));
  const where = words(board.league === null ? "" : " of each group");
  const prizes = board.prizes.map((prize) => say`${ranksPhrase(prize)}${where}: ${rewardsPhrase(prize.rewards, scope)}`);
  lines.push(line("Prizes", ...(prizes.length === 0 ? [words("none")] : prizes)));
  return lines;
};

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

const listingSummary: Summarize = (draft, catalogue) => {
  const listing = draft as unknown as ListingDraft;
  const scope = scopeOf(catalogue);
  const { priceInPoints, contents, stock, limitPerPlayer, recurrence } = listing;
  const per = recurrence.kind === "Calendar" ? ` per ${CALENDAR[recurrence.every].noun}` : "";
  const got =
    contents.length === 0
      ? missing("nothing yet")
      : listed(
          contents.map((content) => itemPhrase(content, scope)),
          "and",
        );
  return [
    line("Price", pricePhrase(priceInPoints)),
    line("Contents", got),
    line("Audience", audiencePhrase(listing.audience, scope)),
    line("Availability", spanPhrase(listing.onSale, scope.timeZone)),
    line("Stock", stock === null ? words("no limit") : say`${valued(numberInWords(stock))}${per}`),
    line("Each player", limitPerPlayer === null ? words("no limit") : say`${valued(numberInWords(limitPerPlayer))}${per}`),
    line("Shown in", choice("appearsIn", listing.appearsIn)),
  ];
};

function pricePhrase(points: number | null): Phrase {
  if (points === null) return missing("… points");
  return points === 0 ? words("free") : valued(`${numberInWords(points)} ${points === 1 ? "point" : "points"}`);
}

interface Property {
  key: string;
  type: string;
  required: boolean;
}

const propertiesLine = (draft: { properties?: unknown }) => {
  const properties = ((draft.properties ?? []) as Property[]).map(
    ({ key, type, required }) => say`${named(key)}: ${typeName(type)}${required ? ", required" : ""}`,
  );
  return line("Properties", ...(properties.length === 0 ? [words("none")] : properties));
};

const membersLine = (term: string, keys: unknown, among: readonly CatalogueEntry[]) => {
  const members = (keys as string[]).map((key) => named(nameIn(among, key)));
  return { ...line(term, ...(members.length === 0 ? [missing("none yet")] : members)), isOrdered: members.length > 1 };
};

const amount = (value: unknown, unit: string): Phrase =>
  value == null ? missing("…") : valued(`${numberInWords(value as number)} ${unit}`);

/** The summary of each kind, besides name and description. */
export const SUMMARIES: Record<Kind, Summarize> = {
  missions: missionSummary,
  missionCollections: (draft, { missions }) => [membersLine("Missions, in order", draft.missions, missions)],
  streaks: streakSummary,
  leaderboards: leaderboardSummary,
  segments: ({ rule }, catalogue) => [
    line("Members", rule === null ? missing("no condition yet") : conditionPhrase(rule as ConditionDraft, scopeOf(catalogue))),
  ],
  marketplaceItems: listingSummary,
  marketplaceCollections: (draft, { marketplaceItems }) => [membersLine("Listings, in order", draft.items, marketplaceItems)],
  catalogItems: ({ valueType }) => [line("Type of value", words(typeName(String(valueType))))],
  pointsValuations: ({ effectiveFrom, points, amount: worth, currency }, { timeZone }) => [
    line("From", typeof effectiveFrom === "string" ? valued(instantInWords(effectiveFrom, timeZone)) : missing("…")),
    line(
      "Worth",
      say`${amount(points, points === 1 ? "point" : "points")} ${points === 1 ? "is" : "are"} worth ${amount(worth, String(currency))}`,
    ),
  ],
  events: (draft) => [propertiesLine(draft)],
  metrics: (draft) => [line("Value", words(draft.kind === "Currency" ? "an amount of money" : "a number")), propertiesLine(draft)],
  attributes: ({ type }) => [line("Type", words(typeName(String(type))))],
  exchangeRates: ({ currencyCode, rate }) => [
    line("Rate", say`${valued(`1 ${String(currencyCode)}`)} is worth ${amount(rate, "in the base currency")}`),
  ],
};
