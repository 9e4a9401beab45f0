import { z } from "zod";
import { decimal, endpoint, images, languageCode, playerId, taggedValue, take, timestamp, uuid } from "../api/contract.ts";
import { OPERATORS } from "../kernel/values.ts";

const progress = z
  .object({
    kind: z.enum(["TowardTarget", "WithinLimit", "Binary", "NotDisplayable"]).meta({ description: "Switch on this." }),
    actual: taggedValue.nullable().meta({ description: "Where the player is; null means no reading, which is not zero." }),
    operator: z.enum(OPERATORS).nullable(),
    target: taggedValue.nullable(),
    fraction: decimal
      .nullable()
      .meta({ description: "0 to 1; only for TowardTarget and WithinLimit. For WithinLimit 1 means gone, not done." }),
  })
  .meta({ id: "Progress" });

const objective = z
  .object({
    objectiveId: uuid,
    description: z.string().nullable(),
    order: z.int().meta({ description: "Counts from 0." }),
    isSatisfied: z.boolean().meta({ description: "The authority on whether the objective is met; it never goes back." }),
    progress,
  })
  .meta({ id: "Objective" });

const reward = z
  .object({
    kind: z.enum(["Points", "CatalogItem"]),
    pointsAmount: z.int().nullable(),
    catalogItemKey: z.string().nullable(),
    catalogItemValue: taggedValue.nullable(),
  })
  .meta({ id: "Reward" });

/** api.md 2.3. */
export const mission = z
  .object({
    missionKey: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    images,
    status: z.enum(["Available", "InProgress", "Completed", "Locked"]),
    optInMode: z.enum(["Automatic", "Manual"]),
    isAccepted: z.boolean(),
    occurrenceNumber: z.int().meta({ description: "Counts from 0; always 0 for a mission that does not repeat." }),
    objectives: z.array(objective),
    rewards: z.array(reward),
    startedAtUtc: timestamp.nullable(),
    acceptedAtUtc: timestamp.nullable(),
    completedAtUtc: timestamp.nullable(),
    availableUntilUtc: timestamp
      .nullable()
      .meta({ description: "End of the window; may lie in the past for a player who joined before it closed." }),
  })
  .meta({ id: "Mission" });

export const missionsContract = {
  /** api.md 4.5. */
  read: endpoint({
    method: "POST",
    path: "/v1/missions",
    operationId: "readMissions",
    tag: "Missions",
    summary: "Read a player's missions",
    description:
      "Returns the missions the player is in and those newly open to them. Returning a mission enters the player, which is why this is a POST: call it when a player first appears and whenever their missions are shown, and do not cache it.",
  })
    .input(z.object({ playerId, take, includeCompleted: z.boolean().nullish(), languageCode }))
    .output(z.array(mission)),

  /** api.md 4.6. */
  readCollection: endpoint({
    method: "POST",
    path: "/v1/mission-collections/{collectionKey}",
    operationId: "readMissionCollection",
    tag: "Missions",
    summary: "Read a mission collection for a player",
    description:
      "Returns a collection with its missions in the collection's own order, those that appear in no feed too. Like the read of a player's missions it enters the player into what it returns.",
    refuses: ["mission_collection.not_found"],
  })
    .input(z.object({ collectionKey: z.string(), playerId, includeCompleted: z.boolean().nullish(), languageCode }))
    .output(
      z
        .object({
          collectionId: uuid,
          key: z.string(),
          name: z.string(),
          description: z.string().nullable(),
          images,
          missions: z.array(mission),
        })
        .meta({ id: "MissionCollection" }),
    ),

  /** api.md 4.7. */
  accept: endpoint({
    method: "POST",
    path: "/v1/missions/{missionKey}/accept",
    operationId: "acceptMission",
    tag: "Missions",
    summary: "Accept a mission for a player",
    description: "Opts the player into a manual mission that they were offered. Harmless where the player is in it already.",
    successStatus: 204,
    refuses: ["mission.not_locked_in", "mission.offer_closed"],
  }).input(z.object({ missionKey: z.string(), playerId })),
};
