import type { Definitions } from "../definitions/compiled.ts";
import type { Effect } from "../kernel/effects.ts";
import type { Fact } from "../kernel/facts.ts";
import type { Player } from "../kernel/player.ts";
import { advance } from "./advance.ts";

/** One fact of a simulation, with the player before and after it and what followed from it. */
export interface Step {
  fact: Fact;
  before: Player;
  after: Player;
  effects: readonly Effect[];
}

/** What is decided on what the player has going, before a fact is folded; asked again until it wants nothing more. */
export type Decide = (player: Player, next: Fact) => Fact[];

/** A decision that never ends is a fault of its maker; a mission that completes by entering could be entered over and over. */
const MOST_DECISIONS = 100;

/** `advance`, a fact at a time and with nothing written, so that each can be explained. */
export function simulate(player: Player, definitions: Definitions, facts: readonly Fact[], decide: Decide = () => []): Step[] {
  const steps: Step[] = [];
  const fold = (fact: Fact): void => {
    const before = steps.at(-1)?.after ?? player;
    const { player: after, effects } = advance(before, definitions, [fact]);
    steps.push({ fact, before, after, effects });
  };
  for (const fact of facts) {
    for (let round = 0; round < MOST_DECISIONS; round++) {
      const decided = decide(steps.at(-1)?.after ?? player, fact);
      if (decided.length === 0) break;
      decided.forEach(fold);
    }
    fold(fact);
  }
  return steps;
}
