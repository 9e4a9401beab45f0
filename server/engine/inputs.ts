import type { Sql, Transaction } from "../../db/client.ts";
import { isSpread } from "../../db/scale/parts.ts";
import type { Definitions } from "../model/definitions/compiled.ts";
import type { EventFact, Fact } from "../model/kernel/facts.ts";
import type { Player, RollupState } from "../model/kernel/player.ts";
import { mapInSteps, type Steps } from "../model/kernel/steps.ts";
import type { Scalar } from "../model/kernel/values.ts";
import type { PlayerKey } from "../model/players/identity.ts";
import { type ConditionInput, type Rollup, inputName } from "../model/rules/condition.ts";
import { inputValueIn, inputValue, MARK, rangeOf, rollupOf } from "../model/segments/rollups.ts";
import { inTurns } from "./turns.ts";
import { changedBuckets, loadRanges, loadRangesAll, saveBuckets } from "./store/rollups.ts";
import { waitUntilSeen } from "./store/locks.ts";
import { queuedOf } from "./store/queue.ts";
import { appliedEventsOf, appliedEventsOfPlayers, appliedMetricEvents } from "./store/applied.ts";
import { liveLengths, liveLengthsOfPlayers } from "./streak-lengths.ts";

/** The condition inputs of a player; null if a rollup that they need is not kept for the player yet. */
export async function resolveInputs(
  sql: Sql,
  definitions: Definitions,
  now: number,
  player: Player,
  wanted: readonly ConditionInput[],
): Promise<Player["inputs"] | null> {
  const { inputs, missing } = await ask(sql, definitions, now, player, wanted);
  return missing.length > 0 ? null : inputs;
}

/**
 * As `resolveInputs` for a locked player; missing rollups are created. A rollup is made from the log once, so that later reads do not
 * depend on how much a player has done. Queued facts are not in it; their fold finds the rollup and adds them. `folding` are the facts that
 * this transaction folds: a new rollup contains them, and the inputs do not.
 */
export async function resolveOrCreateInputs(
  tx: Transaction,
  definitions: Definitions,
  now: number,
  player: Player,
  wanted: readonly ConditionInput[],
  folding: readonly Fact[] = [],
): Promise<Player["inputs"]> {
  const { inputs, missing } = await ask(tx, definitions, now, player, wanted);
  if (missing.length === 0) return inputs;
  // After a crash the log may lack events that are applied.
  if (isSpread(tx)) await waitUntilSeen(tx);
  const eventIds = [...new Set(missing.map(({ eventId }) => eventId))];
  const [events, metricEvents] = await Promise.all([appliedEventsOf(tx, player, eventIds), appliedMetricEvents(tx, [player], eventIds)]);
  // Machines have no common snapshot: the log may have events that were queued after the queue was read.
  const queued = isSpread(tx) ? await queuedOf(tx, player) : new Set<number>();
  const logged = [...events.map((event) => ({ ...event, value: null })), ...metricEvents].filter(({ seq }) => !queued.has(seq));
  const facts = logged.map((fact): EventFact => ({ kind: "event", ...fact }));
  const zone = player.timeZone ?? definitions.timeZone;
  const kept = await inTurns(rollupsOf(missing, facts, zone));
  await saveBuckets(tx, changedBuckets(player, new Map(), kept));
  const slice = new Set(folding.map(({ seq }) => seq));
  const before = facts.filter(({ seq }) => !slice.has(seq));
  const read = before.length === facts.length ? kept : await inTurns(rollupsOf(missing, before, zone));
  for (const input of wanted) {
    if (!("rollup" in input)) continue;
    const rollup = read.get(input.rollup.id);
    if (rollup !== undefined) inputs.set(inputName(input), inputValueIn(input, rollup, now, zone));
  }
  return inputs;
}

/** Rollups of a player's facts, which are in order. */
function* rollupsOf(rollups: readonly Rollup[], facts: readonly EventFact[], zone: string): Steps<Player["rollups"]> {
  const byEvent = Map.groupBy(facts, ({ definitionId }) => definitionId);
  const made = new Map<number, RollupState>();
  for (const rollup of rollups) made.set(rollup.id, yield* rollupOf(rollup, byEvent.get(rollup.eventId) ?? [], zone));
  return made;
}

/** The budget of a bounded read of players' histories; see `TooMuchToRead`. */
export interface ReadingBounds {
  /** The most facts of all players together. */
  maxFacts: number;
  /** `performance.now()` at which the read gives up. */
  until: number;
}

/** A read exceeded its budget: too many facts, or too much time. */
export class TooMuchToRead extends Error {
  readonly of: "facts" | "time";

  constructor(of: "facts" | "time") {
    super(`The read exceeded its budget of ${of}.`);
    this.name = "TooMuchToRead";
    this.of = of;
  }
}

const UNBOUNDED: ReadingBounds = { maxFacts: Infinity, until: Infinity };

