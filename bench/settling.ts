import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "../db/client.ts";
import { checkIntegrity } from "../server/operations/integrity/check.ts";
import { fillPlayers, fillScores } from "./harness/boards.ts";
import { eventDefinition } from "./harness/definitions.ts";
import { makeItem, playerName } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { expectOk, requestOf, withConnections } from "./harness/http.ts";
import { startService } from "./harness/process.ts";
import { makeProject, pointsRequest, type Project } from "./harness/project.ts";
import { sized } from "./harness/size.ts";
import { percentile, round } from "./harness/statistics.ts";

const BUDGET_MS = 100;
const GROUP_SIZE = 30;
const TIERS = ["bronze", "silver", "gold"];
const PRIZE = 100;
const PRIZED_RANK = 3;
/** The pause of each sender and reader between two requests, which leaves the machine time for settling. */
const EVERY_MS = 20;
const QUIET_MS = sized({ smoke: 200, usual: 5_000 });
const PLAYERS = sized({ smoke: 900, usual: 300_000, full: 10_000_000 });
const PATIENCE_MS = 60 * 60_000;

/** Whether other requests notice the settling of a large league. */
export const settling: Figure = {
  name: "settling",
  title: "longest wait of a request while a league is settled, to 100 ms",
  better: "less",
  reach: 1,
  stretch: 0.5,
  async measure(context) {
    const players = PLAYERS;
    context.say(`a league of ${players} players`);
    const database = await context.server.create("bench_settling");
    context.atEnd(database.close);
    const { sql } = database;
    const project = await makeProject(database, "league", {
      events: [eventDefinition("order_placed")],
      leaderboards: [
        {
          key: "weekly_league",
          name: "Weekly league",
          scoreSource: "Event",
          event: "order_placed",
          measure: { kind: "Sum", property: "amount" },
          rankOrder: "HighestFirst",
          period: { kind: "Calendar", every: "Week" },
          league: { groupSize: GROUP_SIZE, tiers: TIERS.map((key) => ({ key, name: key })), promotes: 5, relegates: 5 },
          prizes: [{ fromRank: 1, toRank: PRIZED_RANK, rewards: [{ kind: "Points", points: PRIZE }] }],
        },
        // Read meanwhile: the league's next week starts empty, but this board is as full as the settled one.
        {
          ...{
            key: "all_time",
            name: "All time",
            scoreSource: "Event",
            event: "order_placed",
            measure: { kind: "Sum", property: "amount" },
          },
          ...{ rankOrder: "HighestFirst", period: { kind: "AllTime" } },
        },
      ],
    });
    await fillPlayers(database, project, players);
    const periodOf = async (key: string) => {
      const [period] = await sql<{ id: number }[]>`
        select p.id from leaderboard_periods p join definitions d on d.id = p.leaderboard_id where p.environment_id = ${project.environment.id} and d.key = ${key}`;
      return period!.id;
    };
    const periodId = await periodOf("weekly_league");
    for (const id of [periodId, await periodOf("all_time")]) await fillScores(database, id, "uniform");
    await fillSeats(sql, periodId);
    await sql`vacuum (analyze) players, leaderboard_scores, leaderboard_seats, leaderboard_tiers, leaderboard_blocks, leaderboard_counts`;

    const service = await startService(context, database.url);
    const before = await waitsWhile(service.port, project, players, () => sleep(QUIET_MS));
    await endLastWeek(sql, periodId);
    const started = performance.now();
    const during = await waitsWhile(service.port, project, players, () => untilSettled(sql, periodId));
    const seconds = (performance.now() - started) / 1000;
    await service.stop();

    await expectSettled(context, sql, periodId, players);
    // The measurement writes scores and points without events, so audit findings about those are expected.
    const wrong = (await checkIntegrity(database, project.environment)).filter((line) => /seat|outcome|prize|group/.test(line));
    context.outcome.equal("audit findings about seats, outcomes and prizes", wrong, []);
    const all = Object.entries(during);
    return {
      reference: { name: "the budget", unit: "ms", values: [BUDGET_MS] },
      ours: { name: `longest wait, ${players} players`, unit: "ms", values: [Math.max(...all.flatMap(([, times]) => times))] },
      notes: [
        `settled in ${round(seconds)} s, ${Math.round(players / seconds)} players/s`,
        ...all.map(([name, times]) => `${name}: ${words(times)}; before: ${words(before[name]!)}`),
      ],
    };
  },
};

