import type { Numeric } from "./decimal.ts";
import type { Properties, Scalar } from "./values.ts";

interface FactBase {
  /** Place in the one order of facts. */
  seq: number;
  /** When the service received it, on the environment's clock: the instant as of which it is judged. */
  receivedAt: number;
  /** Endpoints are not notified of its effects, as an import requested. */
  isQuiet?: boolean;
  /** Whether the tail keeps its item, and with it the moves. */
  isRecorded?: boolean;
}

/** Something that happened: an event, or one that adds to a metric. */
export interface EventFact extends FactBase {
  kind: "event";
  id: string;
  /** The event's definition, or the metric's. */
  definitionId: number;
  occurredAt: number;
  properties: Properties;
  /** The amount added to the metric, in the base currency for money; null for an event. */
  value: Numeric | null;
}

/** The player was shown a mission, or its next period begins by itself: an automatic one starts, a manual one is offered. */
export interface EntryFact extends FactBase {
  kind: "entry";
  missionId: number;
  /** For an automatic entry, an instant of the calendar period that it opens; left out: that of the receipt. */
  opens?: number;
}

/** The player accepted a manual mission. */
export interface AcceptFact extends FactBase {
  kind: "accept";
  missionId: number;
}

/** A person grants the player a mission, or one objective of it: the open occurrence is completed, or continues with that objective met. */
export interface AwardFact extends FactBase {
  kind: "award";
  missionId: number;
  /** Id of the objective; null: all of them. */
  objectiveId: string | null;
}

/** An attribute of the player now has another value. */
export interface AttributeFact extends FactBase {
  kind: "attribute";
  attributeId: number;
  value: Scalar;
  /** The instant since which it holds, as given by the caller. */
  occurredAt: number;
}

/** A period of a streak has begun that already had counts; from now on it is part of runs. */
export interface StreakPeriodFact extends FactBase {
  kind: "streakPeriod";
  streakId: number;
  /** Local start of the period. */
  start: string;
}

/** A fact as the queue holds it. */
export type WaitingFact = EventFact | StreakPeriodFact;

/** Everything that can change a player. A new kind is a compile error wherever facts are handled. */
export type Fact = WaitingFact | EntryFact | AcceptFact | AwardFact | AttributeFact;

export const isEvent = (fact: Fact): fact is EventFact => fact.kind === "event";

const MAX_AHEAD = 24 * 60 * 60 * 1000;

/**
 * Whether an instant is more than 24 hours ahead of the environment's clock. A device's clock may be wrong, but one wrong year must not
 * pin a latest value, a best score or a streak for ever.
 */
export const isTooFarAhead = (occurredAt: number, now: number): boolean => occurredAt - now > MAX_AHEAD;

export const TOO_FAR_AHEAD = "is more than 24 hours ahead of the clock; send when it happened.";