/**
 * The condition inputs of several players, read only: nothing is locked or kept. A missing rollup, or that of an unsaved condition, is
 * computed from the log, yielding to other work. Throws TooMuchToRead.
 */
export async function resolveInputsOfPlayers(
  sql: Sql,
  { timeZone }: Definitions,
  now: number,
  players: readonly Player[],
  wanted: readonly ConditionInput[],
  bounds = UNBOUNDED,
): Promise<Map<string, Player["inputs"]>> {
  const asked = [...new Map(wanted.map((input) => [inputName(input), input])).values()];
  const history = asked.filter((input) => "rollup" in input);
  const streaks = asked.flatMap((input) => ("streak" in input ? [input.streak] : []));
  const zoned = players.map(({ part, playerId, timeZone: own }) => ({ part, playerId, zone: own ?? timeZone }));
  const ranges = await inTurns(
    mapInSteps(zoned, ({ zone, ...key }) =>
      history.map((input) => ({ ...key, ...rangeOf(input, now, zone), rollupId: input.rollup.id, mark: MARK })),
    ),
  );
  const [found, lengths] = await Promise.all([
    loadRangesAll(sql, ranges.flat()),
    streaks.length === 0 ? new Map<string, Map<number, number>>() : liveLengthsOfPlayers(sql, zoned, streaks, now),
  ]);
  const lacking = zoned.filter((_, index) => history.some((__, at) => found[index * history.length + at] === null));
  const logged = await loggedOf(sql, lacking, [...new Set(history.map(({ rollup }) => rollup.eventId))], bounds.maxFacts);
  return inTurns(resolveAll());

  function* resolveAll(): Steps<Map<string, Player["inputs"]>> {
    const resolved = new Map<string, Player["inputs"]>();
    for (const [index, { playerId, zone }] of zoned.entries()) {
      const inputs = new Map<string, Scalar | null>();
      for (const streak of streaks) inputs.set(inputName({ streak }), lengths.get(playerId)?.get(streak.id) ?? 0);
      for (const [at, input] of history.entries()) {
        if (performance.now() > bounds.until) throw new TooMuchToRead("time");
        yield;
        const kept = found[index * history.length + at] ?? null;
        const value =
          kept === null
            ? inputValueIn(input, yield* rollupOf(input.rollup, logged.get(playerId) ?? [], zone), now, zone)
            : inputValue(input, kept.count, kept.readings);
        inputs.set(inputName(input), value);
      }
      resolved.set(playerId, inputs);
    }
    return resolved;
  }
}

/** The facts of some players for some events and metrics, in order. Throws TooMuchToRead. */
async function loggedOf(
  sql: Sql,
  players: readonly PlayerKey[],
  eventIds: readonly number[],
  maxFacts: number,
): Promise<Map<string, EventFact[]>> {
  if (players.length === 0) return new Map();
  const limit = maxFacts === Infinity ? null : maxFacts + 1;
  const [events, metricEvents] = await Promise.all([
    appliedEventsOfPlayers(sql, players, eventIds, limit),
    appliedMetricEvents(sql, players, eventIds, limit),
  ]);
  if (events.length + metricEvents.length > maxFacts) throw new TooMuchToRead("facts");
  const logged = [...events.map((event) => ({ ...event, value: null })), ...metricEvents].sort((a, b) => a.seq - b.seq);
  const facts = logged.map((fact) => ({ kind: "event" as const, ...fact }));
  return Map.groupBy(facts, ({ playerId }) => playerId);
}

/** The inputs of a player without history. */
export const unknownInputs = (wanted: readonly ConditionInput[]): Player["inputs"] =>
  new Map(wanted.map((input) => [inputName(input), "streak" in input ? 0 : inputValue(input, 0, [])]));

async function ask(
  sql: Sql,
  { timeZone }: Definitions,
  now: number,
  player: Player,
  wanted: readonly ConditionInput[],
): Promise<{ inputs: Map<string, Scalar | null>; missing: Rollup[] }> {
  const asked = [...new Map(wanted.map((input) => [inputName(input), input])).values()];
  const history = asked.filter((input) => "rollup" in input);
  const streaks = asked.flatMap((input) => ("streak" in input ? [input.streak] : []));
  const zone = player.timeZone ?? timeZone;
  const ranges = history.map((input) => ({ ...rangeOf(input, now, zone), rollupId: input.rollup.id, mark: MARK }));
  const [found, lengths] = await Promise.all([loadRanges(sql, player, ranges), liveLengths(sql, player, streaks, now, zone)]);
  const inputs = new Map<string, Scalar | null>(streaks.map((streak) => [inputName({ streak }), lengths.get(streak.id) ?? 0]));
  const missing = new Map<number, Rollup>();
  for (const [place, input] of history.entries()) {
    const one = found[place];
    if (one === null || one === undefined) missing.set(input.rollup.id, input.rollup);
    else inputs.set(inputName(input), inputValue(input, one.count, one.readings));
  }
  return { inputs, missing: [...missing.values()] };
}
