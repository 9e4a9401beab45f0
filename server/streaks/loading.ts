import type { Definitions } from "../definitions/compiled.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { Player, Run, StreakPeriod, StreakState } from "../kernel/player.ts";
import { periodOf, staysQualified } from "./advance.ts";

/** Where the facts of a player fall among the periods of one streak. */
export interface Falls {
  streakId: number;
  /** Local starts of the periods, each once. */
  starts: string[];
  earliest: string;
  /** Whether the last run may not be enough to go on from, whatever it is. */
  isOutOfOrder: boolean;
}

/** Where facts fall, streak by streak. */
export function fallsInto(definitions: Definitions, facts: readonly EventFact[], zone: string): Falls[] {
  const falls = new Map<number, Falls & { latest: string }>();
  for (const fact of facts) {
    for (const streak of definitions.streaksByEvent.get(fact.definitionId) ?? []) {
      const start = periodOf(streak, fact, zone);
      if (start === null) continue;
      const known = falls.get(streak.id);
      if (known === undefined) {
        falls.set(streak.id, {
          streakId: streak.id,
          starts: [start],
          earliest: start,
          latest: start,
          isOutOfOrder: !staysQualified(streak),
        });
        continue;
      }
      if (!known.starts.includes(start)) known.starts.push(start);
      if (start < known.latest) known.isOutOfOrder = true;
      if (start < known.earliest) known.earliest = start;
      if (start > known.latest) known.latest = start;
    }
  }
  return [...falls.values()];
}

/** Whether all runs and periods have to be known: something comes late, or may take back what qualified. */
export const needsAll = ({ isOutOfOrder, earliest }: Falls, latest: Run | undefined): boolean =>
  isOutOfOrder || (latest !== undefined && earliest < latest.last);

interface Loaded {
  playerId: string;
  streakId: number;
}

/** What was loaded, as folds see it, by player. */
export function streakStates(
  wanted: readonly Loaded[],
  whole: ReadonlySet<string>,
  runs: readonly (Loaded & Run)[],
  periods: readonly (Loaded & { start: string; period: StreakPeriod })[],
): Map<string, Player["streaks"]> {
  const runsOf = Map.groupBy(runs, nameOf);
  const periodsOf = Map.groupBy(periods, nameOf);
  const states = new Map<string, Map<number, StreakState>>();
  for (const one of wanted) {
    const name = nameOf(one);
    const state: StreakState = {
      runs: (runsOf.get(name) ?? []).map(({ origin, first, last, length, freezes, paid }) => ({
        origin,
        first,
        last,
        length,
        freezes,
        paid,
      })),
      periods: new Map((periodsOf.get(name) ?? []).map(({ start, period }) => [start, period])),
      isWhole: whole.has(name),
    };
    const ofPlayer = states.get(one.playerId) ?? new Map<number, StreakState>();
    states.set(one.playerId, ofPlayer.set(one.streakId, state));
  }
  return states;
}

/** How one streak of one player is named among all that a slice loads. */
export const nameOf = ({ playerId, streakId }: Loaded): string => `${playerId}/${streakId}`;
