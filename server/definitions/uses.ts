import type { ConditionShape } from "../rules/condition.ts";
import type { Path } from "../rules/finding.ts";
import { type MeasuredGiven, propertiesRead } from "../rules/measured.ts";
import type { ObjectiveShape } from "../rules/objective.ts";
import { given, type Readable } from "../rules/readable.ts";
import { type Leaf, leavesIn, leavesOf } from "../rules/tree.ts";
import type { Kind } from "./contract.ts";
import type { Result, DefinitionState } from "./result.ts";

/** What cannot be switched off while it is used. */
type UsedKind = Extract<Kind, "events" | "metrics" | "attributes" | "segments" | "catalogItems">;

/** A place where one definition uses another. */
export interface Use {
  user: DefinitionState;
  kind: UsedKind;
  key: string;
  /** Of an event, the properties that are read there. */
  properties: readonly string[];
  /** The place of the reference inside the user. */
  path: Path;
}

/** Every place where a definition of the result uses another one. A collection does not use its members: it shows those that are there. */
export const usesIn = (result: Result): Use[] => [
  ...[...result.segments.values()].flatMap((user) => usesOfRule(user, given(user.readable)?.rule, ["rule"])),
  ...[...result.missions.values()].flatMap(usesOfMission),
  ...[...result.streaks.values()].flatMap(usesOfStreak),
  ...[...result.leaderboards.values()].flatMap(usesOfLeaderboard),
  ...[...result.marketplaceItems.values()].flatMap(usesOfListing),
];

function usesOfMission(user: DefinitionState<"missions">): Use[] {
  const mission = given(user.readable);
  if (mission === undefined) return [];
  return [
    ...usesOfRule(user, given(mission.audience)?.rule, ["audience", "rule"]),
    ...leavesOf<ObjectiveShape>(mission.objectives, ["objectives"]).flatMap((leaf) => usesOfLeaf(user, leaf)),
    ...(given(mission.rewards) ?? []).flatMap((reward, at) => usesOfItem(user, given(reward), ["rewards", at])),
  ];
}

function usesOfStreak(user: DefinitionState<"streaks">): Use[] {
  const streak = given(user.readable);
  if (streak === undefined) return [];
  return [
    ...used(user, "events", streak.event, ["event"], streak),
    ...used(user, "metrics", streak.metric, ["metric"], streak),
    ...(given(streak.milestones) ?? []).flatMap((milestone, place) =>
      (given(given(milestone)?.rewards) ?? []).flatMap((reward, at) =>
        usesOfItem(user, given(reward), ["milestones", place, "rewards", at]),
      ),
    ),
  ];
}

function usesOfLeaderboard(user: DefinitionState<"leaderboards">): Use[] {
  const board = given(user.readable);
  if (board === undefined) return [];
  return [
    ...used(user, "events", board.event, ["event"], board),
    ...used(user, "metrics", board.metric, ["metric"], board),
    ...used(user, "attributes", board.attribute, ["attribute"]),
    ...used(user, "attributes", board.teamAttribute, ["teamAttribute"]),
    ...usesOfRule(user, given(board.audience)?.rule, ["audience", "rule"]),
    ...(given(board.prizes) ?? []).flatMap((prize, place) =>
      (given(given(prize)?.rewards) ?? []).flatMap((reward, at) => usesOfItem(user, given(reward), ["prizes", place, "rewards", at])),
    ),
  ];
}

function usesOfListing(user: DefinitionState<"marketplaceItems">): Use[] {
  const listing = given(user.readable);
  return [
    ...usesOfRule(user, given(listing?.audience)?.rule, ["audience", "rule"]),
    ...(given(listing?.contents) ?? []).flatMap((content, at) => usesOfItem(user, given(content), ["contents", at])),
  ];
}

/** A reward of points uses nothing. */
const usesOfItem = (user: DefinitionState, handedOver: object | undefined, path: Path): Use[] =>
  handedOver !== undefined && "catalogItem" in handedOver
    ? used(user, "catalogItems", handedOver.catalogItem as Readable<string>, [...path, "catalogItem"])
    : [];

const usesOfRule = (user: DefinitionState, rule: Readable<ConditionShape>, path: Path): Use[] =>
  leavesIn<ConditionShape>(rule, path).flatMap((leaf) => usesOfLeaf(user, leaf));

function usesOfLeaf(user: DefinitionState, { leaf, path }: Leaf<ConditionShape> | Leaf<ObjectiveShape>): Use[] {
  if ("segment" in leaf) return used(user, "segments", leaf.segment, [...path, "segment"]);
  if ("attribute" in leaf) return used(user, "attributes", leaf.attribute, [...path, "attribute"]);
  if ("metric" in leaf) return used(user, "metrics", leaf.metric, [...path, "metric"], leaf);
  return "event" in leaf ? used(user, "events", leaf.event, [...path, "event"], leaf) : [];
}

function used(user: DefinitionState, kind: UsedKind, reference: Readable<string>, path: Path, measured?: MeasuredGiven): Use[] {
  const key = given(reference);
  return key === undefined ? [] : [{ user, kind, key, properties: measured === undefined ? [] : propertiesRead(measured), path }];
}
