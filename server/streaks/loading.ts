import type { Definitions } from "../definitions/compiled.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { Player, Run, StreakPeriod, StreakState } from "../kernel/player.ts";
import { onStreaks, periodOf } from "./advance.ts";

/** Where the facts of a player fall among the periods of one streak. */
export interface Falls {
  streakId: number;
  /** Local starts of the periods, each once. */
  starts: string[];
}

/** Where facts fall, streak by streak: with the last run, that is all that facts which come in time need. */
export function fallsInto(definitions: Definitions, facts: readonly EventFact[], zone: string): Falls[] {
  const falls = new Map<number, Set<string>>();
  for (const fact of facts) {
    for (const streak of definitions.streaksByEvent.get(fact.definitionId) ?? []) {
      const start = periodOf(streak, fact, zone);
      if (start !== null) falls.set(streak.id, (falls.get(streak.id) ?? new Set()).add(start));
    }
  }
  return [...falls].map(([streakId, starts]) => ({ streakId, starts: [...starts] }));
}

/** The streaks of which facts need every run and period: something comes late, or takes back what qualified. Found by trying. */
export function lackingStreaks(
  player: Pick<Player, "playerId" | "timeZone" | "streaks">,
  definitions: Definitions,
  facts: readonly EventFact[],
): number[] {
  let { streaks } = player;
  for (const fact of facts) streaks = onStreaks({ ...player, streaks }, definitions, fact, []);
  return [...streaks].flatMap(([streakId, { isLacking }]) => (isLacking === true ? [streakId] : []));
}

interface Loaded {
  playerId: string;
  streakId: number;
}

/** What was loaded, as folds see it, by player. */
export function streakStates(
  wanted: readonly Loaded[],
  runs: readonly (Loaded & Run)[],
  periods: readonly (Loaded & { start: string; period: StreakPeriod })[],
  isWhole: boolean,
): Map<string, Player["streaks"]> {
  const runsByName = Map.groupBy(runs, nameOf);
  const periodsByName = Map.groupBy(periods, nameOf);
  const states = new Map<string, Map<number, StreakState>>();
  for (const one of wanted) {
    const name = nameOf(one);
    const state: StreakState = {
      runs: (runsByName.get(name) ?? []).map(withoutNames),
      periods: new Map((periodsByName.get(name) ?? []).map(({ start, period }) => [start, period])),
      isWhole,
    };
    const ofPlayer = states.get(one.playerId) ?? new Map<number, StreakState>();
    states.set(one.playerId, ofPlayer.set(one.streakId, state));
  }
  return states;
}

const withoutNames = ({ origin, first, last, length, freezes, paid }: Run): Run => ({ origin, first, last, length, freezes, paid });

/** How one streak of one player is named among all that a slice loads. */
const nameOf = ({ playerId, streakId }: Loaded): string => `${playerId}/${streakId}`;
