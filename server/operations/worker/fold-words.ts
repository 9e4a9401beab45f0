import type { Definitions } from "../../model/definitions/compiled.ts";
import type { Effect } from "../../model/rules/effects.ts";
import type { Player } from "../../model/kernel/player.ts";
import { pickText } from "../../model/kernel/texts.ts";
import { capitalised } from "../../model/kernel/thousands.ts";
import { rewardTexts } from "../../model/rules/reward.ts";

/** What a fold would change, a line each, with display names; empty if nothing. */
export function foldInWords(
  definitions: Definitions,
  language: string,
  before: Player,
  after: Player,
  effects: readonly Effect[],
): string[] {
  const nameOf = <One extends { id: number; name: Parameters<typeof pickText>[0] }>(all: readonly One[], id: number): string => {
    const found = all.find((one) => one.id === id);
    return found === undefined ? "a deleted definition" : pickText(found.name, language);
  };
  const completed = effects.flatMap((effect) => (effect.kind === "completion" ? [effect.missionId] : []));
  const moved = movedMissions(before, after).filter((id) => !completed.includes(id));
  const streaks = [...after.streaks].filter(([id, state]) => before.streaks.get(id) !== state).map(([id]) => id);
  const rewards = rewardTexts(effects, { itemName: (key) => key });
  return [
    ...completed.map((id) => `Completes the mission ${nameOf(definitions.missions, id)}`),
    ...moved.map((id) => `Counts for the mission ${nameOf(definitions.missions, id)}`),
    ...streaks.map((id) => `Counts for the streak ${nameOf(definitions.streaks, id)}`),
    ...effects.flatMap((effect) =>
      effect.kind === "milestone" ? [`Reaches milestone ${effect.milestone} of the streak ${effect.streakKey}`] : [],
    ),
    ...new Set(
      effects.flatMap((effect) =>
        effect.kind === "scoreChange" ? [`Changes the score on ${nameOf(definitions.leaderboards, effect.leaderboardId)}`] : [],
      ),
    ),
    ...(rewards.length === 0 ? [] : [`Grants ${rewards.join(", ")}`]),
  ];
}

/** The missions whose state a fold changed. An unchanged partition stays the same object. */
function movedMissions(before: Player, after: Player): number[] {
  return [...after.missions].flatMap(([partitionId, partition]) => {
    const earlier = before.missions.get(partitionId);
    if (earlier === partition) return [];
    return [...partition].filter(([id, state]) => earlier?.get(id) !== state).map(([id]) => id);
  });
}

/** Errors by their text, with the reason and what to do about it. The last one is any other error. */
const FAULTS: readonly [pattern: RegExp, reason: string, advice: string][] = [
  [
    /balance_within_range/,
    "the player's balance would go below zero, or above 9,007,199,254,740,991 points",
    "Adjust their points, then retry.",
  ],
  [
    /statement timeout|lock timeout|canceling statement/,
    "it took too long",
    "Retry it; if it fails again, the player has more history than one event may read.",
  ],
  [
    /out of range|numeric field overflow|value overflows/,
    "a number would become larger than can be kept",
    "Look for an amount in the payload that is out of proportion.",
  ],
  [/is gone|not among|no player/i, "its player was deleted", "It cannot be processed any more."],
  [/^/, "processing this event failed", "Try it; if it fails again, send the error to the operator of the service."],
];

const faultOf = (error: string) => FAULTS.find(([pattern]) => pattern.test(error))!;

/** A readable reason for an error, to continue a sentence. */
export const reasonInWords = (error: string): string => faultOf(error)[1];

/** A readable explanation of an error, with what to do about it. */
export function faultInWords(error: string): string {
  const [, reason, advice] = faultOf(error);
  return `${capitalised(reason)}. ${advice}`;
}

/** An error without its stack frames: those are in the log, and reveal details of the machine. */
export const withoutFrames = (error: string): string =>
  error
    .split("\n")
    .filter((line) => !/^\s+at /.test(line))
    .join("\n");
