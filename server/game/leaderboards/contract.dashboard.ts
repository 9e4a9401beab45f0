import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";
import { PERIOD_STATES, SETTLE_REFUSALS } from "../../model/leaderboards/period-state.ts";

const MAX_KEY_LENGTH = 200;
/** In UTF-16: an id has at most 200 characters, a team's name likewise. */
const MAX_ID_LENGTH = 400;

const key = z.string().min(1).max(MAX_KEY_LENGTH);

/** A period, by the local date of its first day; "" for a board with a single period. */
const start = z.string().max(10);

const period = z.object({
  start,
  startsAt: instantText.nullable(),
  endsAt: instantText.nullable(),
  /** When its ranks become final; null for a board without end. */
  settlesAt: instantText.nullable(),
  settledAt: instantText.nullable(),
  state: z.enum(PERIOD_STATES),
  /** Ranked players or teams. */
  participants: z.int(),
  /** In a league: the groups in each tier, the lowest first. */
  groups: z.array(z.int()),
  /** Null if it can be settled now, in the Sandbox. */
  settleRefusal: z.enum(SETTLE_REFUSALS).nullable(),
});

export type PeriodSeen = z.output<typeof period>;

const standing = z.object({
  id: z.string(),
  rank: z.int(),
  /** As JSON text, digit for digit. */
  score: z.string(),
  /** Null on team boards and for erased players. */
  player: z.object({ externalId: z.string(), displayName: z.string().nullable() }).nullable(),
  team: z.object({ name: z.string(), members: z.int() }).nullable(),
  /** In a league: the tier and group of a player, counted from 0; null before there is a seat. */
  seat: z.object({ tier: z.int(), group: z.int(), outcome: z.enum(["Promoted", "Relegated", "Stayed"]).nullable() }).nullable(),
});

export type StandingSeen = z.output<typeof standing>;

const oneBoard = inEnvironment.extend({ key });

export const leaderboardsDashboard = {
  /** The periods of a board, newest first. `next` is the cursor of the next page. */
  periods: forEnvironment("Viewer")
    .input(oneBoard.extend({ cursor, limit: z.int().min(1).max(100).default(50) }))
    .output(
      z.object({
        ranks: z.enum(["Players", "Teams"]),
        /** The tiers of a league, the lowest first; null for a board without one. */
        tiers: z.array(z.object({ key: z.string(), name: z.string() })).nullable(),
        periods: z.array(period),
        next: z.string().nullable(),
      }),
    ),
  /**
   * Rows of a period by rank: from the top, from `cursor`, or from some rows above a player or team. `next` is the cursor of the next page.
   */
  standings: forEnvironment("Viewer")
    .input(
      oneBoard.extend({
        start,
        cursor,
        /** A player's ID, or the name of a team; empty for one without a score. */
        around: z.string().max(MAX_ID_LENGTH).nullable().default(null),
        limit: z.int().min(1).max(100).default(50),
      }),
    )
    .output(z.object({ rows: z.array(standing), next: z.string().nullable() })),
  /** A group of a league, by its tier and its number, both counted from 0: its players in the order of their ranks there. */
  group: forEnvironment("Viewer")
    .input(oneBoard.extend({ start, tier: z.int().min(0).max(100), group: z.int32().min(0) }))
    .output(z.object({ rows: z.array(standing) })),
};
