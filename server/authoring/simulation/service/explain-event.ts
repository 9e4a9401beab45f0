import { type Database, inTime, readOnly, type Transaction } from "#db/client.ts";
import { definitionsOf, loadStored } from "#server/engine/definitions.ts";
import { readPlayerToTry } from "#server/engine/apply.ts";
import type { Moved } from "#server/engine/moved.ts";
import { purgedBefore } from "#server/engine/store/applied.ts";
import { selectEventEffects } from "#server/engine/store/event-effects.ts";
import { loadEvent, unappliedOf } from "#server/game/events/service.ts";
import { instantInZone } from "#server/model/definitions/words.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { EventFact } from "#server/model/kernel/facts.ts";
import type { Player } from "#server/model/kernel/player.ts";
import { readScoresOf } from "#server/game/leaderboards/service/read.ts";
import { loadLoggedMetricEvent } from "#server/game/metrics/service.ts";
import { loadCompletions } from "#server/game/missions/service/read.ts";
import type { Mission } from "#server/model/missions/definition.ts";
import { inputsIn } from "#server/model/rules/condition.ts";
import { resolveInputsOfPlayers } from "#server/engine/inputs.ts";
import {
  type EventHistory,
  type EventOutcome,
  type EventVerdict,
  explainBoardEvent,
  explainMission,
  explainStreakEvent,
} from "../events.ts";
import { movedOutcomes } from "../moved.ts";
import { plural } from "../../../model/kernel/thousands.ts";
import { plain } from "../../../model/rules/value-words.ts";
import { line, type Scene, sceneOf } from "../steps.ts";
import { recentFacts } from "./recent-facts.ts";
import { type PlayerKey, playerKey } from "#server/model/players/identity.ts";

export interface ExplainedEvent {
  state: "Waiting" | "Quarantined" | "Applied";
  /** The error that put it in quarantine, with its stack; null if it is not there. */
  error: string | null;
  /** Epoch milliseconds, on the environment's clock. */
  occurredAt: number;
  receivedAt: number;
  properties: EventFact["properties"];
  /** Effects that count come first; empty until it is applied. */
  outcomes: EventOutcome[];
  /**
   * Whether the effects were recorded when it was applied. Otherwise it was replayed with the present definitions, attributes and audience,
   * and its real effects may have differed.
   */
  isRecorded: boolean;
  /** Whether the definitions have changed since it was recorded; outcomes without a record are explained with the present ones. */
  hasNewDefinitions: boolean;
  /** Assumptions and omissions. */
  notes: string[];
}

/** The most of the player's earlier events that are replayed. */
const MAX_EVENTS = 500;
/** The most of each that are explained: missions, streaks, and boards. */
const MAX_ASKED = 60;

/**
 * What an event changed, as recorded when it was applied, and why it did not change the rest, by the rules that folded it, without writing
 * anything. Without a record, everything is replayed. Null: the player has no such event. Throws OperatorError if there are too many.
 */
export async function explainEvent(
  database: Database,
  environment: Environment,
  now: number,
  { externalId, eventId }: { externalId: string; eventId: string },
): Promise<ExplainedEvent | null> {
  const explained = readOnly(database, (tx) => explain(tx, environment, now, externalId, eventId));
  return inTime(explained, "The player has too many events to explain one in time.");
}

async function explain(
  tx: Transaction,
  environment: Environment,
  now: number,
  externalId: string,
  eventId: string,
): Promise<ExplainedEvent | null> {
  const key = playerKey(environment.id, externalId);
  const fact = await loadFact(tx, key, eventId);
  if (fact === null) return null;
  const { waiting, quarantined } = await unappliedOf(tx, key);
  const { occurredAt, receivedAt, properties } = fact;
  const known = { occurredAt, receivedAt, properties, error: quarantined.get(fact.seq) ?? null, outcomes: [], notes: [] };
  const unknown = { isRecorded: false, hasNewDefinitions: false };
  if (waiting.has(fact.seq)) return { ...known, ...unknown, state: "Waiting" };
  if (known.error !== null) return { ...known, ...unknown, state: "Quarantined" };
  const scene = sceneOf(environment, await loadStored(tx, environment.id), await definitionsOf(tx, environment), now);
  return { ...known, state: "Applied", ...(await judge(tx, environment, scene, key, fact)) };
}

