import { expect, test } from "vitest";
import { testDatabase, testProject, type TestProject } from "#db/testing.ts";
import { ingest } from "../../game/events/service.ts";
import type { Actor } from "../../model/kernel/environment.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { importDefinitions } from "../definitions/service/import.ts";
import { removeDefinition } from "../definitions/service/switching.ts";
import { cancelBacktest, listBacktests, readBacktest, startBacktest } from "./service/backtests.ts";
import { type Backtest, runBacktest } from "./service/run.ts";
import { watchStalls } from "../../process/monitoring/stalls.ts";
import { runDue } from "./service/runner.ts";
import { takeDue } from "./store/rows.ts";

const database = await testDatabase();
const { sql } = database;
const ANN: Actor = { userId: null, name: "Ann" };
const HOUR = 3_600_000;

const objective = { event: "ordered", operator: "GreaterThanOrEqualTo", target: 2 };
const MISSION = {
  key: "orders",
  name: "Orders",
  objectives: [objective],
  recurrence: { kind: "Calendar", every: "Day" },
  rewards: [{ kind: "Points", points: 10 }],
};
const STREAK = { key: "daily", name: "Daily", event: "ordered", cadence: "Day", milestones: [{ length: 3, rewards: MISSION.rewards }] };
const FILE = { version: 1, events: [{ key: "ordered", name: "Ordered" }] };

async function shop(more: object = {}): Promise<TestProject> {
  const project = await testProject(database);
  expect(await importDefinitions(database, project.sandbox, { ...FILE, ...more })).not.toHaveProperty("problems");
  const [row] = await sql<{ version: number }[]>`select definitions_version as version from environments where id = ${project.sandbox.id}`;
  return { ...project, sandbox: { ...project.sandbox, definitionsVersion: row!.version } };
}

const asked = (draft: object, more: Partial<Backtest> = {}): Backtest => ({
  ...{ kind: "missions", document: JSON.stringify(draft), along: [], days: 7, entry: "WindowStart", sample: 10_000 },
  ...more,
});

/** Events of a player at instants, received when they happened. */
const send = (project: TestProject, playerId: string, ...instants: number[]) => sendEvents(project, "ordered", playerId, ...instants);

async function sendEvents({ sandbox }: TestProject, event: string, playerId: string, ...instants: number[]): Promise<void> {
  for (const now of instants) {
    const items = [{ playerId, event, occurredAt: new Date(now).toISOString() }];
    await ingest(database, sandbox, { items, mayHoldBadText: false, now });
  }
  await drainFacts(database, sandbox.id);
}

/** Noon, this many days ago. */
const noon = (daysAgo: number): number => new Date().setUTCHours(12, 0, 0, 0) - daysAgo * 24 * HOUR;

test("a backtest says how many players would have completed a draft, its cost, how long it takes, and where the others stop", async () => {
  const project = await shop({ pointsValuations: [{ effectiveFrom: "2020-01-01T00:00:00Z", points: 100, amount: 2, currency: "EUR" }] });
  await send(project, "ann", noon(2), noon(2) + HOUR, noon(1), noon(1) + 3 * HOUR);
  await send(project, "bob", noon(2));
  await send(project, "old", noon(200));
  const result = await runBacktest(database, project.sandbox, asked(MISSION));
  const exact = (value: number) => ({ value, low: value, high: value });
  expect(result).toMatchObject({ players: 3, played: 3, isExact: true, events: 5, today: null, difference: null });
  expect(result.draft).toMatchObject({
    ...{ qualified: exact(3), entered: exact(3), completed: exact(1), unfinished: exact(2), completions: exact(2) },
    stops: [{ label: "Ordered at least 2 times", players: exact(2) }],
    timeToComplete: { lower: HOUR, upper: 3 * HOUR },
  });
  const weeks = (Date.parse(result.to) - Date.parse(result.from)) / (7 * 24 * HOUR);
  expect(result.draft.perWeek.points.value).toBeCloseTo(20 / weeks);
  expect(result.draft.worthPerWeek).toMatchObject({
    currency: "EUR",
    amount: { value: expect.closeTo(result.draft.perWeek.points.value / 50, 9) },
  });
  expect(result.draft.spans.filter(({ points }) => points.value > 0).map(({ from }) => from)).toEqual(
    [2, 1].map((days) => new Date(noon(days)).toISOString().slice(0, 10)),
  );
  expect(result.notes).toEqual([
    expect.stringContaining("Assumes that everyone opened the mission on"),
    "1 player had no event in this time.",
  ]);
});

