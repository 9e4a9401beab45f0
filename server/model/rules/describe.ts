import { isJsonObject } from "../kernel/values.ts";
import { type AudienceDraft, audiencePhrase } from "./audience.ts";
import { conditionPhrase, conditionShape } from "./condition.ts";
import { filterPhrase, filterShape } from "./filter.ts";
import type { Path } from "./finding.ts";
import { objectiveSentence, objectiveShape } from "./objective.ts";
import { operatorInMenu, OPERATORS } from "./operator.ts";
import { begun, type Phrase, textOf } from "./phrase.ts";
import { itemPhrase, type RewardDraft, rewardsPhrase } from "./reward.ts";
import {
  type RecurrenceDraft,
  recurrencePhrase,
  type ScorePeriodDraft,
  scorePeriodPhrase,
  type SpanDraft,
  spanPhrase,
} from "./schedule.ts";
import type { DescribeScope } from "./scope.ts";

/** A scope without an environment: definitions are named by their keys, and instants are shown as written. */
export const KEYS_ALONE: DescribeScope = {
  attributeType: () => undefined,
  propertyType: () => undefined,
  itemType: () => undefined,
  nameOf: (_, key) => key,
  timeZone: "UTC",
};

/** A rule of unknown kind as a sentence: an objective, a condition or a filter in a definition's form; null for anything else. */
export function ruleInWords(value: unknown, scope: DescribeScope): string | null {
  if (!isJsonObject(value)) return null;
  const objective = objectiveShape.safeParse(value);
  if (objective.success) return objectiveSentence(objective.data, scope);
  const condition = conditionShape.safeParse(value);
  if (condition.success) return textOf(begun(conditionPhrase(condition.data, scope)));
  const filter = filterShape.safeParse(value);
  if (!filter.success) return null;
  return textOf(filterPhrase(filter.data, (property) => scope.propertyType({}, property), scope.timeZone));
}

type Describe = (value: never, scope: DescribeScope) => Phrase;

/** Members of a definition that are shown as one sentence. */
const MEMBERS = new Map<unknown, Describe>([
  ["audience", (audience: AudienceDraft, scope) => audiencePhrase(audience, scope)],
  ["recurrence", (recurrence: RecurrenceDraft) => recurrencePhrase(recurrence)],
  ["window", (span: SpanDraft, { timeZone }) => spanPhrase(span, timeZone)],
  ["onSale", (span: SpanDraft, { timeZone }) => spanPhrase(span, timeZone)],
  ["period", (period: ScorePeriodDraft, { timeZone }) => scorePeriodPhrase(period, timeZone)],
]);

/** Entries of lists that are shown as one sentence, by the name of the list. */
const ENTRIES = new Map<unknown, Describe>([
  ["rewards", (reward: RewardDraft, scope) => rewardsPhrase([reward], scope)],
  ["contents", (content: Parameters<typeof itemPhrase>[0], scope) => itemPhrase(content, scope)],
]);

/** Paths also contain user-chosen keys, which may equal a member's name: entries have numbers, and members are at the top. */
const isEntry = (name: unknown): boolean => /^\d+$/.test(String(name));
const describeAt = (path: Path): Describe | undefined =>
  path.length === 1 ? MEMBERS.get(path[0]) : isEntry(path.at(-1)) ? ENTRIES.get(path.at(-2)) : undefined;

/** Whether a path of a definition can be a sentence; trying to read each value as a rule would be slow. */
export const isSentencePlace = (path: Path): boolean =>
  describeAt(path) !== undefined ||
  ["where", "rule"].includes(String(path.at(-1))) ||
  (path.at(-2) === "objectives" && isEntry(path.at(-1)));

/** A part of a valid definition as one sentence: an audience, a reward, a rule. Null for parts that are shown member by member. */
export function partInWords(path: Path, value: unknown, scope: DescribeScope): string | null {
  if (!isJsonObject(value)) return null;
  const describe = describeAt(path);
  return describe === undefined ? ruleInWords(value, scope) : textOf(begun(describe(value as never, scope)));
}

/** The name of an operator on its own; null for another word. */
export function operatorInWords(word: string): string | null {
  const known = OPERATORS.find((operator) => operator === word);
  return known === undefined ? null : operatorInMenu(known, undefined, false);
}
