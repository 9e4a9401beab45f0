/**
 * Where each table of player data stands in a database that is distributed by `part` over several machines (Citus). What is in neither list
 * is a plain table on the coordinator: definitions, people, keys, webhooks, and everything that is found by environment or by time.
 */

/** The rows of a player, on the machine that has the player's part. `players` comes first: the others stand beside it. */
export const BY_PART = [
  "players",
  "events",
  "metric_events",
  "metric_totals",
  "mission_states",
  "mission_completions",
  "mission_distinct_values",
  "balances",
  "points_transactions",
  "owed_items",
  "marketplace_purchases",
  "attribute_values",
  "rollups",
  "streak_periods",
  "streak_runs",
  "streak_beginnings",
  "leaderboard_scores",
  "leaderboard_contributions",
  "leaderboard_seats",
  "leaderboard_tiers",
  "player_days",
  "segment_members",
] as const;

/**
 * They name players too, and stay on the coordinator. The queue is claimed in the one order of facts under locks that the coordinator has;
 * a fact is in it for some seconds. The others are a few rows, or rows of a few days.
 */
export const ON_COORDINATOR = ["queued_facts", "quarantined_facts", "erasures", "anonymous_owners", "event_tail"] as const;
