import type { Transaction } from "#db/client.ts";
import { allocate, type FirstSample } from "#server/model/statistics/sampling.ts";
import { estimate } from "../../simulation/estimate.ts";
import { type CountedPlayer, countPlayers } from "../store/history.ts";

/** Players of the first sample, which tells how large the strata are. It is everybody in most environments. */
const MAX_COUNTED = 50_000;
const COUNTED_AT_ONCE = 2_000;
/** Players of a stratum that are played at least, if it has them. */
const LEAST = 500;

/** Upper bounds of the strata, as parts of the window's days with an event. */
const BOUNDS = [0, 0.1, 0.4, 1];

export interface SampledPlayer extends CountedPlayer {
  stratum: number;
}

export interface Sample {
  /** Those to play: whatever part of them is played, all strata are in it in proportion. */
  players: SampledPlayer[];
  strata: { label: string; size: number }[];
  /** All players of the environment. */
  population: number;
  /** The first sample, where it was not everybody. */
  first: FirstSample | null;
}

/**
 * A fair sample of an environment's players, by the hash that their key is, stratified by the days on which they had an event: rare kinds
 * of players are in, and count by how many of them there are.
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
  // The window may reach into one more local day than it has days.
  return found === -1 ? bounds.length - 1 : found;
};

/** "none", "1 to 3", "13 or more". */
const labelOf = (bounds: readonly number[], at: number): string => {
  if (at === 0) return "none";
  const from = bounds[at - 1]! + 1;
  if (at === bounds.length - 1) return `${from} or more`;
  return from >= bounds[at]! ? String(from) : `${from} to ${bounds[at]}`;
};
