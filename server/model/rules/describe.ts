import { isJsonObject } from "../kernel/values.ts";
import { type AudienceDraft, audiencePhrase } from "./audience.ts";
import { conditionPhrase, conditionShape } from "./condition.ts";
import { filterPhrase, filterShape } from "./filter.ts";
import type { Path } from "./finding.ts";
import { objectivePhrase, objectiveShape } from "./objective.ts";
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

/** The scope of a rule without its environment: keys stand for names, and instants as they are written. */
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
  if (objective.success) return textOf(begun(objectivePhrase(objective.data, scope)));
  const condition = conditionShape.safeParse(value);
  if (condition.success) return textOf(begun(conditionPhrase(condition.data, scope)));
  const filter = filterShape.safeParse(value);
  if (!filter.success) return null;
  return textOf(filterPhrase(filter.data, (property) => scope.propertyType({}, property), scope.timeZone));
}

type Describe = (value: never, scope: DescribeScope) => Phrase;

/** Members of a definition that are read as one sentence, whatever they are made of. */
const MEMBERS = new Map<unknown, Describe>([
  ["audience", (audience: AudienceDraft, scope) => audiencePhrase(audience, scope)],
  ["recurrence", (recurrence: RecurrenceDraft) => recurrencePhrase(recurrence)],
  ["window", (span: SpanDraft, { timeZone }) => spanPhrase(span, timeZone)],
  ["onSale", (span: SpanDraft, { timeZone }) => spanPhrase(span, timeZone)],
  ["period", (period: ScorePeriodDraft, { timeZone }) => scorePeriodPhrase(period, timeZone)],
]);

/** The same for the entries of a list, by the member that is the list. */
const ENTRIES = new Map<unknown, Describe>([
  ["rewards", (reward: RewardDraft, scope) => rewardsPhrase([reward], scope)],
  ["contents", (content: Parameters<typeof itemPhrase>[0], scope) => itemPhrase(content, scope)],
]);

/** Keys that authors choose stand in paths too, and may be called like a member: entries have numbers, and members stand at the top. */
const isEntry = (name: unknown): boolean => /^\d+$/.test(String(name));
const describeAt = (path: Path): Describe | undefined =>
  path.length === 1 ? MEMBERS.get(path[0]) : isEntry(path.at(-1)) ? ENTRIES.get(path.at(-2)) : undefined;

/** Whether a sentence can stand at a place of a definition; to try each value for a rule would take long. */
export const isSentencePlace = (path: Path): boolean =>
  describeAt(path) !== undefined ||
  ["where", "rule"].includes(String(path.at(-1))) ||
  (path.at(-2) === "objectives" && isEntry(path.at(-1)));

/** What a part of a sound definition says as one sentence: an audience, a reward, a rule. Null for what is told member by member. */
export function partInWords(path: Path, value: unknown, scope: DescribeScope): string | null {
  if (!isJsonObject(value)) return null;
  const describe = describeAt(path);
  return describe === undefined ? ruleInWords(value, scope) : textOf(begun(describe(value as never, scope)));
}

/** What an operator is called where it stands alone; null for another word. */
export function operatorInWords(word: string): string | null {
  const known = OPERATORS.find((operator) => operator === word);
  return known === undefined ? null : operatorInMenu(known, undefined, false);
}
