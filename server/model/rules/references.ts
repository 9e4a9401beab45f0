import type { AudienceShape } from "./audience.ts";
import type { ConditionShape } from "./condition.ts";
import type { DefinitionKind, Path } from "./finding.ts";
import { type MeasuredGiven, propertiesRead } from "./measured.ts";
import type { ObjectiveShape } from "./objective.ts";
import { given, type Readable } from "./readable.ts";
import type { RewardShape } from "./reward.ts";
import { type Leaf, leavesIn, leavesOf } from "./tree.ts";

/** A field of a definition that names another definition. */
export interface Reference {
  kind: DefinitionKind;
  key: string;
  /** The path of the reference in the definition that has it. */
  path: Path;
  /** For an event or a metric, the properties that are read there. */
  properties: readonly string[];
  /**
   * Whether the referenced definition must be active. It may be inactive if it is only read: missions and streaks in conditions, members of
   * collections.
   */
  mustBeActive: boolean;
}

/** One reference; none if it is left out or unreadable. */
export function referenceTo(kind: DefinitionKind, reference: Readable<string>, path: Path, measured?: MeasuredGiven): Reference[] {
  const key = given(reference);
  const properties = measured === undefined ? [] : propertiesRead(measured);
  return key === undefined ? [] : [{ kind, key, path, properties, mustBeActive: true }];
}

/** As `referenceTo`, for a definition that may be inactive. */
export const lookAt = (kind: DefinitionKind, reference: Readable<string>, path: Path): Reference[] =>
  referenceTo(kind, reference, path).map((one) => ({ ...one, mustBeActive: false }));

/** The references of a streak's or a leaderboard's event or metric. */
export const sourceReferences = (measured: MeasuredGiven): Reference[] => [
  ...referenceTo("events", measured.event, ["event"], measured),
  ...referenceTo("metrics", measured.metric, ["metric"], measured),
];

export const conditionReferences = (rule: Readable<ConditionShape>, path: Path): Reference[] =>
  leavesIn<ConditionShape>(rule, path).flatMap(leafReferences);

export const audienceReferences = (audience: Readable<AudienceShape>): Reference[] =>
  conditionReferences(given(audience)?.rule, ["audience", "rule"]);

/** What objectives name. */
export const objectiveReferences = (objectives: Readable<ObjectiveShape[]>): Reference[] =>
  leavesOf<ObjectiveShape>(objectives, ["objectives"]).flatMap(leafReferences);

function leafReferences({ leaf, path }: Leaf<ConditionShape> | Leaf<ObjectiveShape>): Reference[] {
  if ("missionCompleted" in leaf) return lookAt("missions", leaf.missionCompleted, [...path, "missionCompleted"]);
  if ("streak" in leaf) return lookAt("streaks", leaf.streak, [...path, "streak"]);
  if ("segment" in leaf) return referenceTo("segments", leaf.segment, [...path, "segment"]);
  if ("attribute" in leaf) return referenceTo("attributes", leaf.attribute, [...path, "attribute"]);
  if ("metric" in leaf) return referenceTo("metrics", leaf.metric, [...path, "metric"], leaf);
  return "event" in leaf ? referenceTo("events", leaf.event, [...path, "event"], leaf) : [];
}

/** The catalog items in rewards, or in the contents of a listing. Points have no reference. */
export const itemReferences = (handedOver: Readable<(RewardShape | { catalogItem: string })[]>, path: Path): Reference[] =>
  ((given(handedOver) ?? []) as readonly Readable<{ catalogItem?: string }>[]).flatMap((one, at) =>
    referenceTo("catalogItems", given(one)?.catalogItem, [...path, at, "catalogItem"]),
  );
