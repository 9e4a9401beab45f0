import type { CompiledBase, Text } from "../kernel/texts.ts";
import { type Audience, compileAudience } from "../rules/audience.ts";
import type { Filter } from "../rules/filter.ts";
import { type CompileScope, defineKind, type StoredAs } from "../rules/kind-module.ts";
import type { ScoreMeasure } from "../rules/measure.ts";
import { compileMeasured, found } from "../rules/measured.ts";
import { given } from "../rules/readable.ts";
import { audienceReferences, itemReferences, referenceTo, sourceReferences } from "../rules/references.ts";
import { compileReward, type Reward } from "../rules/reward.ts";
import { compileScorePeriod, type ScorePeriods } from "../rules/schedule.ts";
import { everyOf, iconOf } from "../rules/summary.ts";
import { checkLeaderboard, checkLeaderboardChange, fixedLeaderboardFields } from "./checks.ts";
import { canonicalLeaderboard, type LeaderboardShape, leaderboardShape, type ScoreSource } from "./shape.ts";
import { MINUTE } from "../kernel/instant.ts";

export const leaderboardKind = defineKind(leaderboardShape, {
  identity: "key",
  isMetByPlayers: true,
  fixed: ["scoreSource", "event", "metric", "attribute", "rankOrder", "teamAttribute"],
  rule: ["audience", "rule"],
  check: checkLeaderboard,
  checkChange: checkLeaderboardChange,
  fixedFields: fixedLeaderboardFields,
  references(readable) {
    const board = given(readable);
    if (board === undefined) return [];
    const prizes = given(board.prizes) ?? [];
    return [
      ...sourceReferences(board),
      ...referenceTo("attributes", board.attribute, ["attribute"]),
      ...referenceTo("attributes", board.teamAttribute, ["teamAttribute"]),
      ...audienceReferences(board.audience),
      ...prizes.flatMap((prize, at) => itemReferences(given(prize)?.rewards, ["prizes", at, "rewards"])),
    ];
  },
  canonical: canonicalLeaderboard,
  summary: (board) => ({
    source: board.scoreSource,
    sourceKey: board.event ?? board.metric ?? board.attribute,
    period: everyOf(board.period),
    startsAt: board.period.kind === "Season" ? board.period.startsAt : null,
    endsAt: board.period.kind === "Season" ? board.period.endsAt : null,
    hasLeague: board.league !== null,
    hasAudience: board.audience.rule !== null,
    prizes: board.prizes.length,
    icon: iconOf(board.images),
  }),
});

export interface League {
  groupSize: number;
  /** Tiers, the lowest first. */
  tiers: readonly { key: string; name: Text }[];
  promotes: number;
  relegates: number;
}

/** Players who end a period between the two ranks, inclusive, get the rewards. */
export interface Prize {
  fromRank: number;
  toRank: number;
  rewards: readonly Reward[];
}

/** A compiled leaderboard, without the former zones of its project. */
export interface CompiledLeaderboard extends CompiledBase {
  scoreSource: ScoreSource;
  /** The id of the event, the metric or the attribute; null if points are scored. */
  definitionId: number | null;
  where: Filter | null;
  /** Null for points and attributes. */
  measure: ScoreMeasure | null;
  rankOrder: "HighestFirst" | "LowestFirst";
  period: ScorePeriods;
  settleAfterMs: number;
  topSize: number;
  audience: Audience;
  /** The attribute whose value is the player's team; null where players are ranked. */
  teamAttributeId: number | null;
  league: League | null;
  /** By rank, the best first; ranges of ranks do not overlap. */
  prizes: readonly Prize[];
}

export function compileLeaderboard(
  { id, createdAt, shaped }: StoredAs<LeaderboardShape>,
  { sources, items, condition }: Omit<CompileScope, "derivedId">,
): CompiledLeaderboard {
  const { event, metric, attribute, where, measure, period, settleAfterMinutes, audience, teamAttribute, prizes, ...same } = shaped;
  const measured = measure === null ? null : compileMeasured({ event, metric, where, measure }, sources);
  const attributeId = (key: string) => found(sources.attributes.get(key), key).id;
  return {
    id,
    createdAt,
    ...same,
    definitionId: attribute === null ? (measured?.eventId ?? null) : attributeId(attribute),
    where: measured?.where ?? null,
    measure: (measured?.measure as ScoreMeasure | undefined) ?? null,
    period: compileScorePeriod(period),
    settleAfterMs: settleAfterMinutes * MINUTE,
    audience: compileAudience(audience, { kind: "leaderboards", key: same.key }, condition),
    teamAttributeId: teamAttribute === null ? null : attributeId(teamAttribute),
    prizes: prizes.map((prize) => ({ ...prize, rewards: prize.rewards.map((reward) => compileReward(reward, items)) })),
  };
}
