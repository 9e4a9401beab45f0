import type { ScalarType } from "../kernel/values.ts";
import type { DefinitionKind } from "./nouns.ts";

export type { DefinitionKind };

/** A path in a document. */
export type Path = readonly (string | number)[];

type Definition = { kind: DefinitionKind; key: string };

/** The users of something: keys by kind, and the number of further ones. */
export interface Users {
  groups: readonly { kind: DefinitionKind; keys: readonly string[]; more: number }[];
  isOne: boolean;
}

/** The likely intended word for a misspelt one; null if nothing is close. */
type Suggestion = { suggestion: string | null };

type ItemType = ScalarType | "Collection";

// oxlint-disable-next-line typescript/no-empty-object-type
type None = {};

/**
 * All codes of findings, with their parameters. The list is closed: a code without words is a compile error in both renderers, of the
 * file's sentences and of the forms' words.
 */
interface FindingParams {
  // Requirements of shapes.
  "shape.object": { example: string };
  "shape.rule": { rule: "condition" | "filter" | "objective"; example: string };
  "shape.kind": { kinds: readonly string[] };
  "shape.type": { expected: string };
  "shape.one_of": { values: readonly string[] } & Suggestion;
  "shape.literal": { value: string };
  "shape.wrong": None;
  "shape.missing": { wanted: Mistake };
  "shape.member_unknown": { name: string; members: readonly string[] } & Suggestion;
  "shape.name": { wanted: Mistake };
  "shape.list": None;
  "shape.entries_most": { most: number };
  "shape.entries_least": None;
  "shape.string": None;
  "shape.text": None;
  "shape.text_empty": None;
  "shape.control_character": None;
  "shape.text_long": { most: number };
  "shape.texts": None;
  "shape.language": None;
  "shape.language_tag": None;
  "shape.language_twice": None;
  "shape.language_unknown": { language: string } & Suggestion;
  "shape.language_lacking": { language: string };
  "shape.key": None;
  "shape.reference": None;
  "shape.flag": None;
  "shape.instant": None;
  "shape.whole_number": { least: number; most: number };
  "shape.number_wide": None;
  "shape.number_positive": None;
  "shape.hours": { most: number };
  "shape.percentage": None;
  "shape.time_of_day": None;
  "shape.scalar": None;
  "shape.currency": None;
  "shape.currency_code": None;
  "shape.images": None;
  "shape.image": { longest: number };
  "shape.image_id": None;
  "shape.image_hash": None;
  "shape.image_bytes": None;
  "shape.version": None;
  // Problems that no shape checks for.
  "document.not_json": { reason: string; isFile: boolean };
  "document.bad_text": None;
  "document.bad_name": None;
  "document.too_deep": { most: number };
  "document.too_many_members": { most: number };
  "document.more_problems": { more: number };
  // References and comparisons of rules.
  "operator.does_not_fit": { operator: string; type: ScalarType; fitting: readonly string[] };
  "value.list_wanted": { operator: string };
  "value.single_wanted": { operator: string; ofLists: readonly string[] };
  "value.type_wanted": { type: ScalarType };
  "measure.property_missing": { measure: string };
  "measure.type_wanted": { measure: string; wanted: readonly ScalarType[]; type: ScalarType };
  "property.unknown": Definition & { property: string } & Suggestion;
  "attribute.type_wanted": { key: string; wanted: ScalarType; type: ScalarType };
  "item.list_wanted": None;
  "item.single_wanted": { type: ItemType };
  "schedule.ends_before_start": None;
  "when.empty": None;
  "when.no_time": None;
  "rule.too_large": Definition & { limit: "parts" | "levels"; most: number };
  "rule.too_many_rollups": { source: string; most: number; rollups: number };
  "segment.circle": { keys: readonly string[]; more: number };
  // Missions, streaks, leaderboards.
  "mission.too_many_conditions": { most: number };
  "mission.satisfied_at_once": { isSingle: boolean };
  "mission.only_limits": None;
  "mission.repeats_at_once": None;
  "mission.objectives_fixed": { before: string; pointer: string };
  "streak.source_missing": None;
  "streak.milestone_repeated": { length: number };
  "leaderboard.source_missing": { source: string; member: string };
  "leaderboard.member_unwanted": { source: string };
  "leaderboard.score_not_number": { measure: string; type: ScalarType };
  "leaderboard.season_reached": { member: "startsAt" | "endsAt"; before: string | null };
  "leaderboard.season_ended": { now: string };
  "league.needs_periods": { period: string };
  "league.with_teams": None;
  "league.group_too_small": { least: number };
  "league.tier_repeated": { key: string };
  "prize.ends_too_early": { least: number };
  "prize.overlaps": { last: number };
  "prize.too_many_rewards": { most: number };
  // Money and images.
  "money.base_fixed": { currency: string };
  "money.base_kept": None;
  "money.base_missing": { for: "metric" | "rate" };
  "money.rates_left": { codes: readonly string[]; currency: string };
  "money.rate_of_base": { currency: string };
  "image.unknown": { id: string };
  "image.too_large": { mebibytes: string | null };
  "image.none": None;
  "image.wrong_size": { longest: number; width: number | null; height: number | null };
  "image.too_complicated": None;
  "image.broken": None;
  "image.unsafe": None;
  "image.no_room": { mebibytes: string; most: string };
  // Definitions among each other.
  "environment.too_much": { most: number; mostMegabytes: number; definitions: number; megabytes: number };
  "definition.reference_unknown": Definition & Suggestion;
  "definition.repeated": Definition & { pointer: string; hasKey: boolean };
  "definition.member_repeated": Definition & { pointer: string };
  "definition.taken": Definition & { isOff: boolean; hasKey: boolean };
  "definition.not_there": Definition;
  "definition.deleted": Definition;
  "definition.changed_meanwhile": { by: string | null };
  "definition.one_environment": { kind: DefinitionKind };
  "definition.switched_off": Definition & { user: DefinitionKind };
  "definition.still_used": Definition & { users: Users; isLeftOut: boolean };
  "definition.fixed": { kind: DefinitionKind; member: string; before: string | null };
  "definition.key_fixed": { kind: DefinitionKind; hasKey: boolean };
  "definition.start_reached": { kind: DefinitionKind; member: string | null; before: string | null };
  "definition.named": Definition & { users: readonly Definition[]; more: number };
  "definition.touched": Definition;
  "definition.too_much_data": Definition;
  "property.repeated": { kind: DefinitionKind; key: string };
  "property.type_fixed": { key: string; before: ScalarType | null };
  "property.still_read": { property: string; users: Users };
}

