/**
 * Every table with rows of players, by what an erasure does to them. A test compares these lists with the database: a table that is in none
 * of them fails it.
 */
export const PLAYER_TABLES = {
  /** Deleted by the player's key. */
  deleted: [
    "events",
    "metric_events",
    "metric_totals",
    "mission_states",
    "mission_distinct_values",
    "attribute_values",
    "rollups",
    "streak_periods",
    "streak_runs",
    "streak_beginnings",
    "leaderboard_tiers",
    "queued_facts",
  ],
  /** Kept under a random owner, without what people or programs wrote into them: totals, stock and the ranks of others stand on them. */
  kept: [
    "points_transactions",
    "balances",
    "mission_completions",
    "marketplace_purchases",
    "owed_items",
    "leaderboard_scores",
    "leaderboard_seats",
    "leaderboard_contributions",
  ],
  /** By statements of their own. */
  others: ["players", "segment_members", "quarantined_facts", "erasures", "anonymous_owners"],
} as const;
