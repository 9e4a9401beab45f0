import { attributesContract } from "../../game/attributes/contract.ts";
import { attributesProcedures } from "./attributes.ts";
import { eventsContract } from "../../game/events/contract.ts";
import { eventsProcedures } from "./events.ts";
import { leaderboardsContract } from "../../game/leaderboards/contract.ts";
import { leaderboardsProcedures } from "./leaderboards.ts";
import { marketplaceContract } from "../../game/marketplace/contract.ts";
import { marketplaceProcedures } from "./marketplace.ts";
import { metricsContract } from "../../game/metrics/contract.ts";
import { metricsProcedures } from "./metrics.ts";
import { missionsContract } from "../../game/missions/contract.ts";
import { missionsProcedures } from "./missions.ts";
import { playersContract } from "../../game/players/contract.ts";
import { playersProcedures } from "./players.ts";
import { pointsContract } from "../../game/points/contract.ts";
import { pointsProcedures } from "./points.ts";
import { streaksContract } from "../../game/streaks/contract.ts";
import { streaksProcedures } from "./streaks.ts";

/** The public API, in the order of the reference. */
export const contract = {
  events: eventsContract,
  metrics: metricsContract,
  attributes: attributesContract,
  players: playersContract,
  missions: missionsContract,
  points: pointsContract,
  marketplace: marketplaceContract,
  leaderboards: leaderboardsContract,
  streaks: streaksContract,
};

/** The public router: one procedure for each endpoint of the contract. */
export const router = {
  events: eventsProcedures,
  metrics: metricsProcedures,
  attributes: attributesProcedures,
  players: playersProcedures,
  missions: missionsProcedures,
  points: pointsProcedures,
  marketplace: marketplaceProcedures,
  leaderboards: leaderboardsProcedures,
  streaks: streaksProcedures,
} satisfies { [Domain in keyof typeof contract]: Record<keyof (typeof contract)[Domain], unknown> };
