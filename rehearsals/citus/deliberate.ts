const SET =
  "The players of a batch, of a page, or of a slice with few facts or a wide lane, by their keys: each machine is asked once for all of its own.";
const PROBE = "The background work asks each machine whether there is anything to do: one look at an index of each shard.";
const RANK =
  "A rank on a page, or of a tie: each shard counts its rows of one range by its index. Counts of whole ranges are on the coordinator.";
const RANGE = "A full range of a board's counts is divided in the background: each shard gives its scores of the range, or their number.";
const DAILY = "Counted in the background, at most once a day of an environment or of a segment, or once a settled period.";
const LEAGUE =
  "The players of a league's group, those who wait for a seat, and the next groups: at most some dozen of each, on whichever machines they are.";
const ZONE = "Another time zone of a project: rare, and all its players are meant.";
const AUDIT = "An audit copies one environment to the coordinator and compares it there (db/scale/local-copy.ts).";
const PAGE =
  "A page of an environment's players or rows in an order of its own, for people, an export or the background: each shard gives its first ones.";
const REPORT = "A report for people on an environment's players or a segment's members: each shard counts its own.";
const DEFINITIONS = "A change of definitions checks whether any player has a value yet.";
const TEST = "A test's own query of all players.";
const RESET = "A reset of a Sandbox and the removal of a project delete all of its players, a page at a time.";

/**
 * Statements that go to several shards on purpose: an excerpt with single spaces, and the reason. Statements in a function are preceded by
 * its name and a colon, so that one entry can cover a function.
 */