test("points are worth what the last valuation that was not deleted says", async () => {
  const [earlier, deleted] = ["2020-01-01T00:00:00.000Z", "2021-01-01T00:00:00.000Z"];
  const worth = { points: 100, amount: 2, currency: "EUR" };
  const { sandbox } = await shop({
    pointsValuations: [
      { effectiveFrom: earlier, ...worth },
      { effectiveFrom: deleted, ...worth, currency: "USD" },
    ],
  });
  const run = async () => runBacktest(database, (await loadEnvironment(sql, sandbox.id))!, asked(MISSION));
  expect((await run()).draft.worthPerWeek?.currency).toBe("USD");
  expect(await removeDefinition(database, sandbox, { kind: "pointsValuations", key: deleted }, ANN)).toEqual({ problems: [] });
  expect((await run()).draft.worthPerWeek?.currency).toBe("EUR");
});

test("a changed mission is compared with the saved one, over the same players", async () => {
  const project = await shop({ missions: [MISSION] });
  await send(project, "ann", noon(2), noon(2) + HOUR);
  const doubled = { ...MISSION, rewards: [{ kind: "Points", points: 25 }] };
  const { today, draft, difference } = await runBacktest(database, project.sandbox, asked(doubled));
  expect([today?.completions.value, draft.completions.value]).toEqual([1, 1]);
  expect(difference).toMatchObject({ completions: { value: 0 }, points: { value: 15 } });
  const unchanged = await runBacktest(database, project.sandbox, asked(MISSION));
  expect([unchanged.today, unchanged.difference]).toEqual([null, null]);
});

test("with entry at the first event, players who did nothing meet nothing", async () => {
  const project = await shop();
  await send(project, "ann", noon(2), noon(2) + HOUR);
  await send(project, "old", noon(200));
  const { draft, notes } = await runBacktest(database, project.sandbox, asked(MISSION, { entry: "FirstEvent" }));
  expect([draft.entered.value, draft.completions.value]).toEqual([1, 1]);
  expect(notes[0]).toContain("just before each of their events");
});

test("with entry at the first event, players enter by the events that a variant counts itself, not by those of its audience or of the other", async () => {
  const project = await shop({ missions: [MISSION], events: [...FILE.events, { key: "opened", name: "Opened" }] });
  await send(project, "ann", noon(2));
  await sendEvents(project, "opened", "bob", noon(3), noon(2));
  await sendEvents(project, "opened", "cid", noon(3));
  await send(project, "cid", noon(2), noon(2) + HOUR);
  await sendEvents(project, "opened", "cid", noon(1));
  await send(project, "cid", noon(1) + 2 * HOUR, noon(1) + 3 * HOUR);
  const audience = { rule: { event: "opened", operator: "GreaterThanOrEqualTo", value: 1 } };
  const { draft, today } = await runBacktest(database, project.sandbox, asked({ ...MISSION, audience }, { entry: "FirstEvent" }));
  const figures = (one: typeof draft) => [one.qualified.value, one.entered.value, one.unfinished.value, one.timeToComplete?.upper];
  expect(today && figures(today)).toEqual([2, 2, 1, HOUR]);
  // On the second day the draft is opened before the event of its audience.
  expect(figures(draft)).toEqual([1, 1, 0, 3 * HOUR]);
});

test("a streak is played from the start of the window", async () => {
  const project = await shop();
  await send(project, "ann", noon(4), noon(3), noon(2));
  await send(project, "bob", noon(4), noon(2));
  const { draft } = await runBacktest(database, project.sandbox, asked(STREAK, { kind: "streaks" }));
  expect([draft.entered.value, draft.completed.value, draft.stops]).toMatchObject([2, 1, [{ label: "Length 3", players: { value: 1 } }]]);
  expect(draft.spans.reduce((sum, { points }) => sum + points.value, 0)).toBe(10);
});

