import type { Definitions } from "../definitions/compiled.ts";
import { addNumbers } from "../kernel/decimal.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { Player, CounterValue, RollupState } from "../kernel/player.ts";
import type { Steps } from "../kernel/steps.ts";
import { localDate, shiftDate } from "../kernel/time.ts";
import { isNumeric, type Scalar } from "../kernel/values.ts";
import { derivedId } from "../players/identity.ts";
import type { HistoryInput, Rollup } from "../rules/condition.ts";
import { passes } from "../rules/filter.ts";
import { advanceCounter, distinctValue, counterWithoutEvents, isDistinct } from "../rules/measure.ts";
import { compareScalars } from "../rules/operator.ts";

/** The bucket that marks a rollup as kept for a player. It holds the counter of a rollup that has neither days nor values. */
export const MARK = "";

/**
 * The bucket that an event belongs to: its day in the player's zone, its distinct value (on that day), or the mark if there are neither.
 * Null if the rollup does not read the event.
 */
function bucketOf(rollup: Rollup, fact: EventFact, zone: string): string | null {
  if (rollup.eventId !== fact.definitionId || !passes(rollup.where, fact, zone)) return null;
  switch (rollup.measure.kind) {
    case "DistinctCount": {
      const value = distinctValue(rollup, fact, zone);
      if (value === null) return null;
      return rollup.isDaily ? `${localDate(fact.occurredAt, zone)}/${derivedId("value", value)}` : derivedId("value", value);
    }
    case "DistinctDays":
      return localDate(fact.occurredAt, zone);
    default:
      return rollup.isDaily ? localDate(fact.occurredAt, zone) : MARK;
  }
}

/** The rollups after an event, of those that are kept for the player. The same map where it changes none. */
export function onHistory(player: Player, definitions: Definitions, fact: EventFact): Player["rollups"] {
  const zone = player.timeZone ?? definitions.timeZone;
  let next: Map<number, RollupState> | null = null;
  for (const rollup of definitions.rollupsByEvent.get(fact.definitionId) ?? []) {
    const state = (next ?? player.rollups).get(rollup.id);
    const bucket = state === undefined ? null : bucketOf(rollup, fact, zone);
    if (state === undefined || bucket === null) continue;
    const before = state.get(bucket);
    const after = advanceBucket(rollup, before, fact);
    if (after !== before) (next ??= new Map(player.rollups)).set(rollup.id, new Map(state).set(bucket, after));
  }
  return next ?? player.rollups;
}

/** A bucket after an event that belongs to it. The bucket of a distinct value or day holds no reading: its existence is counted. */
const advanceBucket = (rollup: Rollup, before: CounterValue | undefined, fact: EventFact): CounterValue =>
  isDistinct(rollup.measure)
    ? (before ?? { value: null })
    : advanceCounter(before ?? counterWithoutEvents(rollup), rollup, fact, () => true);

/** The buckets that a fold of these events needs: the marks of their rollups, and the buckets of the events. */
export function bucketsOf(definitions: Definitions, facts: readonly EventFact[], zone: string): { rollupId: number; bucket: string }[] {
  const wanted = new Map<number, Set<string>>();
  for (const fact of facts) {
    for (const rollup of definitions.rollupsByEvent.get(fact.definitionId) ?? []) {
      const bucket = bucketOf(rollup, fact, zone);
      if (bucket !== null) wanted.set(rollup.id, (wanted.get(rollup.id) ?? new Set([MARK])).add(bucket));
    }
  }
  return [...wanted].flatMap(([rollupId, buckets]) => Array.from(buckets, (bucket) => ({ rollupId, bucket })));
}

/** Buckets of one player as a fold sees them: a rollup is only kept where its mark exists. */
export function rollupStates(rows: readonly { rollupId: number; bucket: string; reading: CounterValue }[]): Player["rollups"] {
  const byRollup = Map.groupBy(rows, ({ rollupId }) => rollupId);
  return new Map(
    [...byRollup].flatMap(([rollupId, own]) => {
      const state = new Map(own.map(({ bucket, reading }) => [bucket, reading]));
      return state.has(MARK) ? [[rollupId, state] as const] : [];
    }),
  );
}

