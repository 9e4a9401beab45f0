import { formatInstant } from "../kernel/time.ts";
import type { Kind } from "../definitions/contract.ts";
import type { WebhookEvent } from "./contract.ts";
import { DAY } from "../kernel/instant.ts";

/** The content of a test delivery. Keys may be those of existing definitions; nothing is looked up. */
export interface Sampled {
  /** The player's external id. */
  player: string;
  /** The key of the mission, catalog item, streak or leaderboard. */
  key: string;
  /** A new UUID: the occurrence, the purchase. */
  id: string;
  /** On the environment's clock, epoch milliseconds. */
  now: number;
}

/** The kind of definition that an event refers to, and an example key for a Sandbox that has none. */
export const SAMPLED: Record<WebhookEvent, { kind: Kind; example: string }> = {
  "mission.completed": { kind: "missions", example: "coffee_lover" },
  "catalog_item.fulfillment_requested": { kind: "catalogItems", example: "free_coffee" },
  "streak.milestone_reached": { kind: "streaks", example: "daily_coffee" },
  "leaderboard.period_closed": { kind: "leaderboards", example: "top_spenders" },
};

/** The `data` of a test delivery: every member that a real one has. */
export function sampleData(event: WebhookEvent, { player, key, id, now }: Sampled): object {
  const at = formatInstant(now);
  switch (event) {
    case "mission.completed":
      return { playerExternalId: player, missionKey: key, occurrenceId: id, occurrenceNumber: 0, completedAtUtc: at };
    case "catalog_item.fulfillment_requested":
      return {
        playerExternalId: player,
        catalogItemKey: key,
        valueType: "Number",
        value: 1,
        sourceType: "MarketplacePurchase",
        sourceId: id,
      };
    case "streak.milestone_reached":
      return { playerExternalId: player, streakKey: key, milestone: 7, currentLength: 7, reachedAtUtc: at };
    case "leaderboard.period_closed":
      return {
        leaderboardKey: key,
        periodNumber: 0,
        startsAtUtc: formatInstant(now - 7 * DAY),
        endsAtUtc: at,
        participants: 25,
        settledAtUtc: at,
      };
  }
}