export const DELIBERATE: readonly { has: string; why: string }[] = [
  // Listed before the keyed sets, since an audit's statements contain keys too.
  { has: "insert into pg_temp.", why: AUDIT },
  ...[
    'g("part" smallint',
    'k("part" smallint',
    'm("part" smallint',
    'r("part" smallint',
    'w("part" smallint',
    'p("part" smallint',
    's("part" smallint',
    "as part, unnest(",
    "from a join rollups",
    "from k join players p on p.part = k.part",
    "as g(part, player_id",
    "unnest(in_parts, in_players)",
    "r(p smallint, u uuid",
    "with sender as materialized ( select t.part",
    "with tail as materialized ( select t.request_id",
  ].map((has) => ({ has, why: SET })),
  { has: "has_players_behind: ", why: PROBE },
  { has: "min(due_at)", why: PROBE },
  { has: "from streak_beginnings b where b.environment_id = in_environment_id and b.due_at <= moment", why: PROBE },
  { has: "leaderboard_rank: ", why: RANK },
  { has: "row_number() over (order by sort_score) as place from leaderboard_scores", why: RANGE },
  { has: "as place, count(*) as count from leaderboard_scores", why: RANGE },
  { has: "from leaderboard_seats where period_id =", why: LEAGUE },
  { has: "from leaderboard_seats s left join leaderboard_tiers t", why: LEAGUE },
  { has: "from leaderboard_seats m join leaderboard_scores s on", why: LEAGUE },
  { has: "from leaderboard_scores s left join players p on p.part = s.part", why: PAGE },
  { has: "from leaderboard_scores s where s.period_id = $1 and (s.sort_score, s.reached_seq, s.player_id) <", why: PAGE },
  { has: "select * from leaderboard_contributions where period_id = $1 and (team_key, part, player_id) >", why: PAGE },
  {
    has: "from leaderboard_contributions c join players p on p.part = c.part and p.player_id = c.player_id where c.period_id = $1",
    why: PAGE,
  },
  { has: "as score, count(*) as count from leaderboard_scores where period_id =", why: PAGE },
  { has: "with ranked as materialized ( select s.part, s.player_id, s.period_id, rank()", why: DAILY },
  { has: "created_at from players where environment_id = $1 and (part, player_id) >", why: REPORT },
  { has: "analytics_of_members: ", why: REPORT },
  { has: "width_bucket(b.balance", why: DAILY },
  { has: "with old as materialized ( select generation, part, player_id from segment_members", why: DAILY },
  { has: "update streak_beginnings b set due_at = to_timestamp(0) from environments e", why: ZONE },
  { has: "streak_runs r on r.part = p.part", why: DAILY },
  { has: "with first as materialized ( select analytics_epoch, part from players", why: DAILY },
  { has: "from players where environment_id = $1 and external_id", why: PAGE },
  { has: "select part, player_id from players where environment_id", why: PAGE },
  { has: "select count(*) from players where environment_id = $1", why: PAGE },
  { has: "from players p left join attribute_values a on", why: PAGE },
  { has: "as place, json_build_object('playerId', p.external_id", why: PAGE },
  { has: "(select part, player_id, external_id from players where environment_id = $1 and (part, player_id) >", why: PAGE },
  { has: "from players where environment_id = $1 order by created_at desc", why: PAGE },
  { has: "from marketplace_purchases b left join players p on", why: PAGE },
  { has: "from segment_members where segment_id = $1 and generation = $2 and (part, player_id) >", why: PAGE },
  { has: "as bytes from quarantined_facts where environment_id =", why: PAGE },
  { has: "with waiting as ( select q.seq, q.part, q.player_id, q.definition_id", why: PAGE },
  {
    has: "select count(*) filter (where analytics_epoch >= $2) as done",
    why: "Its progress is shown while an environment's history is counted.",
  },
  { has: "delete from anonymous_owners where environment_id", why: RESET },
  {
    has: "with next as materialized (select part, player_id from players where environment_id = $1 limit $2), page as ( delete",
    why: RESET,
  },
  { has: "with next as materialized (select part, player_id from anonymous_owners where environment_id = $1 limit $2)", why: RESET },
  { has: "delete from segment_members t using next n", why: RESET },
  { has: "delete from leaderboard_scores t using next n", why: RESET },
  { has: "delete from leaderboard_scores where period_id in", why: RESET },
  { has: "with gone as (delete from segment_counts where environment_id", why: RESET },
  {
    has: "where b.environment_id = $1 and b.id = $2::uuid",
    why: "Support takes a purchase back by its id alone: each shard looks in its index.",
  },
  {
    has: "select id from marketplace_purchases where environment_id = $1 and reversed_at is not null",
    why: "A bulk resend leaves out the reversed purchases of its environment: few, each shard finds its own in their index.",
  },
  { has: "select exists (select 1 from metric_totals", why: DEFINITIONS },
  { has: "select exists (select 1 from events where definition_id", why: DEFINITIONS },
  { has: "select player_id, count(*)::int as events from events where environment_id", why: TEST },
  { has: "delete from leaderboard_scores where period_id =", why: TEST },
  { has: "select player_id, sort_score::float8 as score, rank() over", why: TEST },
  { has: "select (select count(*)::int from marketplace_purchases where environment_id", why: TEST },
  { has: "select d.key, p.start, coalesce(s.team_key, w.external_id) as name", why: TEST },
  { has: "select d.key, p.start, w.external_id as name", why: TEST },
  { has: "select 1 from leaderboard_scores where period_id < 0 union all", why: TEST },
  { has: "select p.external_id as name from points_transactions t join players p", why: TEST },
  { has: "update players set display_name = external_id", why: TEST },
  { has: "select o.source_type", why: TEST },
  { has: "select part from players limit 1", why: TEST },
  { has: "as list, id from points_transactions", why: TEST },
  { has: "update players set hidden_at = now() where external_id", why: TEST },
  { has: "select b.id from marketplace_purchases b join players p using", why: TEST },
  { has: "select sum(amount)::int as granted from points_transactions where environment_id", why: TEST },
  { has: "delete from players where environment_id = $1", why: TEST },
  { has: "select (select count(distinct epoch) from analytics_daily where environment_id", why: TEST },
  { has: "select from owed_items where source_id = $1", why: TEST },
  { has: "select p.external_id as name from quarantined_facts q join players p", why: TEST },
  { has: "select from players where environment_id = $1", why: TEST },
];
