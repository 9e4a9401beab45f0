import { implement } from "@orpc/server";
import type { ApiContext } from "../context.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { playersContract } from "../../game/players/contract.ts";
import { savePlayer } from "../../game/players/service/players.ts";

const api = implement(playersContract).$context<ApiContext>();

export const playersProcedures = {
  save: api.save.handler(async ({ input, context: { database, environment, now } }) => {
    const { playerId, timeZoneId, ...sent } = input;
    const { timeZone, createdAt, ...saved } = await savePlayer(database, environment, now, playerId, { ...sent, timeZone: timeZoneId });
    return { playerId, ...saved, timeZoneId: timeZone, createdAtUtc: formatInstant(createdAt) };
  }),
};
