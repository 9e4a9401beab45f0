import type { Mission } from "../../model/definitions/compiled.ts";
import { instantInZone } from "../../model/definitions/words.ts";
import { type Decide, simulate, type SimulatedStep } from "../../engine/simulate.ts";
import type { CompletionEffect } from "../../model/rules/effects.ts";
import type { EntryFact, Fact } from "../../model/kernel/facts.ts";
import type { ObjectiveState, Occurrence, Player } from "../../model/kernel/player.ts";
import { standingOffer } from "../../model/missions/advance.ts";
import { explainAttribute, explainObjectives, explainOpening, type Verdict, waitText } from "../../model/missions/explain.ts";
import { isShown, occurrenceKey } from "../../model/missions/occurrences.ts";
import { actionable, entriesOf, entriesToMake } from "../../model/missions/feed.ts";
import { hasTurn, initialObjectives, offeredObjectives, turnOf } from "../../model/missions/objectives.ts";
import { progressOf } from "../../model/missions/progress.ts";
import { decodeObjectives, stateOf } from "../../model/missions/state.ts";
import { counterText } from "../../model/rules/operator.ts";
import type { TrialLine, TrialStep, TrialSummary } from "./shapes.ts";
import type { Happening } from "./invented.ts";
import { occurrenceName, factStep, line, ownStep, type Scene } from "./steps.ts";
import { rewardTexts, totalRewards } from "../../model/rules/reward.ts";

export interface MissionTrial {
  player: Player;
  mission: Mission;
  facts: readonly Happening[];
  /** From this instant on, missions are read before each fact, and at the end. Null: never; the player keeps their present occurrences. */
  readsFrom: number | null;
}

export interface PreviewResult {
  steps: TrialStep[];
  summary: TrialSummary;
  rewards: string[];
}

/** The player before all events of their active occurrences: as of the entry, as far as the attributes still show it. */
export function beforeEvents(player: Player, mission: Mission): Player {
  const state = stateOf(player, mission);
  const live = state.live.map((one) =>
    one.accepted === null ? one : { ...one, objectives: initialObjectives(mission, player.attributes) },
  );
  const partition = new Map(player.missions.get(mission.partitionId)).set(mission.id, { ...state, live });
  return { ...player, seen: new Set(), missions: new Map(player.missions).set(mission.partitionId, partition) };
}

/** The player as if they had never met the mission. */
export function withoutMission(player: Player, mission: Mission): Player {
  const partition = new Map(player.missions.get(mission.partitionId));
  partition.delete(mission.id);
  const completedMissions = new Set(player.completedMissions);
  completedMissions.delete(mission.id);
  return { ...player, seen: new Set(), completedMissions, missions: new Map(player.missions).set(mission.partitionId, partition) };
}

/** Whether the player has an occurrence at `now`. One whose period has ended stays live for late events. */
export const isInMission = (player: Player, mission: Mission, now: number): boolean =>
  stateOf(player, mission).live.some(({ period }) => period === null || now < period.endsAt);

/** Whether a player is in no mission and has completed none, so that their missions have probably never been read. */
export const isInNoMission = ({ missions, completedMissions }: Player): boolean =>
  completedMissions.size === 0 && [...missions.values()].every((partition) => partition.size === 0);

/** The effect of a mission on a player with these facts. */
export function tryMission(scene: Scene, { player, mission, facts, readsFrom }: MissionTrial): PreviewResult {
  const decide: Decide = (current, next) =>
    readsFrom === null || next.receivedAt < readsFrom ? [] : readMission(scene, current, mission, next);
  const steps = simulate(player, scene.definitions, facts, decide);
  const before = steps.at(-1)?.after ?? player;
  // Facts may be invented for later than now.
  const end = Math.max(scene.now, facts.at(-1)?.receivedAt ?? 0);
  const last = readsFrom === null ? [] : lastRead(scene, before, mission, { receivedAt: end, seq: (facts.at(-1)?.seq ?? 0) + 1 });
  const all = [...steps, ...last];
  const after = all.at(-1)?.after ?? player;
  const shown = stepsInWords(scene, mission, all, player, readsFrom, end);
  const effects = all.flatMap((step) => (step.fact.kind === "streakPeriod" ? [] : step.effects));
  return { steps: shown, summary: summaryOf(scene, mission, after, all, end), rewards: totalRewards(effects, scene) };
}