/** A rollup of a player without events. */
export const emptyRollup = (rollup: Rollup): Map<string, CounterValue> =>
  new Map([[MARK, isOneCounter(rollup) ? counterWithoutEvents(rollup) : { value: null }]]);

/** Adds events, in the order of facts, to a rollup that is being made: a step for each, as there may be very many. */
export function* addEvents(state: Map<string, CounterValue>, rollup: Rollup, facts: readonly EventFact[], zone: string): Steps<void> {
  for (const fact of facts) {
    const bucket = bucketOf(rollup, fact, zone);
    if (bucket !== null) state.set(bucket, advanceBucket(rollup, state.get(bucket), fact));
    yield;
  }
}

/** A rollup of these events. */
export function* rollupOf(rollup: Rollup, facts: readonly EventFact[], zone: string): Steps<RollupState> {
  const state = emptyRollup(rollup);
  yield* addEvents(state, rollup, facts, zone);
  return state;
}

const isOneCounter = (rollup: Rollup): boolean => !rollup.isDaily && !isDistinct(rollup.measure);

/** Which buckets an input reads: those from `from` to `to`. */
export interface BucketRange {
  from: string;
  to: string;
  /** Whether the value is the number of days or values that the buckets name. */
  isCounted: boolean;
}

/** Bounds below and above the names of all buckets but the mark. */
const FIRST = "!";
const LAST = "~";

/** "The last 30 days" are the player's today and the 29 days before it. */
export function rangeOf({ rollup, lastDays }: HistoryInput, now: number, zone: string): BucketRange {
  const isCounted = isDistinct(rollup.measure);
  if (isOneCounter(rollup)) return { from: MARK, to: MARK, isCounted };
  if (lastDays === null) return { from: FIRST, to: LAST, isCounted };
  const today = localDate(now, zone);
  return { from: shiftDate(today, 1 - lastDays), to: `${today}${LAST}`, isCounted };
}

/** The value that the counters of the buckets, or their number, give together. */
export function inputValue({ rollup }: HistoryInput, count: number, counters: readonly CounterValue[]): Scalar | null {
  switch (rollup.measure.kind) {
    case "DistinctCount":
    case "DistinctDays":
      return count;
    case "Count":
    case "Sum":
      return counters.reduce((sum, { value }) => (isNumeric(value) ? addNumbers(sum, value) : sum), addNumbers(0, 0));
    case "Max":
      return best(counters, (a, b) => compareScalars(a, b) === 1);
    case "Min":
      return best(counters, (a, b) => compareScalars(a, b) === -1);
    case "Latest":
      return counters.reduce<CounterValue>((latest, one) => ((one.at ?? -Infinity) >= (latest.at ?? -Infinity) ? one : latest), {
        value: null,
      }).value;
  }
}

/** The value of an input over a new rollup that is not stored. */
export function inputValueIn(input: HistoryInput, state: RollupState, now: number, zone: string): Scalar | null {
  const { from, to } = rangeOf(input, now, zone);
  const found = [...state].filter(([bucket]) => bucket >= from && bucket <= to);
  const named = new Set(found.map(([bucket]) => bucket.slice(-VALUE_LENGTH)));
  return inputValue(
    input,
    named.size,
    found.map(([, reading]) => reading),
  );
}

/** The length of a value's id, which ends the name of its bucket; days are shorter. */
const VALUE_LENGTH = 36;

const best = (counters: readonly CounterValue[], beats: (a: Scalar, b: Scalar) => boolean): Scalar | null =>
  counters.reduce<Scalar | null>((top, { value }) => (value !== null && (top === null || beats(value, top)) ? value : top), null);
