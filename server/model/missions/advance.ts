import type { Definitions, Mission } from "../definitions/compiled.ts";
import type { Effect } from "../rules/effects.ts";
import type { AcceptFact, AttributeFact, AwardFact, EntryFact, EventFact } from "../kernel/facts.ts";
import type { MissionState, Occurrence, Player } from "../kernel/player.ts";
import { completionEffects } from "./completion.ts";
import { newValueCheck } from "./distinct.ts";
import { countEvent, initialObjectives, isComplete, meetObjective, readAttribute } from "./objectives.ts";
import { isClosed, isShown, occurrenceKey, type Opening, openingAt, seqOfAutomaticEntry, reachedBy, upTo } from "./occurrences.ts";
import { stateOf } from "./state.ts";

/** The state that a fold carries from fact to fact besides the player: the values seen so far, and the effects. */
export interface Fold {
  definitions: Definitions;
  seen: Set<string>;
  effects: Effect[];
}

/** Counts an event for every occurrence it belongs to. Returns the same state if nothing changes. */
export function onEvent(fold: Fold, player: Player, mission: Mission, state: MissionState, fact: EventFact): MissionState {
  const zone = player.timeZone ?? fold.definitions.timeZone;
  let next = state;
  for (const occurrence of state.live) {
    const reached = reachedBy(occurrence, fact);
    if (!belongsTo(mission, reached, fact)) continue;
    const isNewValue = newValueCheck(fold, player, mission, reached, fact, zone);
    const objectives = countEvent(mission, reached.objectives, fact, isNewValue, zone);
    if (objectives === reached.objectives) continue;
    const { number, startedAt, accepted, period } = reached;
    next = settle(
      fold,
      player,
      mission,
      next,
      occurrence,
      { number, startedAt, accepted, period, objectives },
      notBeforeStart(fact, reached),
    );
  }
  return next === state ? state : withoutClosed(next, fact.receivedAt);
}

/**
 * Evaluates the objectives over an attribute after a change of it. In a period that has ended, only changes from before its end count.
 */
export function onAttribute(fold: Fold, player: Player, mission: Mission, state: MissionState, fact: AttributeFact): MissionState {
  let next = state;
  for (const occurrence of state.live) {
    if (!takesAttribute(occurrence, fact)) continue;
    const objectives = readAttribute(mission, occurrence.objectives, fact);
    if (objectives === occurrence.objectives) continue;
    next = settle(fold, player, mission, next, occurrence, { ...occurrence, objectives }, notBeforeStart(fact, occurrence));
  }
  return next === state ? state : withoutClosed(next, fact.receivedAt);
}

/** Whether attribute changes still affect an accepted occurrence. */
export function takesAttribute(occurrence: Occurrence, fact: AttributeFact): boolean {
  const { accepted, period } = occurrence;
  const isOver = period !== null && Math.min(fact.receivedAt, fact.occurredAt) >= period.endsAt;
  return accepted !== null && !isOver && !isClosed(occurrence, fact.receivedAt);
}

/**
 * The receipt of a fact, but not before the occurrence's start: a fact received earlier may be applied after it, since the order of facts
 * follows the end of requests.
 */
const notBeforeStart = ({ receivedAt }: EventFact | AttributeFact, { accepted }: Occurrence): number =>
  Math.max(receivedAt, accepted?.at ?? 0);

/** Starts the open occurrence, or offers it if the mission is manual. */
export function onEntry(fold: Fold, player: Player, mission: Mission, state: MissionState, fact: EntryFact): MissionState {
  const zone = player.timeZone ?? fold.definitions.timeZone;
  const opening = openingAt(mission, state, player.completedMissions.has(mission.id), fact.receivedAt, zone, fact.opens);
  if (opening === null) return state;
  const { offer, offered } = opened(mission, state, opening, fact.receivedAt);
  if (mission.optIn === "Manual") return offered;
  const continues = mission.recurrence.kind === "Calendar" && state.last !== null;
  return start(fold, player, mission, offered, offer, continues ? { ...fact, seq: seqOfAutomaticEntry(fact.seq) } : fact);
}

function opened(mission: Mission, state: MissionState, opening: Opening, at: number): { offer: Occurrence; offered: MissionState } {
  const offer: Occurrence = { ...opening, startedAt: at, accepted: null, objectives: [] };
  const last = { number: opening.number, periodStart: opening.period?.start ?? null, completedAt: null };
  const live = [...state.live.map((one) => upTo(one, opening.period)), offer];
  return { offer, offered: withoutClosed({ live, last: mission.recurrence.kind === "None" ? null : last }, at) };
}

/** Accepts the open offer; without one the state is unchanged. */
export function onAccept(fold: Fold, player: Player, mission: Mission, state: MissionState, fact: AcceptFact): MissionState {
  const offer = standingOffer(mission, state, fact.receivedAt);
  return offer === undefined ? state : start(fold, player, mission, state, offer, fact);
}

/** The open offer of a manual mission at `now`. */
export const standingOffer = (mission: Mission, state: MissionState, now: number): Occurrence | undefined =>
  state.live.findLast((occurrence) => occurrence.accepted === null && isShown(mission, occurrence, now));

