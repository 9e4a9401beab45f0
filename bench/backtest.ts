import { type Backtest, runBacktest } from "../server/authoring/backtests/service/run.ts";
import { loadEnvironment } from "../server/engine/environment.ts";
import { alternate, HERE } from "./harness/alternate.ts";
import { fillPlayers } from "./harness/boards.ts";
import { eventDefinition } from "./harness/definitions.ts";
import type { Figure } from "./harness/figure.ts";
import { makeProject } from "./harness/project.ts";
import { sized } from "./harness/size.ts";

/** The time that 10,000 players and 30 days of their events may take. */
const BUDGET_MS = 10_000;
const PLAYERS = sized({ smoke: 500, usual: 10_000 });
const DAYS = 30;
/** A player's orders on an active day; on average every second day is active. */
const ORDERS = 2;

const mission = (points: number, more: object = {}) => ({
  key: "daily",
  name: "Daily",
  objectives: [
    {
      event: "order_placed",
      where: { property: "amount", operator: "GreaterThan", value: 5 },
      operator: "GreaterThanOrEqualTo",
      target: ORDERS,
    },
  ],
  recurrence: { kind: "Calendar", every: "Day" },
  rewards: [{ kind: "Points", points }],
  ...more,
});

/** An audience over history that every player is in. It is evaluated at each event. */
const OFTEN = {
  audience: {
    rule: { event: "order_placed", measure: { kind: "Count" }, operator: "GreaterThanOrEqualTo", value: 0, lastDays: 30 },
  },
};

/** A new daily leaderboard. All active players of a day share its first rank. */
const BOARD = {
  key: "board",
  name: "Board",
  scoreSource: "Event",
  event: "order_placed",
  measure: { kind: "Sum", property: "amount" },
  rankOrder: "HighestFirst",
  period: { kind: "Calendar", every: "Day" },
  prizes: [{ fromRank: 1, toRank: 1, rewards: [{ kind: "Points", points: 10 }] }],
};

/** Replays the last 30 days of all players with a changed mission and with the saved one, by the function that the worker's job calls. */
export const backtest: Figure = {
  name: "backtest",
  title: `a backtest of ${PLAYERS} players and ${DAYS} days, to ${BUDGET_MS / 1_000} s`,
  better: "less",
  reach: 1,
  stretch: 0.5,
  async measure(context) {
    const database = await context.server.create("bench_backtest");
    context.atEnd(database.close);
    const { sql } = database;
    const project = await makeProject(database, "backtest", { events: [eventDefinition("order_placed")], missions: [mission(10)] });
    const environment = (await loadEnvironment(sql, project.environment.id))!;
    const { id } = environment;
    context.say(`filling ${PLAYERS} players`);
    await fillPlayers(database, project, PLAYERS);
    // The share of active days is spread evenly over the players, from none to all.
    await sql`
      insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at, properties)
      select part, player_id, uuidv7(), ${id}, (select id from definitions where environment_id = ${id} and kind = 'events'), nextval('fact_seq'), at, at,
        ${'{"amount":12.5,"drink":"flat white","takeaway":true,"shop":"shop-123","channel":"counter","receipt":"order-12345"}'}::text::json
      from (
        select part, player_id, date_trunc('day', now()) - make_interval(days => day, hours => -hour) as at
        from players, generate_series(1, ${DAYS}::int) day, generate_series(9, ${8 + ORDERS}::int) hour
        where environment_id = ${id} and mod(abs(hashtext(external_id)), 1000) > mod(abs(hashtext(external_id || '/' || day)), 1000)
        order by at) e`;
    await sql`
      insert into player_days (part, player_id, environment_id, day, hour)
      select distinct part, player_id, ${id}::int, (occurred_at at time zone 'UTC')::date, 9 from events where environment_id = ${id}`;
    await sql`vacuum (analyze)`;
    const [truth] = await sql<{ events: number; days: number }[]>`
      select (select count(*) from events where environment_id = ${id})::int as events,
        (select count(*) from player_days where environment_id = ${id})::int as days`;
    const asked: Backtest = {
      kind: "missions",
      document: JSON.stringify(mission(20)),
      along: [],
      days: DAYS,
      entry: "WindowStart",
      sample: 50_000,
    };
    const both = [truth!.days, truth!.days];
    const run = async (which: Backtest, expected: number, completions: (number | undefined)[]) => {
      const began = performance.now();
      const { isExact, played, events, draft, today } = await runBacktest(database, environment, which, { maxMs: Infinity });
      const tookMs = performance.now() - began;
      context.outcome.equal("players played, and whether they are all", [played, isExact], [PLAYERS, true]);
      context.outcome.equal("events that were played", events, expected);
      context.outcome.equal(
        "completions of the draft and of the saved one",
        [draft, today].map((one) => one?.completions.value),
        completions,
      );
      return tookMs;
    };
    const measured = await alternate(
      context,
      "ms",
      { name: "the budget", measure: () => Promise.resolve(BUDGET_MS) },
      {
        name: `a mission beside the saved one, ${PLAYERS} players, ${truth!.events} events`,
        measure: async () => ({ value: await run(asked, truth!.events, both), done: truth!.events }),
        costs: { of: "event", by: [HERE] },
      },
    );
    const often = await run({ ...asked, document: JSON.stringify(mission(20, OFTEN)) }, truth!.events, both);
    const ranked = await run({ ...asked, kind: "leaderboards", document: JSON.stringify(BOARD) }, truth!.events, [truth!.days, undefined]);
    return {
      ...measured,
      notes: [`with an audience over the last 30 days: ${Math.round(often)} ms`, `a leaderboard of each day: ${Math.round(ranked)} ms`],
    };
  },
};
