import { implement } from "@orpc/server";
import type { ApiContext } from "../api/context.ts";
import { formatInstant } from "../kernel/time.ts";
import { playersContract } from "./contract.ts";
import { savePlayer } from "./service.ts";

const api = implement(playersContract).$context<ApiContext>();

export const playersProcedures = {
  save: api.save.handler(async ({ input, context: { database, environment, now } }) => {
    const { playerId, displayName, timeZoneId } = input;
    const saved = await savePlayer(database, environment, now, playerId, { displayName, timeZone: timeZoneId });
    return { playerId, displayName: saved.displayName, timeZoneId: saved.timeZone, createdAtUtc: formatInstant(saved.createdAt) };
  }),
};