/** The state of a mission for a player, as an accept sees it. */
export function acceptState(player: Player, mission: Mission, now: number): "never offered" | "offered" | "closed" | "in it" {
  const state = stateOf(player, mission);
  if (standingOffer(mission, state, now) !== undefined) return "offered";
  const latest = state.live.at(-1);
  if (latest !== undefined) return latest.accepted === null ? "closed" : "in it";
  if (player.completedMissions.has(mission.id)) return "in it";
  if (state.last === null) return "never offered";
  return state.last.completedAt !== null || mission.optIn === "Automatic" ? "in it" : "closed";
}

/** Whether a mission can be granted at `now`: the player is in it, was offered it, or could be entered regardless of the audience. */
export function canAward(mission: Mission, state: MissionState, isFinished: boolean, now: number, zone: string): boolean {
  const isOpen = state.live.some((occurrence) => isShown(mission, occurrence, now));
  return isOpen || openingAt(mission, state, isFinished, now, zone) !== null;
}

/** Whether the player has met an objective of the occurrence that is open at `now`. */
export const hasMet = (mission: Mission, state: MissionState, objective: number, now: number): boolean =>
  state.live.findLast((occurrence) => isShown(mission, occurrence, now))?.objectives[objective]?.isSatisfied === true;

/**
 * Meets one objective of the open occurrence, or all, regardless of audience and progress, and enters the player if necessary. A completion
 * has its usual effects: rewards, webhooks, scores. The state is unchanged if the mission cannot be granted, or has no such objective.
 */
export function onAward(fold: Fold, player: Player, mission: Mission, state: MissionState, fact: AwardFact): MissionState {
  const { receivedAt: at, seq, objectiveId } = fact;
  const zone = player.timeZone ?? fold.definitions.timeZone;
  const index = mission.objectives.findIndex(({ id }) => id === objectiveId);
  const live = state.live.findLast((occurrence) => isShown(mission, occurrence, at));
  const opening = live === undefined ? openingAt(mission, state, player.completedMissions.has(mission.id), at, zone) : null;
  if ((live === undefined && opening === null) || (objectiveId !== null && index === -1)) return state;
  const { offer, offered } = live === undefined ? opened(mission, state, opening!, at) : { offer: live, offered: state };
  const begun = offer.accepted === null ? initialObjectives(mission, player.attributes) : offer.objectives;
  const objectives =
    objectiveId === null ? begun.map((objective) => ({ ...objective, isSatisfied: true })) : meetObjective(mission, begun, index);
  const accepted = offer.accepted ?? { seq, at };
  return settle(fold, player, mission, offered, offer, { ...offer, accepted, objectives }, Math.max(at, accepted.at));
}

function start(
  fold: Fold,
  player: Player,
  mission: Mission,
  state: MissionState,
  offer: Occurrence,
  fact: EntryFact | AcceptFact,
): MissionState {
  const objectives = initialObjectives(mission, player.attributes);
  const accepted = { ...offer, accepted: { seq: fact.seq, at: fact.receivedAt }, objectives };
  return settle(fold, player, mission, state, offer, accepted, fact.receivedAt);
}

/** The reason why an event does not count for an occurrence. */
export type Exclusion = "not accepted" | "before the entry" | "before the window" | "other period" | "too late";

/**
 * Why an event does not count for an occurrence; null if it does: it comes after the accept in the order of facts, lies in the window and
 * in the occurrence's period, and is not too late for it.
 */
export function exclusionOf(mission: Mission, occurrence: Occurrence, fact: EventFact): Exclusion | null {
  const { accepted, period } = occurrence;
  if (accepted === null) return "not accepted";
  if (fact.seq <= accepted.seq) return "before the entry";
  if (mission.window.startsAt !== null && fact.occurredAt < mission.window.startsAt) return "before the window";
  if (period !== null && (fact.occurredAt < period.startsAt || fact.occurredAt >= period.endsAt)) return "other period";
  return isClosed(occurrence, fact.receivedAt) ? "too late" : null;
}

export const belongsTo = (mission: Mission, occurrence: Occurrence, fact: EventFact): boolean =>
  exclusionOf(mission, occurrence, fact) === null;

/** Replaces an occurrence. A complete one is removed from the live ones, and its effects are added. */
function settle(
  fold: Fold,
  player: Player,
  mission: Mission,
  state: MissionState,
  before: Occurrence,
  occurrence: Occurrence,
  at: number,
): MissionState {
  if (!isComplete(occurrence.objectives)) {
    const { live, last } = state;
    return { live: live.length === 1 ? [occurrence] : live.map((one) => (one === before ? occurrence : one)), last };
  }
  fold.effects.push(...completionEffects(player, mission, occurrence, at));
  const isLast = state.last !== null && (state.last.periodStart ?? state.last.number) === occurrenceKey(occurrence);
  return {
    live: state.live.filter((one) => one !== before),
    last: state.last !== null && isLast ? { ...state.last, completedAt: at } : state.last,
  };
}

function withoutClosed(state: MissionState, now: number): MissionState {
  for (const one of state.live) if (isClosed(one, now)) return { ...state, live: state.live.filter((other) => !isClosed(other, now)) };
  return state;
}
