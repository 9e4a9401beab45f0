import { Decimal, simplify } from "../kernel/decimal.ts";
import type { MissionState, ObjectiveState, Occurrence, Reading, TopicState } from "../kernel/player.ts";
import type { Scalar } from "../kernel/values.ts";

export const NOT_ENTERED: MissionState = { live: [], last: null };

type StoredScalar = string | number | boolean | null | { d: string };
type StoredReading = StoredScalar | [StoredScalar, number];
type StoredObjective = [0 | 1, ...StoredReading[]];
/** number, startedAt, accepted (0: not; seq: at the start; else seq and instant), period, objectives. */
type StoredOccurrence = [number, number, number | [number, number], 0 | [string, number, number], StoredObjective[]];
/** mission id, live occurrences, last (0: none). */
type StoredMission = [number, StoredOccurrence[], 0 | [number, string | null, number | null]];

/** The stored form of a topic: positional, because the row is rewritten with every fact that moves it. */
export const encodeTopic = (topic: TopicState): StoredMission[] =>
  Array.from(topic, ([missionId, { live, last }]) => [
    missionId,
    live.map(encodeOccurrence),
    last === null ? 0 : [last.number, last.periodStart, last.completedAt],
  ]);

export const decodeTopic = (stored: unknown): TopicState =>
  new Map(
    (stored as StoredMission[]).map(([missionId, live, last]) => [
      missionId,
      {
        live: live.map(decodeOccurrence),
        last: last === 0 ? null : { number: last[0], periodStart: last[1], completedAt: last[2] },
      },
    ]),
  );

function encodeOccurrence({ number, startedAt, accepted, period, objectives }: Occurrence): StoredOccurrence {
  return [
    number,
    startedAt,
    accepted === null ? 0 : accepted.at === startedAt ? accepted.seq : [accepted.seq, accepted.at],
    period === null ? 0 : [period.start, period.startsAt, period.endsAt],
    encodeObjectives(objectives),
  ];
}

function decodeOccurrence([number, startedAt, accepted, period, objectives]: StoredOccurrence): Occurrence {
  return {
    number,
    startedAt,
    accepted: decodeAccepted(accepted, startedAt),
    period: period === 0 ? null : { start: period[0], startsAt: period[1], endsAt: period[2] },
    objectives: decodeObjectives(objectives),
  };
}

function decodeAccepted(stored: StoredOccurrence[2], startedAt: number): Occurrence["accepted"] {
  if (stored === 0) return null;
  return typeof stored === "number" ? { seq: stored, at: startedAt } : { seq: stored[0], at: stored[1] };
}

export const encodeObjectives = (objectives: readonly ObjectiveState[]): StoredObjective[] =>
  objectives.map(({ isSatisfied, readings }) => [isSatisfied ? 1 : 0, ...readings.map(encodeReading)]);

export const decodeObjectives = (stored: unknown): ObjectiveState[] =>
  (stored as StoredObjective[]).map(([satisfied, ...readings]) => ({
    isSatisfied: satisfied === 1,
    readings: readings.map(decodeReading),
  }));

const encodeReading = ({ value, at }: Reading): StoredReading => (at === undefined ? encodeScalar(value) : [encodeScalar(value), at]);

const decodeReading = (stored: StoredReading): Reading =>
  Array.isArray(stored) ? { value: decodeScalar(stored[0]), at: stored[1] } : { value: decodeScalar(stored) };

/** A wide number is kept as text, so that reading a state back needs no exact parse. */
const encodeScalar = (value: Scalar | null): StoredScalar => (value instanceof Decimal ? { d: value.toString() } : value);

function decodeScalar(stored: StoredScalar): Scalar | null {
  if (stored === null || typeof stored !== "object") return stored;
  const decimal = Decimal.parse(stored.d);
  return decimal === null ? null : simplify(decimal);
}
