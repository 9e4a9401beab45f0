import { advance } from "../../engine/advance.ts";
import { simulate } from "../../engine/simulate.ts";
import type { Definitions, Mission, Streak } from "../../model/definitions/compiled.ts";
import type { CompletionEffect, Effect } from "../../model/rules/effects.ts";
import type { EventFact, Fact } from "../../model/kernel/facts.ts";
import type { Player } from "../../model/kernel/player.ts";
import { isNumeric } from "../../model/kernel/values.ts";
import { atOnce, type Steps } from "../../model/kernel/steps.ts";
import { standingOffer } from "../../model/missions/advance.ts";
import { actionable, entriesOf, entriesToMake, takesPart } from "../../model/missions/feed.ts";
import { offeredObjectives, turnOf } from "../../model/missions/objectives.ts";
import { stateOf } from "../../model/missions/state.ts";
import type { Audience } from "../../model/rules/audience.ts";
import { type ConditionInput, inputName, inputsIn } from "../../model/rules/condition.ts";
import { isReward, itemsOf, pointsOf, type RewardItem } from "../../model/rules/reward.ts";
import { inputValueIn, rollupOf } from "../../model/segments/rollups.ts";
import { asTried, onlyMission, onlyStreak } from "../simulation/narrowed.ts";
import { withoutMission } from "../simulation/missions.ts";
import { withoutStreak } from "../simulation/streaks.ts";
import type { Entry } from "./shapes.ts";

export interface Outcome {
  isQualified: boolean;
  isEntered: boolean;
  completions: { at: number; points: number; tookMs: number | null }[];
  items: Map<string, number>;
  /**
   * Indexes into the kind's labels (`playableOf`): the objectives that a player who never completed the mission lacks (in order, only the
   * first), the next milestone, each refusal of a real purchase, or the prizes that were won.
   */
  lacks: number[];
}

/**
 * A player with their facts, in order and with positions: those in the window, and the earlier ones that the audience reads. Changes of
 * their balance since the start of the window and their purchases of a listing are loaded if the definition reads them.
 */
export interface Subject {
  player: Player;
  before: readonly EventFact[];
  facts: readonly EventFact[];
  ledger: readonly LedgerEntry[];
  purchases: readonly PurchaseMade[];
}

/** A change of a player's balance, in the order of the ledger. */
export interface LedgerEntry {
  at: number;
  amount: number;
  /** Whether a mission or a streak granted it. */
  isEarned: boolean;
  /** The purchase that it pays or refunds. */
  purchaseId: string | null;
}

/** A purchase of the listing, also from before the window. */
export interface PurchaseMade {
  id: string;
  round: string;
  at: number;
  isReversed: boolean;
}

/** A definition, ready to be played for one player after the other. */
export interface Playable {
  /** The events and metrics that it reads in the window, and those whose earlier history its audience reads. */
  reads: readonly number[];
  asks: readonly number[];
  /** Inputs that are not replayed; their present values are used. */
  asOfToday: readonly ConditionInput[];
  /** Whether it reads the ledger, and the listing whose purchases it reads. */
  readsLedger?: boolean;
  readsPurchasesOf?: number;
  play(subject: Subject): Outcome;
  /** Completes the returned outcomes once all players were played, for definitions whose outcomes depend on each other. */
  close?(): Steps<void>;
  /** Of a board: its periods in the window. */
  periods?: number;
}

export interface Window {
  from: number;
  to: number;
  entry: Entry;
}

/**
 * Positions of facts are even, which leaves positions for a read before a fact, and half a step before that for a mission that continues.
 */
export const positionOf = (index: number): number => 2 * index + 2;

/** A mission that completes at entry could be entered over and over. */
const MAX_READS = 100;

/**
 * A mission that is open for the whole window. Each player meets it according to `entry`, reads it again before each event that it or its
 * audience counts, and accepts every offer.
 */
export function playableMission(definitions: Definitions, given: Mission, { from, entry }: Window): Playable {
  const mission = { ...asTried(given, from), window: { startsAt: null, endsAt: null } };
  const audience = audienceInTime(definitions, mission.audience);
  const only = { ...onlyMission(definitions, mission), rollupsByEvent: audience.rollupsByEvent };
  const read = (player: Player, seq: number, receivedAt: number): Fact[] => {
    const entries = entriesToMake(actionable(entriesOf(player, only, [mission], receivedAt), null), seq, receivedAt);
    if (entries.length > 0) return entries;
    const offer = standingOffer(mission, stateOf(player, mission), receivedAt);
    return offer === undefined ? [] : [{ kind: "accept", seq, receivedAt, missionId: mission.id }];
  };
  return {
    reads: [...new Set([...only.missionsByEvent.keys(), ...audience.asks])],
    asks: audience.asks,
    asOfToday: audience.asOfToday,
    play({ player: today, before, facts }) {
      let player = audience.begin(withoutMission(today, mission), before);
      const effects: Effect[] = [];
      let isQualified = false;
      let isEntered = false;
      const fold = (fact: Fact) => {
        const advanced = advance(player, only, [fact]);
        player = advanced.player;
        effects.push(...advanced.effects);
      };
      const meet = (seq: number, at: number) => {
        // Entries do not change the history that the audience reads.
        player = audience.at(player, at);
        for (let round = 0; round < MAX_READS; round++) {
          isQualified ||= takesPart(player, mission);
          const decided = read(player, seq, at);
          if (decided.length === 0) return;
          isEntered = true;
          decided.forEach(fold);
        }
      };
      let hasBegun = entry === "WindowStart";
      if (hasBegun) meet(1, from);
      for (const fact of facts) {
        hasBegun ||= only.missionsByEvent.has(fact.definitionId);
        if (hasBegun) meet(fact.seq - 1, fact.receivedAt);
        fold(fact);
      }
      return { isQualified, isEntered, ...outcomeOf(effects), lacks: effects.some(isCompletion) ? [] : lacking(mission, player) };
    },
  };
}

