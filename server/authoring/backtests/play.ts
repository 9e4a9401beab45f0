import { advance } from "../../engine/advance.ts";
import { simulate } from "../../engine/simulate.ts";
import type { Definitions, Mission, Streak } from "../../model/definitions/compiled.ts";
import type { CompletionEffect, Effect } from "../../model/kernel/effects.ts";
import type { EventFact, Fact } from "../../model/kernel/facts.ts";
import type { Player } from "../../model/kernel/player.ts";
import type { Scalar } from "../../model/kernel/values.ts";
import { isNumeric } from "../../model/kernel/values.ts";
import { standingOffer } from "../../model/missions/advance.ts";
import { actionable, entriesOf, entriesToMake, takesPart } from "../../model/missions/feed.ts";
import { offeredObjectives, turnOf } from "../../model/missions/objectives.ts";
import { type ConditionInput, type HistoryInput, inputName, inputsIn, type Rollup } from "../../model/rules/condition.ts";
import { inputValueIn, rollupOf } from "../../model/segments/rollups.ts";
import { asTried, onlyMission, onlyStreak } from "../simulation/narrowed.ts";
import { stateOf, withoutMission } from "../simulation/missions.ts";
import { withoutStreak } from "../simulation/streaks.ts";
import type { Entry } from "./shapes.ts";

/** What a definition would have done to one player. */
export interface Outcome {
  isQualified: boolean;
  isEntered: boolean;
  completions: { at: number; points: number; tookMs: number | null }[];
  items: Map<string, number>;
  /** The objectives (or milestones) that a player who never completed it lacks, by index; in order, the first one alone. */
  lacks: number[];
}

/** A player with their facts: those in the window, and those before it that the audience asks for. All are in order, with their positions. */
export interface Subject {
  player: Player;
  before: readonly EventFact[];
  facts: readonly EventFact[];
}

/** Plays one definition for one player after the other. */
export interface Playable {
  /** The events and metrics that it reads in the window, and those whose history before the window its audience asks for. */
  reads: readonly number[];
  asks: readonly number[];
  /** Inputs that are not played, but taken as they are today. */
  asOfToday: readonly ConditionInput[];
  play(subject: Subject): Outcome;
}

export interface Window {
  from: number;
  to: number;
  entry: Entry;
}

/** Positions of facts are even, so that a read before a fact has one of its own, and a mission that goes on half a step before it. */
export const positionOf = (index: number): number => 2 * index + 2;

/** A mission that completes at entry could be entered over and over. */
const MAX_READS = 100;

/**
 * A mission, open for the whole window, that every player meets as `entry` says and reads again before each of their events; every offer
 * is accepted.
 */
export function playableMission(definitions: Definitions, given: Mission, { from, entry }: Window): Playable {
  const mission = { ...asTried(given, from), window: { startsAt: null, endsAt: null } };
  const wanted = mission.audience.rule === null ? [] : inputsIn(mission.audience.rule);
  const history = wanted.filter((input) => "rollup" in input);
  const rollups = [...new Map(history.map(({ rollup }) => [rollup.id, rollup])).values()];
  const only = { ...onlyMission(definitions, mission), rollupsByEvent: Map.groupBy(rollups, ({ eventId }) => eventId) };
  const asks = [...only.rollupsByEvent.keys()];
  const read = (player: Player, seq: number, receivedAt: number): Fact[] => {
    const entries = entriesToMake(actionable(entriesOf(player, only, [mission], receivedAt), null), seq, receivedAt);
    if (entries.length > 0) return entries;
    const offer = standingOffer(mission, stateOf(player, mission), receivedAt);
    return offer === undefined ? [] : [{ kind: "accept", seq, receivedAt, missionId: mission.id }];
  };
  return {
    reads: [...new Set([...only.missionsByEvent.keys(), ...asks])],
    asks,
    asOfToday: wanted.filter((input) => !("rollup" in input)),
    play({ player: today, before, facts }) {
      const zone = today.timeZone ?? definitions.timeZone;
      const start = withoutMission(today, mission);
      let player: Player = rollups.length === 0 ? start : { ...start, rollups: rollupsAfter(rollups, before, zone) };
      const effects: Effect[] = [];
      let isQualified = false;
      let isEntered = false;
      const fold = (fact: Fact) => {
        const advanced = advance(player, only, [fact]);
        player = advanced.player;
        effects.push(...advanced.effects);
      };
      const meet = (seq: number, at: number) => {
        for (let round = 0; round < MAX_READS; round++) {
          if (history.length > 0) player = { ...player, inputs: inputsAt(player, history, at, zone) };
          isQualified ||= takesPart(player, mission);
          const decided = read(player, seq, at);
          if (decided.length === 0) return;
          isEntered = true;
          decided.forEach(fold);
        }
      };
      if (entry === "WindowStart") meet(1, from);
      for (const fact of facts) {
        meet(fact.seq - 1, fact.receivedAt);
        fold(fact);
      }
      return { isQualified, isEntered, ...outcomeOf(effects), lacks: effects.some(isCompletion) ? [] : lacking(mission, player) };
    },
  };
}

/** A streak as if it had begun with the window: earlier runs are left out. Its milestones are its completions. */
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
    } else if (effect.kind === "grant") {
      completions.at(-1)!.points += effect.points;
    } else if (effect.kind === "owedItem") {
      items.set(effect.catalogItemKey, (items.get(effect.catalogItemKey) ?? 0) + quantityOf(effect.value));
    }
  }
  return { completions, items };
}

/** An item whose value is a number is so many of it. */
const quantityOf = (value: Scalar | readonly Scalar[]): number => (isNumeric(value) ? Number(value) : 1);

/** The objectives that the last occurrence lacks; in order, the one whose turn it is. */
function lacking(mission: Mission, player: Player): number[] {
  const occurrence = stateOf(player, mission).live.at(-1);
  if (occurrence === undefined) return [];
  const states = occurrence.accepted === null ? offeredObjectives(mission) : occurrence.objectives;
  const turn = turnOf(mission, states);
  if (turn !== null && turn >= 0) return [turn];
  return states.flatMap(({ isSatisfied }, index) => (isSatisfied ? [] : [index]));
}

const rollupsAfter = (rollups: readonly Rollup[], facts: readonly EventFact[], zone: string): Player["rollups"] =>
  new Map(rollups.map((rollup) => [rollup.id, rollupOf(rollup, facts, zone)]));

/** The audience's inputs at an instant; those of today stay. */
function inputsAt({ inputs, rollups }: Player, history: readonly HistoryInput[], at: number, zone: string): Player["inputs"] {
  const next = new Map(inputs);
  for (const input of history) next.set(inputName(input), inputValueIn(input, rollups.get(input.rollup.id) ?? new Map(), at, zone));
  return next;
}