const words = (times: readonly number[]): string =>
  `${times.length} times, p50 ${round(percentile(times, 0.5))} ms, p99 ${round(percentile(times, 0.99))} ms, longest ${round(Math.max(...times))} ms`;

/** Gives every player a seat of this period, and spreads them evenly over the tiers. */
async function fillSeats(sql: Sql, periodId: number): Promise<void> {
  await sql`
    with placed as materialized (
      select part, player_id, reached_seq, (get_byte(uuid_send(player_id), 0) % ${TIERS.length}::int)::smallint as tier
      from leaderboard_scores where period_id = ${periodId}
    ), seated as (
      insert into leaderboard_seats (part, player_id, period_id, first_seq, tier, group_number)
      select part, player_id, ${periodId}, reached_seq, tier, (row_number() over (partition by tier order by reached_seq) - 1) / ${GROUP_SIZE}::int
      from placed
    ), tiers as (
      insert into leaderboard_tiers (part, player_id, leaderboard_id, tier)
      select p.part, p.player_id, l.leaderboard_id, p.tier from placed p join leaderboard_periods l on l.id = ${periodId} where p.tier > 0
    )
    update leaderboard_periods set seats = (
      select array_agg(s.count order by s.tier) from (select tier, count(*)::int as count from placed group by 1) s) where id = ${periodId}`;
}

/** Moves the period to last week, so that it is due for settling. */
async function endLastWeek(sql: Sql, periodId: number): Promise<void> {
  await sql`
    update leaderboard_periods set start = (start::date - 7)::text, number = number - 1, starts_at = starts_at - interval '7 days',
      ends_at = ends_at - interval '7 days', settles_at = settles_at - interval '7 days', due_at = due_at - interval '7 days'
    where id = ${periodId}`;
}

async function untilSettled(sql: Sql, periodId: number): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const [row] = await sql<{ step: string }[]>`select step from leaderboard_periods where id = ${periodId}`;
    if (row?.step === "Settled") return;
    await sleep(50);
  }
  throw new Error("The league was not settled.");
}

/** Sends customers' requests while `work` runs, each kind on its own connection; returns their round trips in milliseconds. */
async function waitsWhile(port: number, { key }: Project, players: number, work: () => Promise<void>): Promise<Record<string, number[]>> {
  const randomPlayer = () => playerName(Math.floor(Math.random() * players));
  const boardRequest = (board: string) =>
    requestOf("GET", `/v1/leaderboards/${board}?PlayerId=${randomPlayer()}&Top=10&Neighbours=5`, { key });
  const requests: Record<string, () => Buffer> = {
    "an event": () => {
      const item = { ...makeItem(randomPlayer()), occurredAt: new Date().toISOString() };
      return requestOf("POST", "/v1/events", { key, body: JSON.stringify({ events: [item] }) });
    },
    "a read of the league": () => boardRequest("weekly_league"),
    "a read of a full board": () => boardRequest("all_time"),
    "a points read": () => pointsRequest(key, randomPlayer()),
  };
  const names = Object.keys(requests);
  const times: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  let isOver = false;
  await withConnections(port, names.length, async (open) => {
    const customers = names.map(async (name, index) => {
      while (!isOver) {
        const begun = performance.now();
        expectOk(await open[index]!.request(requests[name]!()));
        times[name]!.push(performance.now() - begun);
        await sleep(EVERY_MS);
      }
    });
    await work();
    isOver = true;
    await Promise.all(customers);
  });
  return times;
}

/** Checks that every player has an outcome, and that the best of every group, including equal scores, have their prize. */
async function expectSettled({ outcome }: Pick<Context, "outcome">, sql: Sql, periodId: number, players: number): Promise<void> {
  const [found] = await sql<{ outcomes: number; promoted: number; points: number; due: number }[]>`
    with ranked as (
      select m.tier, m.outcome, rank() over (partition by m.tier, m.group_number order by s.sort_score) as rank
      from leaderboard_seats m join leaderboard_scores s on s.part = m.part and s.player_id = m.player_id and s.period_id = m.period_id
      where m.period_id = ${periodId}
    )
    select count(outcome) as outcomes, count(*) filter (where outcome = 'Promoted') as promoted,
      (select coalesce(sum(amount), 0)::bigint from points_transactions) as points, ${PRIZE}::int * count(*) filter (where rank <= ${PRIZED_RANK}::int) as due
    from ranked`;
  outcome.equal("players with an outcome", found!.outcomes, players);
  outcome.atLeast("players who were promoted", found!.promoted, 1);
  outcome.equal("points granted", found!.points, found!.due);
}
