import { attributesContract } from "../attributes/contract.ts";
import { attributesProcedures } from "../attributes/procedures.ts";
import { eventsContract } from "../events/contract.ts";
import { eventsProcedures } from "../events/procedures.ts";
import { leaderboardsContract } from "../leaderboards/contract.ts";
import { leaderboardsProcedures } from "../leaderboards/procedures.ts";
import { marketplaceContract } from "../marketplace/contract.ts";
import { marketplaceProcedures } from "../marketplace/procedures.ts";
import { metricsContract } from "../metrics/contract.ts";
import { metricsProcedures } from "../metrics/procedures.ts";
import { missionsContract } from "../missions/contract.ts";
import { missionsProcedures } from "../missions/procedures.ts";
import { playersContract } from "../players/contract.ts";
import { playersProcedures } from "../players/procedures.ts";
import { pointsContract } from "../points/contract.ts";
import { pointsProcedures } from "../points/procedures.ts";
import { streaksContract } from "../streaks/contract.ts";
import { streaksProcedures } from "../streaks/procedures.ts";

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
