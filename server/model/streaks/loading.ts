import type { Definitions } from "../definitions/compiled.ts";
import type { WaitingFact } from "../kernel/facts.ts";
import type { Player, Run, StreakPeriod, StreakState } from "../kernel/player.ts";
import { NO_STREAK, onPeriodBegun, onStreaks, streakPeriodOf, staysQualified } from "./advance.ts";

/** The periods of one streak that a player's facts fall into. */
export interface Falls {
  streakId: number;
  /** Local starts of the periods, each once. */
  starts: string[];
}

/** The periods that a player's facts fall into, by streak. */
export function fallsInto(definitions: Definitions, facts: readonly WaitingFact[], zone: string): Falls[] {
  const falls = new Map<number, Set<string>>();
  for (const fact of facts) {
    if (fact.kind === "streakPeriod") {
      falls.set(fact.streakId, (falls.get(fact.streakId) ?? new Set()).add(fact.start));
      continue;
    }
    for (const streak of definitions.streaksByEvent.get(fact.definitionId) ?? []) {
      const start = streakPeriodOf(streak, fact, zone);
      if (start !== null) falls.set(streak.id, (falls.get(streak.id) ?? new Set()).add(start));
    }
  }
  return [...falls].map(([streakId, starts]) => ({ streakId, starts: [...starts] }));
}

/**
 * The streaks of which facts need every run and period, because a fact comes late or takes a qualified period back. Found by trying,
 * except for facts that all fall into one period, not before the last qualified one, that stays qualified once it is.
 */
export function lackingStreaks(
  player: Pick<Player, "playerId" | "timeZone" | "streaks">,
  definitions: Definitions,
  facts: readonly WaitingFact[],
  falls: readonly Falls[],
): number[] {
  if (falls.every((one) => comesInTime(one, player, definitions))) return [];
  let { streaks } = player;
  for (const fact of facts) {
    const one = { ...player, streaks };
    streaks = fact.kind === "event" ? onStreaks(one, definitions, fact, []) : onPeriodBegun(one, definitions, fact, []);
  }
  return [...streaks].flatMap(([streakId, { isLacking }]) => (isLacking === true ? [streakId] : []));
}

function comesInTime({ streakId, starts }: Falls, { streaks }: Pick<Player, "streaks">, { streaks: all }: Definitions): boolean {
  const [start, ...others] = starts;
  const streak = all.find(({ id }) => id === streakId);
  if (start === undefined || others.length > 0 || streak === undefined || !staysQualified(streak)) return false;
  const latest = streaks.get(streakId)?.runs.at(-1);
  return latest === undefined || start >= latest.last;
}

/** The states that facts received in time need, by player: the last run, and the periods they fall into. */
export function statesBefore(keys: readonly PeriodFallenInto[], before: readonly Known[]): Map<string, Map<number, StreakState>> {
  const players = new Map<string, Map<number, StreakState>>();
  for (const [at, { playerId, streakId, start }] of keys.entries()) {
    const { run, period } = before[at]!;
    let streaks = players.get(playerId);
    if (streaks === undefined) players.set(playerId, (streaks = new Map()));
    const known = streaks.get(streakId);
    const periods = known?.periods ?? NO_STREAK.periods;
    streaks.set(streakId, {
      runs: run === null ? NO_STREAK.runs : [run],
      periods: period === null ? periods : new Map(periods).set(start, period),
      isWhole: false,
    });
  }
  return players;
}

interface PeriodFallenInto extends Loaded {
  start: string;
}

/** The state at one instant: the last run of the streak, and the period; null if absent. */
export interface Known {
  run: Run | null;
  period: StreakPeriod | null;
}

interface Loaded {
  playerId: string;
  streakId: number;
}

/** The whole state of some streaks as folds see it, by player. */
export function streakStates(
  wanted: readonly Loaded[],
  runs: readonly (Loaded & Run)[],
  periods: readonly (Loaded & { start: string; period: StreakPeriod })[],
): Map<string, Player["streaks"]> {
  const runsByName = Map.groupBy(runs, nameOf);
  const periodsByName = Map.groupBy(periods, nameOf);
  const states = new Map<string, Map<number, StreakState>>();
  for (const one of wanted) {
    const name = nameOf(one);
    const state: StreakState = {
      runs: (runsByName.get(name) ?? []).map(withoutNames),
      periods: new Map((periodsByName.get(name) ?? []).map(({ start, period }) => [start, period])),
      isWhole: true,
    };
    const ofPlayer = states.get(one.playerId) ?? new Map<number, StreakState>();
    states.set(one.playerId, ofPlayer.set(one.streakId, state));
  }
  return states;
}

const withoutNames = ({ origin, first, last, length, freezes, paid }: Run): Run => ({ origin, first, last, length, freezes, paid });

/** The name of one streak of one player among all that a slice loads. */
const nameOf = ({ playerId, streakId }: Loaded): string => `${playerId}/${streakId}`;
