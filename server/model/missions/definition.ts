import { z } from "zod";
import type { Images } from "../kernel/images.ts";
import type { Text } from "../kernel/texts.ts";
import { type Audience, canonicalAudience } from "../rules/audience.ts";
import { checkMembers, memberReferences } from "../rules/collection.ts";
import { mistake } from "../rules/finding.ts";
import { type CompileScope, type DefinitionOf, defineKind, type StoredAs } from "../rules/kind-module.ts";
import { iconOption } from "../rules/options-shape.ts";
import { canonicalObjective, compileObjective, type Criterion, type Objective } from "../rules/objective.ts";
import { given } from "../rules/readable.ts";
import { audienceReferences, itemReferences, objectiveReferences } from "../rules/references.ts";
import { canonicalRewards, compileReward, type Reward, rewardsSummary } from "../rules/reward.ts";
import { compileRecurrence, compileSpan, type Recurrence } from "../rules/schedule.ts";
import { list, reference } from "../rules/shapes.ts";
import { everyOf, iconOf } from "../rules/summary.ts";
import { definition, description, images } from "../rules/text-shapes.ts";
import { checkMission, checkObjectivesChange } from "./definition/check.ts";
import { type MissionShape, missionShape } from "./definition/shape.ts";

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

/** A mission ready for the rules. */
export interface Mission {
  id: number;
  key: string;
  active: boolean;
  createdAt: number;
  name: Text;
  description: Text | null;
  images: Images;
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
  const { key, active, name, description, images, optIn, objectiveOrder, appearsIn, audience, window } = shaped;
  const objectives = shaped.objectives.map((one, at) => compileObjective(one, scope.derivedId("objective", id, at), scope.sources));
  return {
    id,
    key,
    active,
    createdAt,
    name,
    description,
    images,
    optIn,
    objectiveOrder,
    appearsIn,
    recurrence: compileRecurrence(shaped.recurrence),
    audience: { rule: audience.rule === null ? null : scope.condition(audience.rule), otherwise: audience.otherwise },
    window: compileSpan(window),
    objectives,
    rewards: shaped.rewards.map((reward) => compileReward(reward, scope.items)),
    partitionId: partitionOf(objectives),
  };
}

/** The definitions of a source that objectives read. */
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

/** A collection ready to be read. */
export interface MissionCollection {
  id: number;
  key: string;
  active: boolean;
  name: Text;
  description: Text | null;
  images: Images;
  /** In the order that the collection sets. */
  missions: readonly Mission[];
}

export const compileMissionCollection = (
  { id, shaped: { key, active, name, description, images, missions } }: StoredAs<DefinitionOf<typeof missionCollectionShape>>,
  missionAt: (key: string) => Mission,
): MissionCollection => ({ id, key, active, name, description, images, missions: missions.map(missionAt) });
