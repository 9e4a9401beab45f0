import { z } from "zod";
import { audienceShape, canonicalAudience } from "../rules/audience.ts";
import type { Effect, ScoreChange } from "../rules/effects.ts";
import { filterShape } from "../rules/filter.ts";
import type { DefinitionOf } from "../rules/kind-module.ts";
import { scoreMeasure } from "../rules/measure.ts";
import { canonicalMeasured } from "../rules/measured.ts";
import { canonicalRewards, rewardShape } from "../rules/reward.ts";
import { scorePeriod } from "../rules/schedule.ts";
import type { CheckScope } from "../rules/scope.ts";
import { defaulted, filledList, key, list, must, oneOf, optional, reference, wholeNumber } from "../rules/shapes.ts";
import { definition, description, images } from "../rules/text-shapes.ts";

interface SourceRow {
  /** The member that names the source; null if there is only one source. */
  member: "event" | "metric" | "attribute" | null;
  /** The aggregation of scores in the API: "Measured" by the board's measure; null if nothing is aggregated. */
  aggregation: "Measured" | "Sum" | null;
  /** Whether players' held values are ranked: these continue into the next period. */
  isHeld: boolean;
  /** The log with every fact that scored, so that scores can be recomputed; null if none has. */
  log: "Events" | "Ledger" | null;
  /** How the effects of facts score; null for a source that facts themselves score. */
  effects: EffectScores | null;
}

interface EffectScores {
  /** The score change of an effect; null if the effect does not score. */
  changeBy(effect: Effect): ScoreChange | null;
  /** In explanations: the title of a step that scores, and why another one does not. */
  title: string;
  none: string;
}

/** Points from leaderboard prizes do not score. */
const GRANTS: EffectScores = {
  changeBy: (effect) =>
    effect.kind === "grant" && effect.sourceType !== "Leaderboard" ? { by: "Sum", value: effect.points, at: effect.at } : null,
  title: "Points are granted",
  none: "it brings no points",
};

/** The sources of a leaderboard's scores, and their properties. */
export const SCORE_SOURCES = {
  Event: { member: "event", aggregation: "Measured", isHeld: false, log: "Events", effects: null },
  Metric: { member: "metric", aggregation: "Measured", isHeld: false, log: "Events", effects: null },
  Points: { member: null, aggregation: "Sum", isHeld: false, log: "Ledger", effects: GRANTS },
  Attribute: { member: "attribute", aggregation: null, isHeld: true, log: null, effects: null },
} as const satisfies Record<string, SourceRow>;

export type ScoreSource = keyof typeof SCORE_SOURCES;

export const SOURCE_NAMES = Object.keys(SCORE_SOURCES) as [ScoreSource, ...ScoreSource[]];

export const SOURCE_MEMBERS = Object.values(SCORE_SOURCES).flatMap(({ member }) => member ?? []);

/** Whether the board's measure gives the scores. */
export const isMeasured = ({ scoreSource }: { scoreSource: ScoreSource }): boolean => SCORE_SOURCES[scoreSource].aggregation === "Measured";

export const logOf = ({ scoreSource }: { scoreSource: ScoreSource }): SourceRow["log"] => SCORE_SOURCES[scoreSource].log;

/** How effects score on a board; null where they do not. */
export const effectScores = ({ scoreSource }: { scoreSource: ScoreSource }): EffectScores | null => SCORE_SOURCES[scoreSource].effects;

export const isHeld = ({ scoreSource }: { scoreSource: ScoreSource }): boolean => SCORE_SOURCES[scoreSource].isHeld;

const leagueShape = z.strictObject(
  {
    groupSize: wholeNumber(2, 1_000),
    tiers: filledList(
      z.strictObject({ key, name: definition.name }, must("shape.object", { example: '{ "key": "bronze", "name": "Bronze" }' })),
    ).max(100, must("shape.entries_most", { most: 100 })),
    promotes: wholeNumber(0, 1_000),
    relegates: wholeNumber(0, 1_000),
  },
  must("shape.object", { example: '{ "groupSize": 30, "tiers": […], "promotes": 5, "relegates": 5 }' }),
);

const prize = z.strictObject(
  { fromRank: wholeNumber(1, 2_147_483_647), toRank: wholeNumber(1, 2_147_483_647), rewards: filledList(rewardShape) },
  must("shape.object", { example: '{ "fromRank": 1, "toRank": 3, "rewards": […] }' }),
);

export const leaderboardShape = z.strictObject({
  ...definition,
  description,
  images,
  scoreSource: oneOf(SOURCE_NAMES),
  event: optional(reference),
  metric: optional(reference),
  attribute: optional(reference),
  where: optional(filterShape),
  /** Left out: a count, where events are scored. */
  measure: optional(scoreMeasure),
  rankOrder: oneOf(["HighestFirst", "LowestFirst"]),
  period: scorePeriod,
  settleAfterMinutes: defaulted(wholeNumber(0, 525_600), 10),
  topSize: defaulted(wholeNumber(1, 10_000), 100),
  audience: defaulted(audienceShape, { rule: null, otherwise: "Locked" }),
  teamAttribute: optional(reference),
  league: optional(leagueShape),
  prizes: defaulted(list(prize), []),
});
export type LeaderboardShape = DefinitionOf<typeof leaderboardShape>;

/** A board over events without a measure counts them. */
export function canonicalLeaderboard(board: LeaderboardShape, scope: CheckScope): LeaderboardShape {
  const { prizes } = board;
  const measure = board.measure ?? (isMeasured(board) ? { kind: "Count" as const } : null);
  const { where } = canonicalMeasured({ ...board, measure: measure ?? { kind: "Count" } }, scope);
  return {
    ...board,
    where,
    measure,
    audience: canonicalAudience(board.audience, scope),
    prizes: prizes.map((prize) => ({ ...prize, rewards: canonicalRewards(prize.rewards, scope) })),
  };
}
