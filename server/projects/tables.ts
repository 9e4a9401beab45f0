/**
 * Every table, by how the rows of a project are found in it. A project is removed by these lists; a test compares them with the database,
 * and a table that is in none of them fails it.
 */
export const PROJECT_TABLES = {
  /** Keyed by `part` and `player_id` of players and of anonymous owners. */
  byPlayer: [
    "events",
    "mission_states",
    "mission_completions",
    "mission_distinct_values",
    "balances",
    "points_transactions",
    "owed_items",
    "marketplace_purchases",
    "attribute_values",
    "rollups",
    "metric_events",
    "metric_totals",
    "streak_periods",
    "streak_runs",
    "streak_beginnings",
    "leaderboard_contributions",
    "leaderboard_seats",
    "leaderboard_tiers",
    "player_days",
    "segment_members",
    "erasures",
  ],
  /** By `period_id` of leaderboard periods. */
  byPeriod: ["leaderboard_scores", "leaderboard_counts", "leaderboard_blocks"],
  /** By `delivery_id` of webhook deliveries. */
  byDelivery: ["webhook_answers", "webhook_attempts"],
  /** By `environment_id`, after everything that is found by their rows. */
  byEnvironment: [
    "queued_facts",
    "quarantined_facts",
    "recent_facts",
    "marketplace_rounds",
    // Deltas first: who adds them up is waited for, and has then written the sums.
    "analytics_deltas",
    "analytics_daily",
    "analytics_snapshots",
    "analytics_webhooks",
    "request_log",
    "event_tail",
    "request_log_omissions",
    "retention",
    "segment_counts",
    "leaderboard_periods",
    "leaderboard_fills",
    "leaderboard_zones",
    "webhook_copies",
    "webhook_listeners",
    "webhook_endpoints",
    "import_lines",
    "import_pieces",
    "imports",
    "scheduled_changes",
    "definition_versions",
    "definitions",
    "api_keys",
  ],
  /** By `mailing` of notices. */
  byMailing: ["notice_mails"],
  /** By `project_id`. */
  byProject: [
    "notices",
    "notice_mailings",
    "notice_choices",
    "images",
    "audit_log",
    "personal_tokens",
    "invitations",
    "memberships",
    "environments",
  ],
  /** By statements of their own. */
  others: ["players", "anonymous_owners", "webhook_deliveries", "projects"],
  /** They are of no project. */
  ofNone: ["organizations", "users", "accounts", "sessions", "password_resets", "sign_in_attempts", "processes", "instances"],
} as const;
