import { z } from "zod";
import { atMost, endpoint, playerId, timestamp } from "../../model/contract/v1.ts";
import { isTimeZone } from "../../model/kernel/time.ts";

const displayName = z
  .string()
  .check(atMost(200))
  .meta({ maxLength: 200, description: "What leaderboards show of the player.", examples: ["Ann"] })
  .nullable();
const timeZone = z
  .string()
  .refine(isTimeZone, "must be an IANA time zone such as Europe/Amsterdam, or null.")
  .meta({ description: "IANA time zone of the player's days; null: the project's holds.", examples: ["Europe/Amsterdam"] })
  .nullable();

/** The profile of a player, which apps send and users may correct. */
export const profile = z.object({ displayName, timeZone });

const { timeZone: timeZoneId, ...sameName } = profile.shape;

/** The profile as apps and files send it: with the id of the zone. */
export const sentProfile = z.object({ ...sameName, timeZoneId });

export const playersContract = {
  save: endpoint({
    method: "POST",
    path: "/v1/players",
    operationId: "savePlayer",
    tag: "Players",
    summary: "Create or update a player",
    description:
      "Creates the player unless the environment knows them; of a known player the fields that are sent are updated. Players are also created by their first event, attribute or mission read.",
    answers: "The player as they stand now.",
  })
    .input(z.object({ playerId, ...sentProfile.partial().shape }))
    .output(
      z
        .object({ playerId: z.string().meta({ examples: ["customer-1042"] }), ...sentProfile.shape, createdAtUtc: timestamp })
        .meta({ id: "Player" }),
    ),
};
