import { implement } from "@orpc/server";
import type { ApiContext } from "../api/context.ts";
import { formatInstant } from "../kernel/time.ts";
import { playersContract } from "./contract.ts";
import { savePlayer } from "./service.ts";

const api = implement(playersContract).$context<ApiContext>();

export const playersProcedures = {
  save: api.save.handler(async ({ input, context: { database, environment, now } }) => {
    const { playerId, timeZoneId, ...sent } = input;
    const { timeZone, createdAt, ...saved } = await savePlayer(database, environment, now, playerId, { ...sent, timeZone: timeZoneId });
    return { playerId, ...saved, timeZoneId: timeZone, createdAtUtc: formatInstant(createdAt) };
  }),
};
