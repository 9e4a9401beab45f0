import type { Definitions, Mission } from "../definitions/compiled.ts";
import { instantInZone, type Words, type WordsWithObjectives } from "../definitions/words.ts";
import { CALENDAR } from "../kernel/calendar.ts";
import type { AttributeFact, EventFact } from "../kernel/facts.ts";
import type { MissionState, Occurrence, Player, CounterValue } from "../kernel/player.ts";
import { filterReason } from "../rules/filter.ts";
import { advanceCounter, measureReason } from "../rules/measure.ts";
import { concerns, type EventCriterion } from "../rules/measured.ts";
import type { Criterion } from "../rules/objective.ts";
import { exclusionOf, takesAttribute, type Exclusion } from "./advance.ts";
import { newValueCheck } from "./distinct.ts";
import { takesPart } from "./feed.ts";
import { type IsNewValue, hasTurn, readAttribute, turnOf } from "./objectives.ts";
import { isShown, isWindowOpen, openingAt, reachedBy } from "./occurrences.ts";
import { stateOf } from "./state.ts";

/** Whether a fact counts for an objective of an occurrence, and if not why. */
export interface Verdict {
  /** The index of the objective. */
  objective: number;
  /** Null: the fact counts. */
  reason: string | null;
}

/**
 * Why an event counts or does not, objective by objective, for those that name it. Asked of the player before the event; the
 * verdicts come from the functions that `onEvent` uses.
 */
export function explainObjectives(
  player: Player,
  mission: Mission,
  occurrence: Occurrence,
  fact: EventFact,
  words: WordsWithObjectives,
  projectZone: string,
): Verdict[] {
  const exclusion = exclusionOf(mission, reachedBy(occurrence, fact), fact);
  const turn = turnOf(mission, occurrence.objectives);
  const zone = player.timeZone ?? projectZone;
  // On a copy: an explanation must not mark values as seen.
  const isNewValue = newValueCheck({ seen: new Set(player.seen), effects: [] }, player, mission, occurrence, fact, zone);
  const verdicts: Verdict[] = [];
  let first = 0;
  for (const [index, objective] of mission.objectives.entries()) {
    const firstIndex = first;
    first += objective.criteria.length;
    const named = objective.criteria.flatMap((criterion, at) => (isAbout(criterion, fact) ? [{ criterion, at }] : []));
    if (named.length === 0) continue;
    const state = occurrence.objectives[index];
    if (exclusion !== null || state === undefined) {
      verdicts.push({ objective: index, reason: exclusionText(mission, occurrence, exclusion ?? "not accepted", words) });
    } else if (!hasTurn(objective, index, turn)) {
      verdicts.push({
        objective: index,
        reason: state.isSatisfied ? "in order: this objective is done" : `in order: ${waitText(mission, turn ?? 0, words)}`,
      });
    } else {
      const reasons = named.map(({ criterion, at }) =>
        reasonOf(criterion, state.counters[at]!, fact, (own) => isNewValue(firstIndex + own), at, words, zone),
      );
      verdicts.push({ objective: index, reason: reasons.includes(null) ? null : [...new Set(reasons)].join("; ") });
    }
  }
  return verdicts;
}

const isAbout = (criterion: Criterion, fact: EventFact): criterion is EventCriterion =>
  criterion.source !== "Attribute" && criterion.definitionId === fact.definitionId;

/** "it waits for “Tier is gold”" */
export const waitText = ({ id }: Mission, turn: number, words: WordsWithObjectives): string =>
  `it waits for “${words.objectivesOf(id)[turn]!}”`;

function exclusionText(mission: Mission, { accepted, period }: Occurrence, exclusion: Exclusion, words: Words): string {
  switch (exclusion) {
    case "not accepted":
      return "the player has not opted in";
    case "before the entry":
      return `received before the player's entry${accepted === null ? "" : ` (${instantInZone(accepted.at, words)})`}`;
    case "before the window":
      return `happened before the mission opens (${instantInZone(mission.window.startsAt ?? 0, words)})`;
    case "other period":
      return period === null
        ? "other period"
        : `other period: this one is from ${instantInZone(period.startsAt, words)} to ${instantInZone(period.endsAt, words)}`;
    case "too late":
      return "received more than a day after the period ended";
  }
}

/** The reason why an event does not move a counter; null if it does. */
function reasonOf(
  criterion: EventCriterion,
  counter: CounterValue,
  fact: EventFact,
  isNewValue: IsNewValue,
  at: number,
  words: Words,
  zone: string,
): string | null {
  const isRead: boolean = concerns(criterion, fact, zone);
  if (!isRead) return filterReason(criterion.where, fact, zone, words.zone);
  const next = advanceCounter(counter, criterion, fact, () => isNewValue(at));
  return next === counter ? measureReason(criterion, counter, fact, words.zone) : null;
}

/** As `explainObjectives`, for an attribute that changes. */
export function explainAttribute(mission: Mission, occurrence: Occurrence, fact: AttributeFact): Verdict[] {
  const reads = (one: Criterion): boolean => one.source === "Attribute" && one.definitionId === fact.attributeId;
  const named = mission.objectives.flatMap(({ criteria }, objective) => (criteria.some(reads) ? [objective] : []));
  if (named.length === 0) return [];
  const isTaken = takesAttribute(occurrence, fact) && readAttribute(mission, occurrence.objectives, fact) !== occurrence.objectives;
  const reason = occurrence.accepted === null ? "the player has not opted in" : "the occurrence's period is over";
  return named.map((objective) => ({ objective, reason: isTaken ? null : reason }));
}

/** Why a mission read would not enter the player now; null if they are in the mission, or would be. */
export function explainOpening(
  player: Player,
  mission: Mission,
  now: number,
  words: Words,
  definitions: Pick<Definitions, "timeZone">,
): string | null {
  const state = stateOf(player, mission);
  const isFinished = player.completedMissions.has(mission.id);
  if (state.live.some((occurrence) => isShown(mission, occurrence, now))) return null;
  if (openingAt(mission, state, isFinished, now, player.timeZone ?? definitions.timeZone) === null) {
    return closedText(mission, state, isFinished, now, words);
  }
  return takesPart(player, mission) ? null : "the player is not in the audience";
}

function closedText(mission: Mission, { live, last }: MissionState, isFinished: boolean, now: number, words: Words): string {
  const { recurrence, window } = mission;
  if (!mission.active) return "the mission is switched off";
  if (!isWindowOpen(mission, now)) {
    return window.startsAt !== null && now < window.startsAt
      ? `the mission opens at ${instantInZone(window.startsAt, words)}`
      : `the mission closed at ${instantInZone(window.endsAt ?? now, words)}`;
  }
  switch (recurrence.kind) {
    case "None":
      return isFinished ? "already completed, and it does not repeat" : "the player is in it already";
    case "Calendar": {
      const { current } = CALENDAR[recurrence.every];
      const isAhead = live.some(({ period }) => period !== null && now < period.startsAt);
      if (last?.completedAt === null && !isAhead) return `${current} has already ended in the previous time zone`;
      return `already completed ${current}`;
    }
    case "AfterCompletion": {
      const again = last?.completedAt == null ? null : last.completedAt + recurrence.cooldownMs;
      if (again !== null && now < again) return `it opens again at ${instantInZone(again, words)}`;
      return "already completed as often as it repeats";
    }
  }
}