/** Entries by a read of missions, and accepts: the player accepts every offer. */
function readMission(
  { definitions }: Scene,
  player: Player,
  mission: Mission,
  { receivedAt, seq }: Pick<Fact, "receivedAt" | "seq">,
): Fact[] {
  // Just before the fact in order, so that the fact counts for new entries.
  const place = seq - 0.5;
  const entries = entriesToMake(actionable(entriesOf(player, definitions, [mission], receivedAt), null), place, receivedAt);
  if (entries.length > 0) return entries;
  const offer = standingOffer(mission, stateOf(player, mission), receivedAt);
  return offer === undefined ? [] : [{ kind: "accept", seq: place, receivedAt, missionId: mission.id }];
}

/** The read after all facts. */
function lastRead(scene: Scene, player: Player, mission: Mission, at: Pick<Fact, "receivedAt" | "seq">): SimulatedStep[] {
  const steps: SimulatedStep[] = [];
  const current = () => steps.at(-1)?.after ?? player;
  for (let facts = readMission(scene, player, mission, at), round = 0; facts.length > 0 && round < 10; round++) {
    steps.push(...simulate(current(), scene.definitions, facts));
    facts = readMission(scene, current(), mission, at);
  }
  return steps;
}

function stepsInWords(
  scene: Scene,
  mission: Mission,
  steps: readonly SimulatedStep[],
  player: Player,
  readsFrom: number | null,
  end: number,
): TrialStep[] {
  let number = 0;
  const shown = steps.flatMap((step): TrialStep[] => {
    const { fact, effects } = step;
    const rewards = rewardTexts(effects, scene);
    switch (fact.kind) {
      case "event":
      case "attribute":
        return [factStep(fact, ++number, { ...judged(scene, mission, step), rewards }, scene)];
      case "entry": {
        const occurrence = stateOf(step.after, mission).live.at(-1);
        const title = mission.optIn === "Manual" ? "The mission is offered" : enteredBy(fact);
        const which =
          mission.recurrence.kind === "None" || occurrence === undefined ? [] : [line(null, occurrenceName(mission, occurrence))];
        return [ownStep("Entry", fact.receivedAt, title, which, rewards)];
      }
      case "streakPeriod":
      case "award":
        return [];
      case "accept":
        return [ownStep("Accept", fact.receivedAt, "The player accepts", [], rewards)];
    }
  });
  const isEntered = stateOf(player, mission).live.length > 0 || steps.some(({ fact }) => fact.kind === "entry");
  if (isEntered || readsFrom === null) return shown;
  const reason = explainOpening(steps.at(-1)?.after ?? player, mission, end, scene.words, scene.definitions);
  return [ownStep("Remark", end, "The player does not enter the mission", reason === null ? [] : [line(false, reason)]), ...shown];
}

const enteredBy = ({ opens }: EntryFact): string =>
  opens === undefined ? "The player enters the mission" : "The mission continues in a new period";

/** Whether a fact counts for something in the mission, and the lines to show, objective by objective. */
export function judged(scene: Scene, mission: Mission, { fact, before, after, effects }: SimulatedStep) {
  const { live } = stateOf(before, mission);
  const lines: TrialLine[] = [];
  for (const occurrence of live) {
    const verdicts = verdictsOf(scene, mission, occurrence, fact, before);
    const objectives = objectivesAfter(mission, occurrence, after, effects);
    for (const verdict of verdicts) {
      const subject = subjectOf(scene, mission, verdict, occurrence, live.length);
      const isMet = objectives[verdict.objective]?.isSatisfied === true;
      const tick = isMet && mission.objectives[verdict.objective]!.progressKind !== "WithinLimit" ? " ✓" : "";
      const text = verdict.reason ?? `${standing(scene, mission, verdict.objective, objectives)}${tick}`;
      lines.push(line(verdict.reason === null, `${subject}${text}`));
    }
    if (verdicts.length > 0 && !isIn(after, mission, occurrence) && completionOf(effects, occurrence) !== undefined) {
      lines.push(line(true, "the mission is completed"));
    }
  }
  if (lines.length === 0) lines.push(line(false, live.length === 0 ? whyOutside(scene, mission, fact, before) : "no objective reads it"));
  return { counts: lines.some(({ isMet }) => isMet), lines };
}

const whyOutside = (scene: Scene, mission: Mission, fact: Fact, before: Player): string =>
  whyClosed(scene, mission, fact, before) ?? "the player has not read their missions";

/** Why a read of missions at the receipt of a fact would not enter the player; null if it would. */
export const whyClosed = ({ definitions, words }: Scene, mission: Mission, { receivedAt }: Pick<Fact, "receivedAt">, player: Player) =>
  explainOpening(player, mission, receivedAt, words, definitions);

function verdictsOf(scene: Scene, mission: Mission, occurrence: Occurrence, fact: Fact, before: Player): Verdict[] {
  if (fact.kind === "event") return explainObjectives(before, mission, occurrence, fact, scene.words, scene.definitions.timeZone);
  return fact.kind === "attribute" ? explainAttribute(mission, occurrence, fact) : [];
}