async function loadFact(tx: Transaction, key: PlayerKey, id: string): Promise<EventFact | null> {
  const event = await loadEvent(tx, key, id);
  if (event !== null) return { kind: "event", ...event, value: null };
  const metricEvent = await loadLoggedMetricEvent(tx, key, id);
  return metricEvent === null ? null : { kind: "event", ...metricEvent };
}

async function judge(
  tx: Transaction,
  environment: Environment,
  scene: Scene,
  key: PlayerKey,
  fact: EventFact,
): Promise<Pick<ExplainedEvent, "outcomes" | "isRecorded" | "hasNewDefinitions" | "notes">> {
  const { definitions, words } = scene;
  const recorded = await selectEventEffects(tx, environment.id, fact.seq);
  const readers = readersOf(definitions, fact.definitionId, recorded?.moved ?? null);
  const { missions, streaks, boards } = readers;
  const notes = notesOn(readers, recorded?.moved ?? null);
  const basis = {
    isRecorded: recorded !== null,
    hasNewDefinitions: recorded !== null && recorded.definitionsVersion !== environment.definitionsVersion,
  };
  const player = await readPlayer(tx, environment, scene, key, readers);
  if (player === null) return { ...basis, outcomes: [], notes: [...notes, "The player was deleted."] };
  if (player.timeZone !== null) words.zone = player.timeZone;
  const { history, isCut } = await historyOf(tx, key, definitionsReadBy(readers, fact.definitionId), fact);
  const completions = await loadCompletions(tx, key);
  const purged = await purgedBefore(tx, environment.id);
  if (isCut)
    notes.push(`Only the player's latest ${history.length - 1} events before it were played again: the counts shown may be too low.`);
  else if (purged !== null && readers.count > 0 && (recorded === null || recorded.moved.leftOut > 0))
    notes.push(
      `Events received before ${instantInZone(purged, words)} are no longer kept, so they were not replayed: the counts shown may be too low.`,
    );
  const read = (ids: readonly number[]): EventHistory => ({
    player,
    fact,
    isCut,
    facts: history.filter(({ definitionId }) => ids.includes(definitionId)),
  });
  const named = (kind: EventOutcome["kind"], { id, key: name }: { id: number; key: string }, verdict: EventVerdict): EventOutcome => ({
    kind,
    key: name,
    name: words.nameOf(id),
    ...verdict,
  });
  const isUnmoved = recorded !== null && recorded.moved.leftOut === 0;
  const played = [
    ...missions.map((mission) => {
      const own = completions.filter(({ missionId }) => missionId === mission.id);
      return named("missions", mission, explainMission(scene, mission, read(eventsOf(mission)), own));
    }),
    ...streaks.map((streak) => named("streaks", streak, explainStreakEvent(scene, streak, read([fact.definitionId]), isUnmoved))),
    ...boards.map((board) => named("leaderboards", board, explainBoardEvent(scene, board, read([fact.definitionId])))),
  ];
  const outcomes = [
    ...metricOutcome(scene, fact),
    ...(recorded === null
      ? [...played, ...(await effectOutcomes(tx, scene, player, fact))]
      : [...movedOutcomes(scene, recorded.moved, basis.hasNewDefinitions), ...played.map(isUnmoved ? unmoved : replayed)]),
  ];
  return { ...basis, outcomes: outcomes.toSorted((a, b) => Number(b.counts) - Number(a.counts)), notes };
}

function notesOn({ count, leftOut }: Readers, moved: Moved | null): string[] {
  const notes: string[] = [];
  if (count === 0 && moved === null) notes.push("No active mission, streak or leaderboard uses this event.");
  if (leftOut > 0) notes.push(`${leftOut} more missions, streaks and leaderboards use this event; they are not listed here.`);
  if (moved === null) return notes;
  if (moved.leftOut > 0) notes.push(`It made ${plural(moved.leftOut, "more change")}; only the first ones are kept.`);
  if (moved.rollups > 0) notes.push("It counts for conditions over the player's history.");
  return notes;
}

/** The record says that the event changed nothing here; a replay with the present state might. */
function unmoved(outcome: EventOutcome): EventOutcome {
  if (!outcome.counts) return outcome;
  const text = "it did not count when it was processed; with today's definitions, and the player as they are now, it would";
  return { ...outcome, counts: false, lines: [line(false, text)], rewards: [] };
}

