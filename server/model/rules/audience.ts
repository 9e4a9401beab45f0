import type { Finding, Path } from "./finding.ts";
import { given, type Readable } from "./readable.ts";
import { z } from "zod";
import type { Player } from "../kernel/player.ts";
import {
  canonicalCondition,
  checkCondition,
  type Condition,
  type ConditionDraft,
  type ConditionInput,
  conditionPhrase,
  type ConditionShape,
  conditionShape,
  inputsIn,
  qualifies,
} from "./condition.ts";
import { type Phrase, say, words } from "./phrase.ts";
import type { CheckScope, DescribeScope, TypeScope } from "./scope.ts";
import { defaulted, must, oneOf, optional } from "./shapes.ts";
import type { RuleOwner } from "./share.ts";

/** Without a rule an audience is everyone. */
export const audienceShape = z.strictObject(
  { rule: optional(conditionShape), otherwise: defaulted(oneOf(["Locked", "Hidden"]), "Locked") },
  must("shape.object", { example: '{ "rule": null, "otherwise": "Locked" }' }),
);
export type AudienceShape = z.output<typeof audienceShape>;

/** An audience as a form holds it. */
export interface AudienceDraft {
  rule: ConditionDraft | null;
  otherwise: "Locked" | "Hidden";
}

/** A compiled audience. */
export interface Audience {
  /** Null: everyone belongs to the audience. */
  rule: Condition | null;
  otherwise: "Locked" | "Hidden";
}

export const checkAudience = (audience: Readable<AudienceShape>, path: Path, scope: CheckScope): Finding[] =>
  checkCondition(given(audience)?.rule, [...path, "rule"], scope);

export const canonicalAudience = (audience: AudienceShape, scope: TypeScope): AudienceShape => ({
  ...audience,
  rule: audience.rule === null ? null : canonicalCondition(audience.rule, scope),
});

/** Compiles the audience of a definition; `compile` compiles its condition. */
export const compileAudience = (
  { rule, otherwise }: AudienceShape,
  owner: RuleOwner,
  compile: (rule: ConditionShape, owner: RuleOwner) => Condition,
): Audience => ({ rule: rule === null ? null : compile(rule, owner), otherwise });

/** Whether a player belongs to an audience. */
export const isIn = (player: Player, { rule }: Audience): boolean => rule === null || qualifies(player, rule);

export const inputsOfAudiences = (all: readonly { audience: Audience }[]): ConditionInput[] =>
  all.flatMap(({ audience }) => (audience.rule === null ? [] : inputsIn(audience.rule)));

/** "Everyone", "Specific players: …". */
export function audiencePhrase({ rule, otherwise }: AudienceDraft, scope: DescribeScope): Phrase {
  if (rule === null || rule === undefined) return words("Everyone");
  const others = otherwise === "Locked" ? "others see it locked" : "others do not see it";
  return say`Specific players: ${conditionPhrase(rule, scope)}; ${others}`;
}
