const SET = "The players of a slice, a batch or a page, by their keys: each machine is asked once for all of its own.";
const PROBE = "The background work asks each machine whether there is anything to do: one look at an index of each shard.";
const BOARD =
  "Each shard answers with its best rows by its index, and the coordinator keeps the best of these. Counts by range are on the coordinator.";
const DAILY = "Counted in the background, at most once a day of an environment or of a segment.";
const AUDIT = "An audit copies one environment to the coordinator and compares it there (db/scale/local-copy.ts).";
const PAGE =
  "A page of an environment's players or rows in an order of its own, for people, an export or the background: each shard gives its first ones.";
const RESET = "A reset of a Sandbox and the removal of a project delete all of its players, a page at a time.";

/** Statements that go to several shards on purpose: a piece of the text, with single spaces, and why. */
export const DELIBERATE: readonly { has: string; why: string }[] = [
  // Before the keyed sets: an audit has keys in its statements too.
  { has: "insert into pg_temp.", why: AUDIT },
  ...[
    'k("part" smallint',
    'r("part" smallint',
    'w("part" smallint',
    'p("part" smallint',
    's("part" smallint',
    "as part, unnest(",
    "as g(part, player_id",
    "unnest(in_parts, in_players)",
    "r(p smallint, u uuid",
  ].map((has) => ({ has, why: SET })),
  { has: "exists (select 1 from players p where p.environment_id = in_environment_id", why: PROBE },
  { has: "environments_with_begun_periods()", why: PROBE },
  { has: "periods_with_unseated()", why: PROBE },
  { has: "min(due_at)", why: PROBE },
  { has: "from streak_beginnings b where b.environment_id = in_environment_id and b.due_at <= moment", why: PROBE },
  { has: "from leaderboard_scores s where s.period_id = in_period", why: BOARD },
  { has: "where s.period_id = in_period and", why: BOARD },
  { has: "width_bucket(b.balance", why: DAILY },
  { has: "streak_runs r on r.part = p.part", why: DAILY },
  { has: "with first as materialized ( select analytics_epoch, part from players", why: DAILY },
  { has: "from players where environment_id = $1 and external_id", why: PAGE },
  { has: "select count(*) from players where environment_id = $1", why: PAGE },
  { has: "delete from anonymous_owners where environment_id", why: RESET },
  { has: 'delete from "leaderboard_scores" where period_id in', why: RESET },
  { has: "with gone as (delete from segment_counts where environment_id", why: RESET },
  {
    has: "where b.environment_id = $1 and b.id = $2::uuid",
    why: "Support takes a purchase back by its id alone: each shard looks in its index.",
  },
  { has: "select exists (select 1 from metric_totals", why: "A change of definitions asks whether anybody has a value yet." },
  { has: 'select o.source_type as "sourceType"', why: "A test's own look at everything that is owed." },
];