export type FindingCode = keyof FindingParams;

/** Something wrong, without its path: a code of the closed list, with its parameters. */
export type Mistake = { [Code in FindingCode]: { code: Code; params: FindingParams[Code] } }[FindingCode];

/** Something wrong at a place of a document. */
export type Finding = Mistake & { path: Path };

export type FindingWords = { [Code in FindingCode]: (params: FindingParams[Code]) => string };

export type ParamsOf<Code extends FindingCode> = None extends FindingParams[Code]
  ? [params?: FindingParams[Code]]
  : [params: FindingParams[Code]];

export const mistake = <Code extends FindingCode>(code: Code, ...[params]: ParamsOf<Code>): Mistake =>
  ({ code, params: params ?? {} }) as Mistake;

export const finding = <Code extends FindingCode>(path: Path, code: Code, ...params: ParamsOf<Code>): Finding => ({
  ...mistake(code, ...params),
  path,
});

export const wordsFor = (words: FindingWords, { code, params }: Mistake): string =>
  (words[code] as (given: typeof params) => string)(params);

/** zod only carries a text for each issue: the finding is encoded in it as JSON. */
export const issueText = (one: Mistake): string => JSON.stringify(one);

/** The finding in a shape's message; null for zod's own messages. */
export function mistakeIn(text: string): Mistake | null {
  return text.startsWith('{"code":"') ? (JSON.parse(text) as Mistake) : null;
}
