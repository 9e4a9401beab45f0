import { z } from "zod";
import { writeJson } from "../kernel/json.ts";
import type { CompiledBase } from "../kernel/texts.ts";
import { type Audience, audienceShape, canonicalAudience, checkAudience, compileAudience } from "../rules/audience.ts";
import { checkMembers, memberReferences } from "../rules/collection.ts";
import { type Finding, finding, mistake, type Path } from "../rules/finding.ts";
import { definition, description, iconOption, images, inLanguage } from "../rules/text-shapes.ts";
import {
  type ChangeScope,
  type CheckedEntry,
  type CompileScope,
  defineKind,
  type DefinitionOf,
  type KindScope,
  type StoredAs,
} from "../rules/kind-module.ts";
import { pointerTo, shortened } from "../rules/naming.ts";
import {
  canonicalObjective,
  checkObjective,
  compileObjective,
  type Criterion,
  isLimit,
  isSatisfiedWithoutEvents,
  mayEntrySatisfy,
  type Objective,
  objectiveShape,
  type ObjectiveShape,
} from "../rules/objective.ts";
import { everyOf, iconOf } from "../rules/summary.ts";
import { given, type Readable } from "../rules/readable.ts";
import { audienceReferences, itemReferences, objectiveReferences } from "../rules/references.ts";
import { canonicalRewards, checkReward, compileReward, type Reward, rewardShape, rewardsSummary } from "../rules/reward.ts";
import { compileRecurrence, compileSpan, missionRecurrence, type Recurrence, span } from "../rules/schedule.ts";
import type { CheckScope, Sources } from "../rules/scope.ts";
import { defaulted, filledList, list, oneOf, reference } from "../rules/shapes.ts";
import { leavesOf } from "../rules/tree.ts";

const missionShape = z.strictObject({
  ...definition,
  description,
  images,
  optIn: defaulted(oneOf(["Automatic", "Manual"]), "Automatic"),
  objectiveOrder: defaulted(oneOf(["AnyOrder", "InOrder"]), "AnyOrder"),
  appearsIn: defaulted(oneOf(["Feed", "CollectionOnly"]), "Feed"),
  recurrence: defaulted(missionRecurrence, { kind: "None" }),
  audience: defaulted(audienceShape, { rule: null, otherwise: "Locked" }),
  window: defaulted(span, { startsAt: null, endsAt: null }),
  objectives: filledList(objectiveShape),
  rewards: filledList(rewardShape),
});
export type MissionShape = DefinitionOf<typeof missionShape>;

export const missionKind = defineKind(missionShape, {
  identity: "key",
  isMetByPlayers: true,
  fixed: ["objectiveOrder", "optIn", "recurrence"],
  window: "window",
  rule: ["audience", "rule"],
  check: checkMission,
  checkChange: checkObjectivesChange,
  fixedTexts: ["objectives"],
  fixedFields: () => [
    { pointer: "/objectives", why: mistake("definition.fixed", { kind: "missions", member: "objectives", before: null }) },
  ],
  references(readable) {
    const mission = given(readable);
    if (mission === undefined) return [];
    return [
      ...audienceReferences(mission.audience),
      ...objectiveReferences(mission.objectives),
      ...itemReferences(mission.rewards, ["rewards"]),
    ];
  },
  canonical: (mission, scope) => ({
    ...mission,
    audience: canonicalAudience(mission.audience, scope),
    objectives: mission.objectives.map((one) => canonicalObjective(one, scope)),
    rewards: canonicalRewards(mission.rewards, scope),
  }),
  summary: ({ recurrence, optIn, objectives, rewards, window, appearsIn, audience, images }) => ({
    recurrence: everyOf(recurrence),
    optIn,
    objectives: objectives.length,
    ...rewardsSummary(rewards),
    appearsIn,
    hasAudience: audience.rule !== null,
    startsAt: window.startsAt,
    endsAt: window.endsAt,
    icon: iconOf(images),
  }),
  options: { shape: iconOption, of: ({ images }) => ({ icon: iconOf(images) }) },
});

export interface Mission extends CompiledBase {
  optIn: "Automatic" | "Manual";
  objectiveOrder: "AnyOrder" | "InOrder";
  appearsIn: "Feed" | "CollectionOnly";
  recurrence: Recurrence;
  audience: Audience;
  window: { startsAt: number | null; endsAt: number | null };
  objectives: readonly Objective[];
  rewards: readonly Reward[];
  /** The state partition of this mission: the lowest id of the events its objectives name, or else of the attributes. */
  partitionId: number;
}

export function compileMission({ id, createdAt, shaped }: StoredAs<MissionShape>, scope: CompileScope): Mission {
  const { recurrence, audience, window, rewards, ...same } = shaped;
  const objectives = same.objectives.map((one, at) => compileObjective(one, scope.derivedId("objective", id, at), scope.sources));
  return {
    id,
    createdAt,
    ...same,
    recurrence: compileRecurrence(recurrence),
    audience: compileAudience(audience, { kind: "missions", key: same.key }, scope.condition),
    window: compileSpan(window),
    objectives,
    rewards: rewards.map((reward) => compileReward(reward, scope.items)),
    partitionId: partitionOf(objectives),
  };
}

