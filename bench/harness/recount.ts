import type { Sql } from "../../db/client.ts";
import type { Item } from "./events.ts";
import type { Outcome } from "./outcome.ts";

/** A number of events, and the sum of their amounts in hundredths. */
export interface Tally {
  events: number;
  cents: number;
}

const centsOf = ({ properties }: Item): number => Math.round(Number(properties["amount"]) * 100);

export const tallyOf = (batches: readonly (readonly Item[])[]): Tally => ({
  events: batches.reduce((sum, batch) => sum + batch.length, 0),
  cents: batches.reduce((sum, batch) => sum + batch.reduce((cents, item) => cents + centsOf(item), 0), 0),
});

export const plus = (one: Tally, other: Tally): Tally => ({ events: one.events + other.events, cents: one.cents + other.cents });

/** The tally of a log: `events`, or a table with the same columns. */
export async function tallyIn(sql: Sql, table = "events"): Promise<Tally> {
  const [row] = await sql<Tally[]>`
    select count(*) as events, coalesce(sum((properties ->> 'amount')::numeric * 100), 0)::bigint as cents from ${sql(table)}`;
  return { events: row!.events, cents: row!.cents };
}

export async function eventsIn(sql: Sql): Promise<number> {
  const [row] = await sql<{ events: number }[]>`select count(*) as events from events`;
  return row!.events;
}

/**
 * Checks that the two missions with a reachable target completed for every player with as many events, and paid once. `entered`: the only
 * environment whose players are entered; null if all players are.
 */
export async function expectCompletions(outcome: Outcome, sql: Sql, entered: number | null = null): Promise<void> {
  const [row] = await sql<{ completed: number; expected: number; points: number; balances: number }[]>`
    with played as (
      select count(*) as events from events where ${entered}::int is null or environment_id = ${entered} group by part, player_id
    )
    select (select count(*) from mission_completions) as completed,
      (select count(*) filter (where events >= 8) + count(*) filter (where events >= 20) from played) as expected,
      (select coalesce(sum(amount), 0)::bigint from points_transactions) as points,
      (select coalesce(sum(balance), 0)::bigint from balances) as balances`;
  const { completed, expected, points, balances } = row!;
  outcome.equal("missions completed, by a recount of the log", completed, expected);
  outcome.equal("points paid", { points, balances }, { points: completed * 10, balances: completed * 10 });
}

/** Checks the boards of `boardsAndStreak` against the log, and that their counts by range include every score. */
export async function expectScores(outcome: Outcome, sql: Sql): Promise<void> {
  const rows = await sql<{ board: string; scores: number; counted: number; cents: number }[]>`
    select d.key as board, count(*) as scores, (select sum(total)::bigint from leaderboard_counts c where c.period_id = p.id) as counted,
      sum(-s.sort_score * 100)::bigint as cents
    from leaderboard_scores s join leaderboard_periods p on p.id = s.period_id join definitions d on d.id = p.leaderboard_id
    group by d.key, p.id order by d.key`;
  const [log] = await sql<{ players: number; spent: number; orders: number; dearest: number }[]>`
    select count(*) as players, sum(spent)::bigint as spent, sum(orders)::bigint * 100 as orders, sum(dearest)::bigint as dearest
    from (select sum(amount) as spent, count(*) as orders, max(amount) as dearest
      from (select part, player_id, (properties ->> 'amount')::numeric * 100 as amount from events) e group by part, player_id) played`;
  const { players, ...cents } = log!;
  const expected = (["dearest", "orders", "spent"] as const).map((board) => ({
    board,
    scores: players,
    counted: players,
    cents: cents[board],
  }));
  outcome.equal(
    "scores by board, by a recount of the log",
    rows.map((row) => ({ ...row })),
    expected,
  );
}

/** Checks that nothing is queued or quarantined: quarantined events would make the figure look good, as they cost little. */
export async function expectNothingLeft(outcome: Outcome, sql: Sql): Promise<void> {
  const [row] = await sql<{ waiting: number; quarantined: number }[]>`
    select (select count(*) from queued_facts) as waiting, (select count(*) from quarantined_facts) as quarantined`;
  outcome.equal("facts left", { ...row! }, { waiting: 0, quarantined: 0 });
}