/** What a line is about: the occurrence if there are several, and the objective if the mission has several. */
function subjectOf({ words }: Scene, mission: Mission, { objective }: Verdict, occurrence: Occurrence, occurrences: number): string {
  const which = occurrences > 1 ? `${occurrenceName(mission, occurrence)}: ` : "";
  return mission.objectives.length > 1 ? `${which}${words.objectivesOf(mission.id)[objective]!}: ` : which;
}

const isIn = (player: Player, mission: Mission, occurrence: Occurrence): boolean =>
  stateOf(player, mission).live.some((one) => occurrenceKey(one) === occurrenceKey(occurrence));

const completionOf = (effects: SimulatedStep["effects"], occurrence: Occurrence): CompletionEffect | undefined =>
  effects.find((effect): effect is CompletionEffect => effect.kind === "completion" && effect.occurrenceKey === occurrenceKey(occurrence));

function objectivesAfter(
  mission: Mission,
  occurrence: Occurrence,
  after: Player,
  effects: SimulatedStep["effects"],
): readonly ObjectiveState[] {
  const live = stateOf(after, mission).live.find((one) => occurrenceKey(one) === occurrenceKey(occurrence));
  const completion = completionOf(effects, occurrence);
  return live?.objectives ?? (completion === undefined ? [] : decodeObjectives(completion.objectives));
}

/** The state of an objective: "3 of 5; it waits for “Tier is gold”". */
function standing({ words }: Scene, mission: Mission, index: number, states: readonly ObjectiveState[]): string {
  const objective = mission.objectives[index]!;
  const state = states[index];
  if (state === undefined) return "it counts";
  const turn = turnOf(mission, states);
  const waits = turn !== null && turn >= 0 && turn < index && !hasTurn(objective, index, turn) ? `; ${waitText(mission, turn, words)}` : "";
  return `${objective.criteria
    .map(({ type, operator, target }, at) =>
      counterText(state.counters[at]?.value ?? null, { type, operator, value: target, timeZone: words.zone }),
    )
    .join("; ")}${waits}`;
}

/** The progress of each objective in words; "not begun" without states. */
export function objectiveItems(scene: Scene, mission: Mission, states: readonly ObjectiveState[]): TrialSummary["items"] {
  const labels = scene.words.objectivesOf(mission.id);
  return mission.objectives.map((objective, index) => {
    const state = states[index];
    const { fraction } = state === undefined ? { fraction: null } : progressOf(objective, state);
    return {
      label: labels[index]!,
      value: state === undefined ? "not begun" : standing(scene, mission, index, states),
      fraction: fraction === null ? null : Number(fraction),
      isDone: state?.isSatisfied ?? false,
    };
  });
}

/** As of `end`, the last read. */
function summaryOf(scene: Scene, mission: Mission, after: Player, steps: readonly SimulatedStep[], end: number): TrialSummary {
  const completions = steps.flatMap(({ effects }) => effects.filter((effect) => effect.kind === "completion"));
  const { live } = stateOf(after, mission);
  const occurrence = live.findLast((one) => isShown(mission, one, end));
  const completion = completions.at(-1);
  // With neither an occurrence nor a completion to show, it says how far the player came in the last period.
  const shown = occurrence ?? (completion === undefined ? live.findLast(({ period }) => period !== null) : undefined);
  const ofCompletion = completion === undefined ? [] : decodeObjectives(completion.objectives);
  const states = shown === undefined ? ofCompletion : objectivesShown(mission, shown);
  const items = objectiveItems(scene, mission, states);
  const times = completions.length === 1 ? "once" : `${completions.length} times`;
  if (completions.length > 0) return { headline: `Completed ${times}.`, tone: "good", items };
  const ends = shown?.period ? instantInZone(shown.period.endsAt, scene.words) : null;
  if (occurrence === undefined) {
    if (ends !== null) return { headline: `Not completed by ${ends}, when its period ended.`, tone: "warn", items };
    const reason = explainOpening(after, mission, end, scene.words, scene.definitions);
    return { headline: `Not in the mission${reason === null ? "" : `: ${reason}`}.`, tone: "warn", items };
  }
  if (occurrence.accepted === null) return { headline: "Offered, not yet accepted.", tone: "neutral", items };
  return { headline: `In progress${ends === null ? "" : ` until ${ends}`}.`, tone: "neutral", items };
}

export const objectivesShown = (mission: Mission, { accepted, objectives }: Occurrence): readonly ObjectiveState[] =>
  accepted === null ? offeredObjectives(mission) : objectives;
