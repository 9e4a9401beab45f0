import type { MissionState, ObjectiveState, Occurrence, OccurrencePeriod, PartitionState, Player } from "../kernel/player.ts";
import { decodeCounter, encodeCounter, type StoredCounter } from "../kernel/stored.ts";
import type { Mission } from "./definition.ts";
import { readShortPartition } from "./short-partition.ts";

export const NOT_ENTERED: MissionState = { live: [], last: null };

export const stateOf = ({ missions }: Pick<Player, "missions">, { partitionId, id }: Pick<Mission, "partitionId" | "id">): MissionState =>
  missions.get(partitionId)?.get(id) ?? NOT_ENTERED;

/** A number alone: not satisfied, and its only reading. */
type StoredObjective = number | [0 | 1, ...StoredCounter[]];
/** number, startedAt, accepted (0: not; seq: at the start; else seq and instant), period, objectives. */
type StoredOccurrence = [number, number, number | [number, number], 0 | StoredPeriod, StoredObjective[]];
/** Start, startsAt, endsAt; a fourth if it is cut. */
type StoredPeriod = [string, number, number] | [string, number, number, 1];
/** Mission id, live occurrences, last (0: none). */
type StoredMission = [number, StoredOccurrence[], 0 | [number, string | null, number | null]];
/** Mission id, index of its start in the list of starts, objectives: the only occurrence of a mission without recurrence, in progress. */
type StoredShort = [number, number, ...StoredObjective[]];
/** startedAt and seq of the entries (accepts) that the short missions share, in turn; then the missions. */
type StoredPartition = [number[], ...(StoredShort | StoredMission)[]];

/**
 * The stored form of a partition. It is positional, and missions entered together share their common part, because the row is
 * read and rewritten with every fact that moves it: 20 missions take 200 bytes. The short missions are written directly as text, without
 * the arrays that they are: that takes half the time.
 */
export function encodePartition(partition: PartitionState): string {
  const starts: number[] = [];
  const pieces = [""];
  // An iteration by `for` would make an array of each entry.
  partition.forEach((state, missionId) => pieces.push(shortText(missionId, state, starts) ?? JSON.stringify(longForm(missionId, state))));
  pieces[0] = `[[${starts.join()}]`;
  // Joined, it is one flat string. Strings put together one by one are kept as trees, and a slice holds a thousand of them until it is
  // saved.
  return `${pieces.join()}]`;
}

export const decodePartition = (text: string): PartitionState => readShortPartition(text) ?? readPartition(text);

function readPartition(text: string): PartitionState {
  const stored = JSON.parse(text) as StoredPartition;
  const starts = stored[0];
  const accepts: { seq: number; at: number }[] = [];
  for (let index = 0; index < starts.length; index += 2) accepts.push({ at: starts[index] ?? 0, seq: starts[index + 1] ?? 0 });
  const partition = new Map<number, MissionState>();
  for (let index = 1; index < stored.length; index++) {
    const mission = stored[index] as StoredShort | StoredMission;
    partition.set(mission[0], isShort(mission) ? readShort(mission, accepts) : readLong(mission));
  }
  return partition;
}

const isShort = (mission: StoredShort | StoredMission): mission is StoredShort => typeof mission[1] === "number";

/** The text of a `StoredShort`; null for a mission that has to be stored in full. */
function shortText(missionId: number, { live, last }: MissionState, starts: number[]): string | null {
  const only = live[0];
  if (only === undefined || live.length > 1 || last !== null || only.number !== 0 || only.period !== null) return null;
  const { accepted, startedAt, objectives } = only;
  if (accepted === null || accepted.at !== startedAt) return null;
  let text = `[${missionId},${startOf(accepted, starts)}`;
  for (let index = 0; index < objectives.length; index++) {
    const stored = encodeObjective(objectives[index]!);
    text += `,${typeof stored === "number" ? stored : JSON.stringify(stored)}`;
  }
  return `${text}]`;
}

/** The index of a start in the list; a new one is added. Lists are short, because entries are made together. */
function startOf({ seq, at }: { seq: number; at: number }, starts: number[]): number {
  for (let index = 0; index < starts.length; index += 2) if (starts[index] === at && starts[index + 1] === seq) return index / 2;
  return starts.push(at, seq) / 2 - 1;
}

function readShort(mission: StoredShort, accepts: readonly { seq: number; at: number }[]): MissionState {
  const accepted = accepts[mission[1]] ?? null;
  // The array gets its exact length: one that is pushed to reserves room for 17.
  const objectives: ObjectiveState[] =
    mission.length === 3 ? [decodeObjective(mission[2]!)] : (mission.slice(2) as StoredObjective[]).map(decodeObjective);
  return { live: [{ number: 0, startedAt: accepted?.at ?? 0, accepted, period: null, objectives }], last: null };
}

const longForm = (missionId: number, { live, last }: MissionState): StoredMission => [
  missionId,
  live.map(encodeOccurrence),
  last === null ? 0 : [last.number, last.periodStart, last.completedAt],
];

const readLong = ([, live, last]: StoredMission): MissionState => ({
  live: live.map(decodeOccurrence),
  last: last === 0 ? null : { number: last[0], periodStart: last[1], completedAt: last[2] },
});

function encodeOccurrence({ number, startedAt, accepted, period, objectives }: Occurrence): StoredOccurrence {
  return [
    number,
    startedAt,
    accepted === null ? 0 : accepted.at === startedAt ? accepted.seq : [accepted.seq, accepted.at],
    period === null ? 0 : encodePeriod(period),
    encodeObjectives(objectives),
  ];
}

function decodeOccurrence([number, startedAt, accepted, period, objectives]: StoredOccurrence): Occurrence {
  return {
    number,
    startedAt,
    accepted: decodeAccepted(accepted, startedAt),
    period: period === 0 ? null : decodePeriod(period),
    objectives: decodeObjectives(objectives),
  };
}

const encodePeriod = ({ start, startsAt, endsAt, isCut }: OccurrencePeriod): StoredPeriod =>
  isCut === true ? [start, startsAt, endsAt, 1] : [start, startsAt, endsAt];

function decodePeriod([start, startsAt, endsAt, isCut]: StoredPeriod): OccurrencePeriod {
  return isCut === undefined ? { start, startsAt, endsAt } : { start, startsAt, endsAt, isCut: true };
}

function decodeAccepted(stored: StoredOccurrence[2], startedAt: number): Occurrence["accepted"] {
  if (stored === 0) return null;
  return typeof stored === "number" ? { seq: stored, at: startedAt } : { seq: stored[0], at: stored[1] };
}

export const encodeObjectives = (objectives: readonly ObjectiveState[]): StoredObjective[] => objectives.map(encodeObjective);

export const decodeObjectives = (stored: unknown): ObjectiveState[] => (stored as StoredObjective[]).map(decodeObjective);

function encodeObjective({ isSatisfied, counters }: ObjectiveState): StoredObjective {
  const [only] = counters;
  if (!isSatisfied && counters.length === 1 && typeof only?.value === "number" && only.at === undefined) return only.value;
  return [isSatisfied ? 1 : 0, ...counters.map(encodeCounter)];
}

function decodeObjective(stored: StoredObjective): ObjectiveState {
  if (typeof stored === "number") return { isSatisfied: false, counters: [{ value: stored }] };
  const [satisfied, ...counters] = stored;
  return { isSatisfied: satisfied === 1, counters: counters.map(decodeCounter) };
}
