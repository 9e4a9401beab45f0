import type { Transaction } from "#db/client.ts";
import { allocate, type FirstSample } from "#server/model/statistics/sampling.ts";
import { estimate } from "../../simulation/estimate.ts";
import { type CountedPlayer, countPlayers } from "../store/history.ts";

/** Players of the first sample, which estimates the sizes of the strata. In most environments it includes all players. */
const MAX_COUNTED = 50_000;
const COUNTED_AT_ONCE = 2_000;
/** The minimum number of players per stratum; a smaller stratum is played whole. */
const LEAST = 500;

/** Upper bounds of the strata: the share of the window's days on which a player had an event. */
const BOUNDS = [0, 0.1, 0.4, 1];

export interface SampledPlayer extends CountedPlayer {
  stratum: number;
}

export interface Sample {
  /** The players to play, in an order in which every prefix has all strata in proportion. */
  players: SampledPlayer[];
  strata: { label: string; size: number }[];
  /** All players of the environment. */
  population: number;
  /** The first sample, unless it includes all players. */
  first: FirstSample | null;
}

/**
 * A random sample of an environment's players, by their keys, which are hashes. It is stratified by the number of days with an event: rare
 * kinds of players are included, weighted by their number.
 */
export async function drawSample(
  tx: Transaction,
  environmentId: number,
  { since, days, most }: { since: string; days: number; most: number },
  maxCounted = MAX_COUNTED,
): Promise<Sample> {
  const counted: CountedPlayer[] = [];
  let isAll = false;
  while (!isAll && counted.length < maxCounted) {
    const limit = Math.min(COUNTED_AT_ONCE, maxCounted - counted.length);
    const page = await countPlayers(tx, environmentId, counted.at(-1) ?? null, since, limit);
    counted.push(...page);
    isAll = page.length < limit;
  }
  const population = isAll ? counted.length : estimate(counted.length, 0, counted.at(-1)?.playerId ?? null).players;
  const bounds = BOUNDS.map((part) => Math.ceil(part * days));
  const groups: CountedPlayer[][] = bounds.map(() => []);
  for (const one of counted) groups[stratumOf(one.days, bounds)]!.push(one);
  const parts = allocate(
    groups.map(({ length }) => length),
    Math.min(most, counted.length),
    LEAST,
  );
  const players = groups.flatMap((group, stratum) =>
    group.slice(0, parts[stratum]!).map((one, rank) => ({ ...one, stratum, turn: (rank + 0.5) / parts[stratum]! })),
  );
  return {
    players: players.sort((a, b) => a.turn - b.turn),
    strata: groups.map(({ length }, at) => ({ label: labelOf(bounds, at), size: isAll ? length : (length / counted.length) * population })),
    population,
    first: isAll ? null : { players: counted.length },
  };
}

const stratumOf = (days: number, bounds: readonly number[]): number => {
  const found = bounds.findIndex((bound) => days <= bound);
  // The window may touch one more local day than its length in days.
  return found === -1 ? bounds.length - 1 : found;
};

/** "none", "1 to 3", "13 or more". */
const labelOf = (bounds: readonly number[], at: number): string => {
  if (at === 0) return "none";
  const from = bounds[at - 1]! + 1;
  if (at === bounds.length - 1) return `${from} or more`;
  return from >= bounds[at]! ? String(from) : `${from} to ${bounds[at]}`;
};
