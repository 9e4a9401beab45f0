/** How the rows of a project are found in a table. `own`: by separate statements; `nothing`: they belong to no project. */
type FoundBy = "player" | "period" | "delivery" | "environment" | "mailing" | "project" | "own" | "nothing";
/** The effect of a reset of the Sandbox on a table. `anew`: leaderboards start again, in the current periods. */
type Reset = "emptied" | "own" | "anew" | "kept";
/** What an erasure does to the player's rows. `kept`: under a random owner, since totals, stock and other players' ranks depend on them. */
type Erasure = "deleted" | "kept" | "own";

interface Table {
  by: FoundBy;
  reset: Reset;
  /** For tables with a `player_id` only. */
  erasure?: Erasure;
  /**
   * For tables with a `part` only: the machines that hold them in a distributed database (Citus). The queue is on the coordinator, which
   * has the locks for claiming it; the other tables there have few rows, or rows of a few days.
   */
  part?: "workers" | "coordinator";
}

const ofPlayer = <E extends Erasure>(erasure: E) => ({ by: "player", reset: "emptied", erasure, part: "workers" }) as const;
const waiting = <E extends Erasure>(erasure: E) => ({ by: "environment", reset: "emptied", erasure, part: "coordinator" }) as const;
const ofEnvironment = <R extends Reset>(reset: R) => ({ by: "environment", reset }) as const;
const ofProject = { by: "project", reset: "kept" } as const;
const ofNothing = { by: "nothing", reset: "kept" } as const;

/**
 * Every table, one line each, in the order in which they are emptied. Resets, erasures, project removals and distribution follow it; a test
 * fails if a table of the database is missing here.
 */
const TABLES = {
  // First: in a distributed database the player tables are colocated with it.
  players: { by: "own", reset: "own", erasure: "own", part: "workers" },
  events: ofPlayer("deleted"),
  metric_events: ofPlayer("deleted"),
  metric_totals: ofPlayer("deleted"),
  mission_states: ofPlayer("deleted"),
  mission_completions: ofPlayer("kept"),
  mission_distinct_values: ofPlayer("deleted"),
  balances: ofPlayer("kept"),
  points_transactions: ofPlayer("kept"),
  owed_items: ofPlayer("kept"),
  marketplace_purchases: ofPlayer("kept"),
  attribute_values: ofPlayer("deleted"),
  rollups: ofPlayer("deleted"),
  streak_periods: ofPlayer("deleted"),
  streak_runs: ofPlayer("deleted"),
  streak_beginnings: ofPlayer("deleted"),
  // Includes the scores of teams, which are not players.
  leaderboard_scores: { by: "period", reset: "emptied", erasure: "kept", part: "workers" },
  leaderboard_counts: { by: "period", reset: "emptied" },
  leaderboard_blocks: { by: "period", reset: "anew" },
  leaderboard_contributions: ofPlayer("kept"),
  leaderboard_seats: ofPlayer("kept"),
  leaderboard_tiers: ofPlayer("deleted"),
  player_days: ofPlayer("own"),
  segment_members: { ...ofPlayer("own"), reset: "own" },
  erasures: { by: "player", reset: "kept", erasure: "own", part: "coordinator" },
  anonymous_owners: { by: "own", reset: "own", erasure: "own", part: "coordinator" },
  webhook_answers: { by: "delivery", reset: "own" },
  webhook_attempts: { by: "delivery", reset: "own" },
  webhook_deliveries: { by: "own", reset: "own" },
  queued_facts: waiting("deleted"),
  quarantined_facts: waiting("own"),
  recent_facts: ofEnvironment("emptied"),
  marketplace_rounds: ofEnvironment("emptied"),
  // Deltas first: deleting them waits for compaction, which has then written the sums.
  analytics_deltas: ofEnvironment("emptied"),
  analytics_daily: ofEnvironment("emptied"),
  analytics_hourly: ofEnvironment("emptied"),
  analytics_snapshots: ofEnvironment("emptied"),
  analytics_webhooks: ofEnvironment("own"),
  request_log: ofEnvironment("emptied"),
  event_tail: waiting("own"),
  event_effects: waiting("own"),
  request_log_omissions: ofEnvironment("emptied"),
  retention: ofEnvironment("kept"),
  segment_counts: ofEnvironment("own"),
  leaderboard_periods: ofEnvironment("anew"),
  leaderboard_fills: ofEnvironment("anew"),
  leaderboard_zones: ofEnvironment("kept"),
  webhook_copies: ofEnvironment("emptied"),
  webhook_listeners: ofEnvironment("kept"),
  webhook_endpoints: ofEnvironment("kept"),
  // In the order in which an import locks them.
  imports: ofEnvironment("emptied"),
  import_pieces: ofEnvironment("emptied"),
  import_lines: ofEnvironment("emptied"),
  backtests: ofEnvironment("emptied"),
  alerts: ofEnvironment("kept"),
  budgets: ofEnvironment("kept"),
  scheduled_changes: ofEnvironment("kept"),
  change_requests: ofEnvironment("kept"),
  change_request_events: ofEnvironment("kept"),
  definition_versions: ofEnvironment("kept"),
  definitions: ofEnvironment("kept"),
  api_keys: ofEnvironment("kept"),
  notice_mails: { by: "mailing", reset: "kept" },
  notices: ofProject,
  notice_mailings: ofProject,
  notice_choices: ofProject,
  channel_notices: ofProject,
  channel_messages: ofProject,
  notice_channels: ofProject,
  images: ofProject,
  audit_log: ofProject,
  personal_tokens: ofProject,
  invitations: ofProject,
  memberships: ofProject,
  environments: ofProject,
  projects: { by: "own", reset: "kept" },
  organizations: ofNothing,
  users: ofNothing,
  accounts: ofNothing,
  sessions: ofNothing,
  password_resets: ofNothing,
  second_factors: ofNothing,
  recovery_codes: ofNothing,
  remembered_devices: ofNothing,
  sign_in_attempts: ofNothing,
  processes: ofNothing,
  instances: ofNothing,
  installation: ofNothing,
  queue_floor: ofNothing,
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof TABLES;
type NameWhere<Wanted> = { [Name in TableName]: (typeof TABLES)[Name] extends Wanted ? Name : never }[TableName];

const ALL = Object.entries<Table>(TABLES);
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** The tables that match all of these conditions, in the order above. */
export const tablesWhere = <const Wanted extends Partial<Table>>(wanted: Wanted): NameWhere<Wanted>[] =>
  ALL.filter(([, table]) => Object.entries(wanted).every(([field, value]) => table[field as keyof Table] === value)).map(
    ([name]) => name as NameWhere<Wanted>,
  );

export const ON_WORKERS = tablesWhere({ part: "workers" });

/** A query: the ids of the periods of environment `$1`, as tables found by a period store them. */
export const PERIODS_OF_ENVIRONMENT =
  // Rows of hidden players use the negated id.
  "select p.id * side from leaderboard_periods p cross join (values (1), (-1)) as sides(side) where p.environment_id = $1";