/** The record was cut, so what a replay counts may be among the changes that are not kept. */
function replayed(outcome: EventOutcome): EventOutcome {
  return outcome.counts ? { ...outcome, lines: [line(null, "its change is not kept; played again:"), ...outcome.lines] } : outcome;
}

/** A metric takes every one of its events. */
function metricOutcome({ definitions, words }: Scene, { definitionId, value }: EventFact): EventOutcome[] {
  const metric = definitions.metricsById.get(definitionId);
  if (metric === undefined || value === null) return [];
  const lines = [line(true, `adds ${plain(value)} to the player's total`)];
  return [{ kind: "metrics", key: metric.key, name: words.nameOf(definitionId), counts: true, lines, rewards: [] }];
}

/**
 * Boards over effects score the effects of missions and streaks. A score stores the event that last changed it; on team boards that is not
 * the player's own score.
 */
async function effectOutcomes(tx: Transaction, { definitions, words }: Scene, player: Player, { seq, receivedAt }: EventFact) {
  const outcomes: EventOutcome[] = [];
  for (const board of definitions.effectLeaderboards.slice(0, MAX_ASKED)) {
    if (board.teamAttributeId !== null || receivedAt < board.createdAt) continue;
    const scores = [...(await readScoresOf(tx, board, player)).values()];
    const lines = scores.filter(({ reachedSeq }) => reachedSeq === seq).map(({ score }) => line(true, `the score is now ${score}`));
    if (lines.length === 0) continue;
    outcomes.push({ kind: "leaderboards", key: board.key, name: words.nameOf(board.id), counts: true, lines, rewards: [] });
  }
  return outcomes;
}

/** The active missions, streaks and boards that read an event, within bounds; those that it is known to have moved are left out. */
function readersOf(
  { missionsByEvent, streaksByEvent, leaderboardsByEvent }: Scene["definitions"],
  definitionId: number,
  moved: Moved | null,
) {
  const known = new Set(moved === null ? [] : [...moved.missions, ...moved.streaks, ...moved.leaderboards].map(({ id }) => id));
  const isOpen = ({ id }: { id: number }): boolean => !known.has(id);
  const all = [
    (missionsByEvent.get(definitionId) ?? []).filter(isOpen),
    (streaksByEvent.get(definitionId) ?? []).filter(isOpen),
    (leaderboardsByEvent.get(definitionId) ?? []).filter(isOpen),
  ] as const;
  const count = all.reduce((sum, { length }) => sum + length, 0);
  const [missions, streaks, boards] = all;
  const cut = { missions: missions.slice(0, MAX_ASKED), streaks: streaks.slice(0, MAX_ASKED), boards: boards.slice(0, MAX_ASKED) };
  return { ...cut, count, leftOut: count - cut.missions.length - cut.streaks.length - cut.boards.length };
}

type Readers = ReturnType<typeof readersOf>;

const eventsOf = ({ objectives }: Mission): number[] =>
  objectives.flatMap(({ criteria }) => criteria.flatMap(({ source, definitionId }) => (source === "Attribute" ? [] : [definitionId])));

const definitionsReadBy = ({ missions }: Readers, definitionId: number): number[] => [
  ...new Set([definitionId, ...missions.flatMap(eventsOf)]),
];

/** The player with all state that these definitions need. */
async function readPlayer(
  tx: Transaction,
  environment: Environment,
  { definitions, now }: Scene,
  key: PlayerKey,
  { missions, streaks, boards }: Readers,
): Promise<Player | null> {
  const player = await readPlayerToTry(tx, environment.id, { ...definitions, streaks }, key, []);
  const wanted = [...missions, ...boards].flatMap(({ audience: { rule } }) => (rule === null ? [] : inputsIn(rule)));
  if (player === null || wanted.length === 0) return player;
  const inputs = await resolveInputsOfPlayers(tx, definitions, now, [player], wanted);
  return { ...player, inputs: inputs.get(player.playerId) ?? player.inputs };
}

/** The player's events of some definitions up to this one, in the order of facts. */
async function historyOf(tx: Transaction, key: PlayerKey, definitionIds: readonly number[], fact: EventFact) {
  const { facts, isCut } = await recentFacts(tx, key, definitionIds, MAX_EVENTS, fact.seq);
  return { history: [...facts, fact], isCut };
}
