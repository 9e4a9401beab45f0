import { implement } from "@orpc/server";
import type { ApiContext } from "../context.ts";
import { withImageUrls } from "../../model/kernel/texts.ts";
import { missionsContract } from "../../game/missions/contract.ts";
import { acceptMission, readMissionCollection, readMissions } from "../../game/missions/service/read.ts";

const api = implement(missionsContract).$context<ApiContext>();

export const missionsProcedures = {
  read: api.read.handler(async ({ input, context }) => {
    const missions = await readMissions(context.database, context.environment, context.now, {
      externalId: input.playerId,
      take: input.take ?? null,
      includeCompleted: input.includeCompleted ?? false,
      language: input.languageCode,
    });
    return missions.map((mission) => withImageUrls(mission, context.baseUrl));
  }),

  readCollection: api.readCollection.handler(async ({ input, context }) => {
    const collection = await readMissionCollection(context.database, context.environment, context.now, {
      collectionKey: input.collectionKey,
      externalId: input.playerId,
      includeCompleted: input.includeCompleted ?? false,
      language: input.languageCode,
    });
    const missions = collection.missions.map((mission) => withImageUrls(mission, context.baseUrl));
    return withImageUrls({ ...collection, missions }, context.baseUrl);
  }),

  accept: api.accept.handler(async ({ input, context }) => {
    await acceptMission(context.database, context.environment, input.playerId, input.missionKey);
  }),
};
