import { Decimal } from "../kernel/decimal.ts";
import { canonicalAudience } from "../rules/audience.ts";
import { canonicalCondition } from "../rules/condition.ts";
import { canonicalMeasured } from "../rules/measured.ts";
import { canonicalObjective, type ObjectiveShape } from "../rules/objective.ts";
import { canonicalItem, canonicalRewards } from "../rules/reward.ts";
import type { CheckScope } from "../rules/scope.ts";
import { PROJECT_LANGUAGE } from "../rules/text-shapes.ts";
import { canonicalValue } from "../rules/value.ts";
import type { Kind, Shaped } from "./contract.ts";
import type { Result } from "./result.ts";
import { scopeOf } from "./scope.ts";

type Types = CheckScope;

/**
 * The one form in which a definition is kept, compared and exported: short texts name their language, and values are
 * written as their type is. What a reference that does not resolve compares with stays as it is.
 */
export function canonical<K extends Kind>(kind: K, shaped: Shaped<K>, result: Result, language: string): Shaped<K> {
  return inLanguage(typed(kind, shaped, scopeOf(result)), language) as Shaped<K>;
}

function typed(kind: Kind, shaped: Shaped, types: Types): Shaped {
  switch (kind) {
    case "segments":
      return { ...(shaped as Shaped<"segments">), rule: canonicalCondition((shaped as Shaped<"segments">).rule, types) };
    case "missions":
      return canonicalMission(shaped as Shaped<"missions">, types);
    case "marketplaceItems":
      return canonicalListing(shaped as Shaped<"marketplaceItems">, types);
    case "streaks":
      return canonicalStreak(shaped as Shaped<"streaks">, types);
    case "leaderboards":
      return canonicalLeaderboard(shaped as Shaped<"leaderboards">, types);
    case "exchangeRates":
      return { ...(shaped as Shaped<"exchangeRates">), rate: canonicalValue("Number", (shaped as Shaped<"exchangeRates">).rate) };
    case "pointsValuations":
      return { ...(shaped as Shaped<"pointsValuations">), amount: canonicalValue("Number", (shaped as Shaped<"pointsValuations">).amount) };
    case "events":
    case "metrics":
    case "attributes":
    case "catalogItems":
    case "missionCollections":
    case "marketplaceCollections":
      return shaped;
  }
}

/** The same for the objectives of a mission alone. */
export const canonicalObjectives = (objectives: readonly ObjectiveShape[], result: Result, language: string): ObjectiveShape[] =>
  inLanguage(
    objectives.map((one) => canonicalObjective(one, scopeOf(result))),
    language,
  ) as ObjectiveShape[];

const canonicalMission = (mission: Shaped<"missions">, types: Types): Shaped<"missions"> => ({
  ...mission,
  audience: canonicalAudience(mission.audience, types),
  objectives: mission.objectives.map((one) => canonicalObjective(one, types)),
  rewards: canonicalRewards(mission.rewards, types),
});

function canonicalStreak(streak: Shaped<"streaks">, types: Types): Shaped<"streaks"> {
  const { type, where } = canonicalMeasured(streak, types);
  const milestones = streak.milestones.map((one) => ({ ...one, rewards: canonicalRewards(one.rewards, types) }));
  return { ...streak, where, target: canonicalValue(type, streak.target), milestones };
}

/** A board over events without a measure counts them. */
export function canonicalLeaderboard(board: Shaped<"leaderboards">, types: Types): Shaped<"leaderboards"> {
  const { scoreSource, prizes } = board;
  const measure = board.measure ?? (scoreSource === "Event" || scoreSource === "Metric" ? { kind: "Count" as const } : null);
  const { where } = canonicalMeasured({ ...board, measure: measure ?? { kind: "Count" } }, types);
  return {
    ...board,
    where,
    measure,
    audience: canonicalAudience(board.audience, types),
    prizes: prizes.map((prize) => ({ ...prize, rewards: canonicalRewards(prize.rewards, types) })),
  };
}

const canonicalListing = (listing: Shaped<"marketplaceItems">, types: Types): Shaped<"marketplaceItems"> => ({
  ...listing,
  contents: listing.contents.map((content) => canonicalItem(content, types)),
  audience: canonicalAudience(listing.audience, types),
});

/** Puts the project's language where a text in short form left it open. */
function inLanguage(value: unknown, language: string): unknown {
  if (Array.isArray(value)) return value.map((one) => inLanguage(one, language));
  if (typeof value !== "object" || value === null || value instanceof Decimal) return value;
  const members = value as Record<string, unknown>;
  if (members.default === PROJECT_LANGUAGE)
    return { default: language, texts: { [language]: (members.texts as Record<string, string>)[PROJECT_LANGUAGE] } };
  return Object.fromEntries(Object.entries(members).map(([name, one]) => [name, inLanguage(one, language)]));
}
