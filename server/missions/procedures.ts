import { implement } from "@orpc/server";
import type { ApiContext } from "../api/context.ts";
import { missionsContract } from "./contract.ts";
import { acceptMission, readMissionCollection, readMissions } from "./service.ts";

const api = implement(missionsContract).$context<ApiContext>();

export const missionsProcedures = {
  read: api.read.handler(async ({ input, context }) => {
    return readMissions(context.database, context.environment, context.now, {
      externalId: input.playerId,
      take: input.take ?? null,
      includeCompleted: input.includeCompleted ?? false,
      language: input.languageCode,
    });
  }),

  readCollection: api.readCollection.handler(async ({ input, context }) => {
    return readMissionCollection(context.database, context.environment, context.now, {
      collectionKey: input.collectionKey,
      externalId: input.playerId,
      includeCompleted: input.includeCompleted ?? false,
      language: input.languageCode,
    });
  }),

  accept: api.accept.handler(async ({ input, context }) => {
    await acceptMission(context.database, context.environment, input.playerId, input.missionKey);
  }),
};