test("of a sample, the interval holds the true value, and the few most active players are included", async () => {
  const project = await shop();
  const { id } = project.sandbox;
  const [event] = await sql<{ id: number }[]>`select id from definitions where environment_id = ${id} and kind = 'events'`;
  // 3,000 players: every 60th orders twice on each of six days, every third once on one day, and the others do nothing.
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at)
    select ('x' || substr(u, 1, 8))::bit(32)::bigint >> 22, u::uuid, ${id}, 'p' || n, now() - interval '30 days'
    from generate_series(1, 3000) n, lateral (select md5('p' || n) as u) h`;
  await sql`
    insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at)
    select part, player_id, gen_random_uuid(), ${id}, ${event!.id}, nextval('fact_seq'), at, at
    from (select p.part, p.player_id, date_trunc('day', now()) - make_interval(days => d, hours => -h) as at
      from players p, generate_series(1, 6) d, generate_series(9, 10) h
      where p.environment_id = ${id} and (substr(p.external_id, 2)::int % 60 = 0
        or (substr(p.external_id, 2)::int % 3 = 0 and d = 2 and h = 9))
      order by at) e`;
  await sql`
    insert into player_days (part, player_id, environment_id, day, hour)
    select distinct on (part, player_id, occurred_at::date) part, player_id, ${id}::int, occurred_at::date, 9 from events where environment_id = ${id}`;
  const truth = 50 * 6;
  const sampled = await runBacktest(database, project.sandbox, asked(MISSION, { sample: 600 }));
  expect([sampled.isExact, sampled.players]).toEqual([false, 3_000]);
  expect(sampled.played).toBeLessThanOrEqual(600);
  const rare = sampled.strata.at(-1)!;
  // A proportional sample would have ten of them.
  expect([rare.players, rare.played]).toEqual([50, 50]);
  expect(sampled.draft.completions.low).toBeLessThanOrEqual(truth);
  expect(sampled.draft.completions.high).toBeGreaterThanOrEqual(truth);
  expect(sampled.draft.entered.value).toBeCloseTo(3_000);
  const counted = await runBacktest(database, project.sandbox, asked(MISSION, { sample: 600 }), { maxCounted: 1_500 });
  expect(counted.players).toBeGreaterThan(2_700);
  expect(counted.players).toBeLessThan(3_300);
  expect(counted.draft.completions.low).toBeLessThanOrEqual(truth);
  expect(counted.draft.completions.high).toBeGreaterThanOrEqual(truth);
  const all = await runBacktest(database, project.sandbox, asked(MISSION));
  expect([all.isExact, all.draft.completions]).toEqual([true, { value: truth, low: truth, high: truth }]);
});

test("an environment runs one backtest at a time, and the next can start once it has its result", async () => {
  const { sandbox } = await shop();
  const start = () => startBacktest(database, sandbox, Date.now(), asked(MISSION), ANN);
  const both = await Promise.allSettled([start(), start()]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const [{ id } = { id: "" }] = await listBacktests(database, sandbox, { kind: "missions", key: "orders" });
  expect(await readBacktest(database, sandbox, id)).toMatchObject({ status: "Waiting", result: null });
  expect(await runDue(database)).toBe(true);
  const done = await readBacktest(database, sandbox, id);
  expect(done).toMatchObject({ status: "Done", createdBy: "Ann", result: { players: 0, isExact: true } });
  const [row] = await sql<{ document: string }[]>`select document from backtests where id = ${id}`;
  expect(row!.document).toBe("");
  expect((await start()).id).not.toBeNull();
  expect(await runDue(database)).toBe(true);
  expect(await runDue(database)).toBe(false);
});

test("a draft with problems is refused immediately, in pointers, and nothing is queued", async () => {
  const { sandbox } = await shop();
  const wrong = { ...MISSION, objectives: [{ ...objective, event: "orderd" }] };
  const { problems, id } = await startBacktest(database, sandbox, Date.now(), asked(wrong), ANN);
  expect([id, problems[0]?.pointer]).toEqual([null, "/objectives/0/event"]);
  expect(await listBacktests(database, sandbox, { kind: "missions", key: "orders" })).toEqual([]);
});

test("a cancelled backtest ends without a result, whether it waits or runs", async () => {
  const project = await shop();
  const { sandbox } = project;
  const start = async () => (await startBacktest(database, sandbox, Date.now(), asked(MISSION), ANN)).id!;
  const waiting = await start();
  expect(await cancelBacktest(database, sandbox, waiting)).toBe(true);
  expect(await runDue(database)).toBe(false);
  await send(project, "ann", noon(1));
  const running = await start();
  // Cancels the backtest between its lease and its first progress update.
  await sql`create function cancel_taken() returns trigger language plpgsql as
    $$ begin if new.status = 'Running' and old.status = 'Waiting' then new.is_cancelled := true; end if; return new; end $$`;
  await sql`create trigger cancel_taken before update on backtests for each row execute function cancel_taken()`;
  expect(await runDue(database)).toBe(true);
  await sql`drop trigger cancel_taken on backtests`;
  expect(await readBacktest(database, sandbox, running)).toMatchObject({ status: "Cancelled", result: null });
  expect(await cancelBacktest(database, sandbox, running)).toBe(false);
});

test("a backtest whose process died is taken over by another process, in three attempts at most", async () => {
  const { sandbox } = await shop();
  const { id } = await startBacktest(database, sandbox, Date.now(), asked(MISSION), ANN);
  for (let round = 0; round < 3; round++) {
    expect((await takeDue(sql, 60))?.id).toBe(id);
    // No other process takes it while the lease holds.
    expect(await takeDue(sql, 60)).toBeNull();
    await sql`update backtests set leased_until = now() - interval '1 second' where id = ${id}`;
  }
  expect(await runDue(database)).toBe(true);
  expect(await readBacktest(database, sandbox, id!)).toMatchObject({ status: "Failed", error: expect.stringContaining("interrupted") });
});

test("a process that stops puts its backtest back in the queue", async () => {
  const project = await shop();
  await send(project, "ann", noon(1));
  const { id } = await startBacktest(database, project.sandbox, Date.now(), asked(MISSION), ANN);
  await runDue(database, () => true);
  expect(await readBacktest(database, project.sandbox, id!)).toMatchObject({ status: "Waiting" });
  await runDue(database);
  expect(await readBacktest(database, project.sandbox, id!)).toMatchObject({ status: "Done" });
});

test("a backtest that no run of a scheduler has time for ends, and does not begin anew for ever", async () => {
  const project = await shop();
  await send(project, "ann", noon(1));
  const { id } = await startBacktest(database, project.sandbox, Date.now(), asked(MISSION), ANN);
  for (let run = 0; run < 4; run++) await runDue(database, () => true);
  expect(await readBacktest(database, project.sandbox, id!)).toMatchObject({
    status: "Failed",
    error: expect.stringContaining("fewer days"),
  });
});

test("purged logs shorten the window, and the notes name erased players", async () => {
  const project = await shop();
  const { id } = project.sandbox;
  await send(project, "ann", noon(6), noon(6) + HOUR, noon(2), noon(2) + HOUR);
  await sql`insert into retention (environment_id, event_days, purged_before) values (${id}, 5, to_timestamp(${noon(4) / 1000}::float8))`;
  await sql`insert into erasures (part, player_id, environment_id, erased_at, actor) values (1, gen_random_uuid(), ${id}, now(), 'Ann')`;
  const { draft, from, notes } = await runBacktest(database, project.sandbox, asked(MISSION));
  expect([Date.parse(from), draft.completions.value]).toEqual([noon(4), 1]);
  expect(notes.slice(1)).toEqual([
    expect.stringContaining("Older events were deleted by the retention setting"),
    "1 player erased in this time is not included.",
  ]);
});

test("a backtest does not block the event loop", async () => {
  const project = await shop();
  const { id } = project.sandbox;
  // All events of a page of players: without yielding, they would be played in one piece.
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at)
    select ('x' || substr(u, 1, 8))::bit(32)::bigint >> 22, u::uuid, ${id}, 'p' || n, now() from generate_series(1, 150) n, lateral (select md5('turn' || n) as u) h`;
  await sql`
    insert into events (part, player_id, id, environment_id, definition_id, seq, occurred_at, received_at)
    select p.part, p.player_id, gen_random_uuid(), ${id}, d.id, nextval('fact_seq'), now() - make_interval(mins => 200 - n), now() - make_interval(mins => 200 - n)
    from players p join definitions d on d.environment_id = ${id} and d.kind = 'events', generate_series(1, 150) n where p.environment_id = ${id}`;
  const recurring = { ...MISSION, recurrence: { kind: "AfterCompletion", cooldownHours: 0 } };
  const stalls = watchStalls();
  await new Promise((resolve) => setTimeout(resolve, 50));
  stalls.takeLongest();
  const cpuOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;
  const began = process.cpuUsage();
  const { draft } = await runBacktest(database, project.sandbox, asked(recurring));
  const spent = cpuOf(process.cpuUsage(began));
  const longest = stalls.takeLongest();
  stalls.stop();
  expect(draft.completions.value).toBe(150 * 75);
  expect(longest).toBeLessThan(spent / 4);
  expect(database.use()).toMatchObject({ inUse: 0, waiting: 0 });
});

test("a backtest changes no data of players", async () => {
  const project = await shop({ missions: [MISSION] });
  await readMissions(database, project.sandbox, Date.now(), { externalId: "ann", includeCompleted: false, language: null, take: null });
  await send(project, "ann", noon(0), noon(0) + 1);
  const all = () => sql`select (select json_agg(s order by 1) from mission_states s)::text as states,
    (select count(*) from mission_completions)::int as completions, (select count(*) from points_transactions)::int as transactions,
    (select count(*) from webhook_deliveries)::int as deliveries`;
  const before = await all();
  await runBacktest(database, project.sandbox, asked({ ...MISSION, rewards: [{ kind: "Points", points: 999 }] }));
  expect(await all()).toEqual(before);
});