/** A streak that begins with the window, without earlier runs. Its milestones count as completions. */
export function playableStreak(definitions: Definitions, given: Streak, { from, to }: Window): Playable {
  const streak = asTried(given, from);
  const only = onlyStreak(definitions, streak);
  return {
    reads: [streak.criterion.definitionId],
    asks: [],
    asOfToday: [],
    play({ player, facts }) {
      const steps = simulate(withoutStreak(player, streak), only, facts, undefined, to);
      const effects = steps.flatMap((step) => step.effects);
      const reached = new Set(effects.flatMap((effect) => (effect.kind === "milestone" ? [effect.milestone] : [])));
      const isEntered = (steps.at(-1)?.after.streaks.get(streak.id)?.runs.length ?? 0) > 0;
      const next = streak.milestones.findIndex(({ length }) => !reached.has(length));
      return { isQualified: true, isEntered, ...outcomeOf(effects), lacks: isEntered && next >= 0 ? [next] : [] };
    },
  };
}

const isCompletion = (effect: Effect): effect is CompletionEffect => effect.kind === "completion";

/** Completions with the points that were granted with them, and all items. */
function outcomeOf(effects: readonly Effect[]): Pick<Outcome, "completions" | "items"> {
  const completions: Outcome["completions"] = [];
  const items = new Map<string, number>();
  for (const effect of effects) {
    if (effect.kind === "completion") {
      completions.push({ at: effect.completedAt, points: 0, tookMs: Math.max(0, effect.completedAt - effect.acceptedAt) });
    } else if (effect.kind === "milestone") {
      completions.push({ at: effect.reachedAt, points: 0, tookMs: null });
    } else if (isReward(effect)) {
      completions.at(-1)!.points += pointsOf([effect]);
    }
  }
  addItems(items, itemsOf(effects));
  return { completions, items };
}

/** Adds up the quantities of items: the value if it is numeric, otherwise 1. */
export function addItems(items: Outcome["items"], handed: readonly RewardItem[]): void {
  for (const { catalogItemKey: key, value } of handed) items.set(key, (items.get(key) ?? 0) + (isNumeric(value) ? Number(value) : 1));
}

/** The objectives that the last occurrence lacks; of objectives in order, only the next one. */
function lacking(mission: Mission, player: Player): number[] {
  const occurrence = stateOf(player, mission).live.at(-1);
  if (occurrence === undefined) return [];
  const states = occurrence.accepted === null ? offeredObjectives(mission) : occurrence.objectives;
  const turn = turnOf(mission, states);
  if (turn !== null && turn >= 0) return [turn];
  return states.flatMap(({ isSatisfied }, index) => (isSatisfied ? [] : [index]));
}

/** An audience whose conditions over history are evaluated as of each instant; its other inputs are those of today. */
export function audienceInTime({ timeZone }: Definitions, { rule }: Audience) {
  const wanted = rule === null ? [] : inputsIn(rule);
  const history = wanted.filter((input) => "rollup" in input).map((input) => ({ ...input, name: inputName(input) }));
  const rollups = [...new Map(history.map(({ rollup }) => [rollup.id, rollup])).values()];
  const rollupsByEvent = Map.groupBy(rollups, ({ eventId }) => eventId);
  const zoneOf = (player: Player) => player.timeZone ?? timeZone;
  return {
    rollupsByEvent,
    asks: [...rollupsByEvent.keys()],
    asOfToday: wanted.filter((input) => !("rollup" in input)),
    /** The player as the window begins, after the facts before it. */
    begin: (player: Player, before: readonly EventFact[]): Player =>
      rollups.length === 0
        ? player
        : { ...player, rollups: new Map(rollups.map((rollup) => [rollup.id, atOnce(rollupOf(rollup, before, zoneOf(player)))])) },
    at(player: Player, instant: number): Player {
      if (history.length === 0) return player;
      const inputs = new Map(player.inputs);
      for (const input of history)
        inputs.set(input.name, inputValueIn(input, player.rollups.get(input.rollup.id) ?? new Map(), instant, zoneOf(player)));
      return { ...player, inputs };
    },
  };
}

/** A fact, or a change of the balance. */
interface Happened {
  at: number;
  fact?: EventFact;
  entry?: LedgerEntry;
}

/** Facts and changes of the balance in the order of time. */
export const inTime = ({ facts, ledger }: Subject): Happened[] =>
  [...facts.map((fact) => ({ at: fact.receivedAt, fact })), ...ledger.map((entry) => ({ at: entry.at, entry }))].sort(
    (a, b) => a.at - b.at,
  );
