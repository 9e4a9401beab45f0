import type { Definitions } from "../model/definitions/compiled.ts";
import type { Effect } from "../model/rules/effects.ts";
import type { Fact } from "../model/kernel/facts.ts";
import type { Player } from "../model/kernel/player.ts";
import { entriesBefore } from "../model/missions/automatic-entries.ts";
import { aheadOf } from "../model/streaks/advance.ts";
import { advance } from "./advance.ts";

/** One fact of a simulation: the player before and after it, and its effects. */
export interface SimulatedStep {
  fact: Fact;
  before: Player;
  after: Player;
  effects: readonly Effect[];
}

/** Decides on facts to fold before `next`, given the player's state. It is called again until it returns none. */
export type Decide = (player: Player, next: Fact) => Fact[];

/** Stops a decision that never ends: a mission that completes on entry could be entered over and over. */
const MAX_DECISIONS = 100;

/**
 * `advance`, a fact at a time and without writes, so that each step can be explained. Streak periods that begin by the last fact, or by
 * `until`, are steps as well.
 */
export function simulate(
  player: Player,
  definitions: Definitions,
  facts: readonly Fact[],
  decide: Decide = () => [],
  until = -Infinity,
): SimulatedStep[] {
  const steps: SimulatedStep[] = [];
  const ahead = [...aheadOf(player, definitions)];
  const fold = (fact: Fact): void => {
    const before = steps.at(-1)?.after ?? player;
    const { player: after, effects } = advance(before, definitions, [fact]);
    steps.push({ fact, before, after, effects });
    ahead.push(...effects.filter((effect) => effect.kind === "streakBeginning"));
  };
  const begin = (now: number, seq: number): void => {
    for (const { streakId, start, beginsAt } of ahead.filter((one) => one.beginsAt <= now).sort((a, b) => a.beginsAt - b.beginsAt)) {
      ahead.splice(
        ahead.findIndex((one) => one.streakId === streakId && one.start === start),
        1,
      );
      fold({ kind: "streakPeriod", streakId, start, seq, receivedAt: beginsAt });
    }
  };
  for (const fact of facts) {
    begin(fact.receivedAt, fact.seq);
    for (let round = 0; round < MAX_DECISIONS; round++) {
      const current = steps.at(-1)?.after ?? player;
      const decided = decide(current, fact);
      // An automatic entry is a step of its own, so that the fact is explained for a player who is in the mission.
      const entries = decided.length > 0 ? decided : entriesBefore(current, definitions, fact);
      if (entries.length === 0) break;
      entries.forEach(fold);
    }
    fold(fact);
  }
  begin(until, facts.at(-1)?.seq ?? 0);
  return steps;
}