export const definitionIds = (objectives: readonly Objective[], source: Criterion["source"]): number[] =>
  objectives.flatMap(({ criteria }) => criteria.filter((one) => one.source === source).map(({ definitionId }) => definitionId));

/** Events are more frequent than attribute changes, so a mission over both is partitioned by event. */
function partitionOf(objectives: readonly Objective[]): number {
  const events = [...definitionIds(objectives, "Event"), ...definitionIds(objectives, "Metric")];
  return Math.min(...(events.length > 0 ? events : definitionIds(objectives, "Attribute")));
}

const missionCollectionShape = z.strictObject({ ...definition, description, images, missions: list(reference) });

export const missionCollectionKind = defineKind(missionCollectionShape, {
  identity: "key",
  isMetByPlayers: false,
  isSavedInOneEnvironment: true,
  fixed: [],
  check: ({ path, readable }, scope) => checkMembers("missions", given(readable)?.missions, [...path, "missions"], scope),
  references: (collection) => memberReferences("missions", given(collection)?.missions, ["missions"]),
  summary: ({ missions, images }) => ({ members: missions.length, icon: iconOf(images) }),
});

export interface MissionCollection extends Omit<CompiledBase, "createdAt"> {
  /** In the order that the collection sets. */
  missions: readonly Mission[];
}

export const compileMissionCollection = (
  { id, shaped: { missions, ...same } }: StoredAs<DefinitionOf<typeof missionCollectionShape>>,
  missionAt: (key: string) => Mission,
): MissionCollection => ({ id, ...same, missions: missions.map(missionAt) });

/** Conditions are numbered through a mission, and the numbers are stored as two bytes. */
const MAX_CONDITIONS = 1_000;

/** The findings of a mission besides its shape. */
function checkMission(entry: CheckedEntry<MissionShape>, scope: KindScope): Finding[] {
  const { path } = entry;
  const mission = given(entry.readable);
  if (mission === undefined) return [];
  const ofObjectives = checkObjectives(mission.objectives, [...path, "objectives"], scope);
  const objectives = ofObjectives.length === 0 ? entry.member("objectives") : undefined;
  return [
    ...checkAudience(mission.audience, [...path, "audience"], scope),
    ...ofObjectives,
    ...(given(mission.rewards) ?? []).flatMap((reward, at) => checkReward(reward, [...path, "rewards", at], scope)),
    ...(objectives === undefined ? [] : checkTogether(objectives, given(given(mission.recurrence)?.kind), path, scope.sources)),
  ];
}

function checkObjectives(objectives: Readable<ObjectiveShape[]>, path: Path, scope: CheckScope): Finding[] {
  const leaves = leavesOf<ObjectiveShape>(objectives, path);
  const findings = leaves.flatMap((leaf) => checkObjective(leaf, scope));
  if (leaves.length > MAX_CONDITIONS) findings.push(finding(path, "mission.too_many_conditions", { most: MAX_CONDITIONS }));
  return findings;
}

/** Checks across all objectives, which are valid individually. */
function checkTogether(shapes: readonly ObjectiveShape[], recurrence: string | undefined, path: Path, sources: Sources): Finding[] {
  if (!areSourcesSound(shapes, sources)) return [];
  const objectives = shapes.map((shape, at) => compileObjective(shape, String(at), sources));
  const atOnce = objectives.flatMap((objective, at) =>
    isSatisfiedWithoutEvents(objective) ? [satisfiedAtOnce(shapes[at]!, [...path, "objectives", at])] : [],
  );
  if (atOnce.length > 0) return atOnce;
  if (objectives.every(isLimit)) return [finding([...path, "objectives"], "mission.only_limits")];
  if (recurrence !== "AfterCompletion" || !objectives.every(mayEntrySatisfy)) return [];
  return [finding([...path, "recurrence"], "mission.repeats_at_once")];
}

/** An objective that is met before anything has happened is a mistake. */
function satisfiedAtOnce(shape: ObjectiveShape, path: Path): Finding {
  const isSingle = "target" in shape;
  return finding(isSingle ? [...path, "target"] : path, "mission.satisfied_at_once", { isSingle });
}

const areSourcesSound = (objectives: readonly ObjectiveShape[], { events, metrics, attributes }: Sources): boolean =>
  leavesOf<ObjectiveShape>(objectives, []).every(({ leaf }) => {
    if ("attribute" in leaf) return attributes.has(given(leaf.attribute) ?? "");
    return "metric" in leaf ? metrics.has(given(leaf.metric) ?? "") : events.has(given(leaf.event) ?? "");
  });

/** Objectives cannot change. They are compared in canonical form. */
function checkObjectivesChange(entry: CheckedEntry<MissionShape>, before: MissionShape, scope: ChangeScope): Finding[] {
  const objectives = entry.member("objectives");
  if (objectives === undefined) return [];
  const after = objectives.map((one) => inLanguage(canonicalObjective(one, scope), scope.language));
  if (writeJson(after) === writeJson(before.objectives)) return [];
  const path = [...entry.path, "objectives"];
  const first = scope.firstDifference("objectives", before, { objectives: after });
  const pointer = pointerTo([...path, ...(first?.path.slice(1) ?? [])]);
  const was = first?.before === undefined ? "nothing" : shortened(writeJson(first.before));
  return [finding(path, "mission.objectives_fixed", { before: was, pointer })];
}
