import type { Sql, Transaction } from "../../db/client.ts";
import { isSpread } from "../../db/scale/parts.ts";
import type { Definitions } from "../model/definitions/compiled.ts";
import type { EventFact, Fact } from "../model/kernel/facts.ts";
import type { CounterValue, Player } from "../model/kernel/player.ts";
import { mapInSteps, type Steps } from "../model/kernel/steps.ts";
import type { Scalar } from "../model/kernel/values.ts";
import type { PlayerKey } from "../model/players/identity.ts";
import { type ConditionInput, type Rollup, inputName } from "../model/rules/condition.ts";
import { addEvents, emptyRollup, inputValueIn, inputValue, MARK, rangeOf } from "../model/segments/rollups.ts";
import { inTurns } from "./turns.ts";
import { changedBuckets, loadRanges, loadRangesAll, saveBuckets } from "./store/rollups.ts";
import { waitUntilSeen } from "./store/locks.ts";
import { queuedOf } from "./store/queue.ts";
import { appliedFacts } from "./store/applied.ts";
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
  const zone = player.timeZone ?? definitions.timeZone;
  const slice = new Set(folding.map(({ seq }) => seq));
  let queued = isSpread(tx) ? await queuedOf(tx, player) : new Set<number>();
  let made = await makeRollups(tx, player, zone, missing, slice, queued);
  // Machines have no common snapshot: the log may have had events that were queued after the queue was read.
  while (isSpread(tx)) {
    const later = await queuedOf(tx, player);
    if (![...later].some((seq) => seq <= made.last && !queued.has(seq))) break;
    queued = later;
    made = await makeRollups(tx, player, zone, missing, slice, queued);
  }
  await saveBuckets(tx, changedBuckets(player, new Map(), made.kept));
  for (const input of wanted) {
    if (!("rollup" in input)) continue;
    const rollup = made.read.get(input.rollup.id);
    if (rollup !== undefined) inputs.set(inputName(input), inputValueIn(input, rollup, now, zone));
  }
  return inputs;
}

/** Rollups in the making, by id. */
type NewRollups = Map<number, Map<string, CounterValue>>;

const emptyRollups = (rollups: readonly Rollup[]): NewRollups => new Map(rollups.map((rollup) => [rollup.id, emptyRollup(rollup)]));

/** Adds a player's next facts. */
function* addFacts(made: NewRollups, rollups: readonly Rollup[], facts: readonly EventFact[], zone: string): Steps<void> {
  const byEvent = Map.groupBy(facts, ({ definitionId }) => definitionId);
  for (const rollup of rollups) yield* addEvents(made.get(rollup.id)!, rollup, byEvent.get(rollup.eventId) ?? [], zone);
}

/**
 * Rollups of the player's whole log without the `queued` facts: `kept` includes the slice, `read` does not. `last` is the position of the
 * last fact read.
 */
async function makeRollups(
  tx: Transaction,
  player: Player,
  zone: string,
  rollups: readonly Rollup[],
  slice: ReadonlySet<number>,
  queued: ReadonlySet<number>,
): Promise<{ kept: NewRollups; read: NewRollups; last: number }> {
  const kept = emptyRollups(rollups);
  let read = kept;
  let last = 0;
  for await (const part of appliedFacts(tx, [player], eventsOf(rollups))) {
    const facts = part.filter(({ seq }) => !queued.has(seq));
    const earlier = facts.filter(({ seq }) => !slice.has(seq));
    if (read === kept && earlier.length < facts.length) read = new Map(Array.from(kept, ([id, state]) => [id, new Map(state)]));
    await inTurns(addFacts(kept, rollups, facts, zone));
    if (read !== kept) await inTurns(addFacts(read, rollups, earlier, zone));
    last = facts.at(-1)?.seq ?? last;
  }
  return { kept, read, last };
}

const eventsOf = (rollups: readonly Rollup[]): number[] => [...new Set(rollups.map(({ eventId }) => eventId))];

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
  tx: Transaction,
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
    loadRangesAll(tx, ranges.flat()),
    streaks.length === 0 ? new Map<string, Map<number, number>>() : liveLengthsOfPlayers(tx, zoned, streaks, now),
  ]);
  const isMissing = (index: number, at: number) => found[index * history.length + at] === null;
  const lacking = zoned.filter((_, index) => history.some((__, at) => isMissing(index, at)));
  const missing = history.filter((_, at) => zoned.some((__, index) => isMissing(index, at)));
  const rollups = [...new Map(missing.map(({ rollup }) => [rollup.id, rollup])).values()];
  const made = await makeRollupsOfPlayers(tx, lacking, rollups, bounds);
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
            ? inputValueIn(input, made.get(playerId)!.get(input.rollup.id)!, now, zone)
            : inputValue(input, kept.count, kept.readings);
        inputs.set(inputName(input), value);
      }
      resolved.set(playerId, inputs);
    }
    return resolved;
  }
}

/** Rollups of the whole logs of some players. Throws TooMuchToRead. */
async function makeRollupsOfPlayers(
  tx: Transaction,
  players: readonly (PlayerKey & { zone: string })[],
  rollups: readonly Rollup[],
  { maxFacts, until }: ReadingBounds,
): Promise<Map<string, NewRollups>> {
  const made = new Map(players.map(({ playerId, zone }) => [playerId, { zone, rollups: emptyRollups(rollups) }]));
  const limit = maxFacts === Infinity ? null : maxFacts + 1;
  let count = 0;
  for await (const part of players.length === 0 ? [] : appliedFacts(tx, players, eventsOf(rollups), limit)) {
    count += part.length;
    if (count > maxFacts) throw new TooMuchToRead("facts");
    if (performance.now() > until) throw new TooMuchToRead("time");
    for (const [playerId, facts] of Map.groupBy(part, (fact) => fact.playerId)) {
      const own = made.get(playerId)!;
      await inTurns(addFacts(own.rollups, rollups, facts, own.zone));
    }
  }
  return new Map(Array.from(made, ([playerId, one]) => [playerId, one.rollups]));
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
