import { OPERATORS } from "../../model/rules/operator.ts";
import type { MissionRow } from "../../model/missions/rows.ts";
import { REWARD_KINDS } from "../../model/rules/reward.ts";
import { z } from "zod";
import { count, decimal, endpoint, images, languageCode, playerId, taggedValue, take, timestamp, uuid } from "../../model/contract/v1.ts";

/** A schema for each member of a row: a member without one would be missing from the document, but not from answers. */
type DescribedBy<Row> = Record<keyof Row, z.ZodType>;

const text = (example: string) => z.string().meta({ description: "In the language asked for.", examples: [example] });

const progress = z
  .object({
    kind: z.enum(["TowardTarget", "WithinLimit", "Binary", "NotDisplayable"]).meta({
      description:
        "Switch on this. `TowardTarget` counts up to a target; `WithinLimit` keeps a count, a sum or a highest value under a ceiling: it starts satisfied and is lost as the value rises; `Binary` is yes or no, also of a lowest value, a latest value or an attribute below something; `NotDisplayable` has no single reading.",
    }),
    actual: taggedValue
      .nullable()
      .meta({ description: "Where the player is; null means no reading, which is not zero.", examples: [{ type: "number", value: 3 }] }),
    operator: z
      .enum(OPERATORS)
      .nullable()
      .meta({ description: "How the reading is measured against the target.", examples: ["GreaterThanOrEqualTo"] }),
    target: taggedValue.nullable().meta({ description: "What the reading is measured against." }),
    fraction: decimal.nullable().meta({
      minimum: 0,
      maximum: 1,
      description:
        "0 to 1; only for `TowardTarget` and `WithinLimit`, when both readings are known. For `WithinLimit` 1 means gone, not done.",
      examples: [0.6],
    }),
  })
  .meta({ id: "Progress" });

const objective = z
  .object({
    objectiveId: uuid,
    description: text("Five orders over 10").nullable(),
    order: count.meta({ description: "Counts from 0.", examples: [0] }),
    isSatisfied: z.boolean().meta({
      description: "The authority on whether the objective is met; once true it stays so, whatever the progress.",
      examples: [false],
    }),
    progress,
  } satisfies DescribedBy<MissionRow["objectives"][number]>)
  .meta({ id: "Objective" });

const reward = z
  .object({
    kind: z.enum(REWARD_KINDS).meta({ description: "Switch on this." }),
    pointsAmount: z
      .int()
      .nullable()
      .meta({ description: "Of `Points`, else null.", examples: [200] }),
    catalogItemKey: z
      .string()
      .nullable()
      .meta({ description: "Of `CatalogItem`, else null.", examples: [null] }),
    catalogItemValue: taggedValue
      .nullable()
      .meta({ description: "Of `CatalogItem`, else null: the quantity, where it is a number.", examples: [null] }),
  } satisfies DescribedBy<MissionRow["rewards"][number]>)
  .meta({ id: "Reward", description: "Copied when it is granted: a later edit of the mission does not change what a player has earned." });

export const mission = z
  .object({
    missionKey: z.string().meta({ description: "Identifies the mission; it is accepted by it.", examples: ["coffee_lover"] }),
    name: text("Coffee lover"),
    description: text("Five larger orders, and few returns.").nullable(),
    images,
    status: z.enum(["Available", "InProgress", "Completed", "Locked"]).meta({
      description:
        "`Available`: offered, and to be accepted; `InProgress`: events count; `Locked`: shown, but the player does not qualify and is not in it.",
      examples: ["InProgress"],
    }),
    optInMode: z.enum(["Automatic", "Manual"]).meta({ description: "`Manual`: the player has to accept it first.", examples: ["Manual"] }),
    isAccepted: z.boolean().meta({ examples: [true] }),
    occurrenceNumber: count.meta({ description: "Counts from 0; always 0 for a mission that does not repeat.", examples: [0] }),
    objectives: z.array(objective),
    rewards: z.array(reward),
    startedAtUtc: timestamp.nullable().meta({ description: "When it was first returned to the player; null when locked." }),
    acceptedAtUtc: timestamp.nullable().meta({ description: "When the player accepted it; of an automatic mission when it started." }),
    completedAtUtc: timestamp.nullable().meta({ description: "Null until completed.", examples: [null] }),
    availableUntilUtc: timestamp.nullable().meta({
      description: "End of the window, null without one; may lie in the past for a player who joined before it closed.",
      examples: ["2026-03-31T22:00:00.000Z"],
    }),
  } satisfies DescribedBy<MissionRow>)
  .meta({ id: "Mission" });

const includeCompleted = z
  .boolean()
  .meta({ description: "Whether completed occurrences are returned too; false when it is left out.", examples: [true] })
  .nullish();

export const missionsContract = {
  read: endpoint({
    method: "POST",
    path: "/v1/missions",
    operationId: "readMissions",
    tag: "Missions",
    summary: "Read a player's missions",
    description:
      "Returns the missions the player is in and those newly open to them. Returning a mission enters the player (and creates them), which is why this is a POST: call it when a player first appears and whenever their missions are shown, and do not cache it.",
    answers: "Missions in progress and available, then completed, then locked.",
  })
    .input(z.object({ playerId, take, includeCompleted, languageCode }))
    .output(z.array(mission)),

  readCollection: endpoint({
    method: "POST",
    path: "/v1/mission-collections/{collectionKey}",
    operationId: "readMissionCollection",
    tag: "Missions",
    summary: "Read a mission collection for a player",
    description:
      "Returns a collection with its missions in the collection's own order, including those that appear in no feed. Like reading a player's missions, it enters the player into those that it returns.",
    answers: "The collection.",
    refuses: ["mission_collection.not_found"],
  })
    .input(
      z.object({
        collectionKey: z.string().meta({ description: "Key of the collection.", examples: ["first_steps"] }),
        playerId,
        includeCompleted,
        languageCode,
      }),
    )
    .output(
      z
        .object({
          collectionId: uuid,
          key: z.string().meta({ examples: ["first_steps"] }),
          name: text("First steps"),
          description: text("Get to know our bar.").nullable(),
          images,
          missions: z.array(mission),
        })
        .meta({ id: "MissionCollection" }),
    ),

  accept: endpoint({
    method: "POST",
    path: "/v1/missions/{missionKey}/accept",
    operationId: "acceptMission",
    tag: "Missions",
    summary: "Accept a mission for a player",
    description: "Opts the player into a manual mission that they were offered. Harmless where the player is in it already.",
    answers: "The player is in the mission.",
    successStatus: 204,
    refuses: ["mission.not_locked_in", "mission.offer_closed"],
  }).input(
    z.object({
      missionKey: z.string().meta({ description: "Key of a mission that was returned to the player.", examples: ["coffee_lover"] }),
      playerId,
    }),
  ),
};
