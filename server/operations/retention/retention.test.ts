import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { settleAnalytics } from "../integrity/testing.ts";
import { ingest } from "../../game/events/service.ts";
import { checkIntegrity } from "../integrity/check.ts";
import { type Environment, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { takeMetricEvent } from "../../game/metrics/service.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { changeProject } from "../../authoring/definitions/service/project-settings.ts";
import { moveClock } from "../sandbox/move-clock.ts";
import { drainFacts } from "../worker/drain-facts.ts";
import { purgeEvents } from "./service/purge.ts";
import { changeRetention, readRetention } from "./service/settings.ts";
import { beginPass, environmentsToPurge } from "./store.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const { sql } = database;

const board = { name: "Board", rankOrder: "HighestFirst", scoreSource: "Event", event: "order" };
const DEFINITIONS = {
  version: 1,
  events: [{ key: "order", name: "Order" }],
  metrics: [{ key: "steps", name: "Steps", kind: "Number" }],
  streaks: [{ key: "daily", name: "Daily", event: "order", cadence: "Day" }],
  leaderboards: [
    { ...board, key: "ever", period: { kind: "AllTime" } },
    { ...board, key: "weekly", period: { kind: "Calendar", every: "Week" } },
  ],
  missions: [
    {
      ...{ key: "thousand", name: "Thousand", rewards: [{ kind: "Points", points: 5 }] },
      objectives: [{ event: "order", operator: "GreaterThanOrEqualTo", target: 1_000 }],
    },
  ],
};

const PLAYERS = Array.from({ length: 6 }, (_, index) => `p${index}`);
const HOUR = 3_600_000;
/** Events per player. More than a slice deletes would take seconds to apply. */
const ORDERS = 20;
/** What a platform sends for "no date"; a JavaScript `Date` would read another year. */
const FIRST = "0001-01-01T00:00:00Z";

async function shop() {
  const { sandbox } = await testProject(database);
  expect(await importDefinitions(database, sandbox, DEFINITIONS)).not.toHaveProperty("problems");
  const current = async () => {
    const environment = (await loadEnvironment(sql, sandbox.id))!;
    return { environment, now: await environmentNow(sql, environment) };
  };
  /** Every player's events, some of them dated on earlier days. */
  const play = async (name: string) => {
    const { environment, now } = await current();
    for (const externalId of PLAYERS)
      await readMissions(database, environment, now, { externalId, take: null, includeCompleted: false, language: null });
    const items = PLAYERS.flatMap((playerId) =>
      Array.from({ length: ORDERS }, (_, index) => ({
        ...{ playerId, event: "order", occurredAt: name === "old" && index === 0 ? FIRST : formatInstant(now - index * 5 * HOUR) },
        idempotencyKey: `${name} ${index}`,
      })),
    );
    await ingest(database, environment, { items, mayHoldBadText: false, now });
    for (const externalId of PLAYERS)
      await takeMetricEvent(database, environment, now, {
        ...{ externalId, metricKey: "steps", value: 2.5, currencyCode: null, exchangeRate: null, idempotencyKey: name },
        ...{ occurredAt: now, properties: {}, timeZone: null },
      });
  };
  const log = () =>
    sql<{ key: string; events: number }[]>`
      select d.key, count(*)::int as events from (select * from (
        select environment_id, definition_id from events union all select environment_id, definition_id from metric_events) e) e
      join definitions d on d.id = e.definition_id where e.environment_id = ${sandbox.id} group by 1 order by 1`;
  const pass = async (duration: string) => moveClock(database, (await current()).environment, duration);
  return { sandbox, current, play, log, pass };
}

const keep = (environment: Environment, eventDays: 30 | 90 | 395 | null) =>
  changeRetention(database, environment, { eventDays, requestDays: 7, mayDelete: true }, COMMAND_LINE);

/** What reports sum, in any epoch. */
const reports = ({ id }: Environment) => sql<object[]>`
  select s.measure, s.subject, s.detail, s.day::text as day, sum(s.count)::int as count, sum(s.amount)::float8 as amount
  from (select environment_id, epoch, measure, subject, detail, day, count, amount from analytics_daily
    union all select environment_id, epoch, measure, subject, detail, day, count, amount from analytics_deltas) s
  join environments e on e.id = s.environment_id and s.epoch in (0, e.analytics_epoch)
  where s.environment_id = ${id} group by 1, 2, 3, 4 having sum(s.count) <> 0 order by 1, 2, 3, 4`;

test("a change of how long requests are kept leaves the time for events as another Admin has set it, also if the page shows a shorter one", async () => {
  const { sandbox } = await shop();
  await keep(sandbox, 90);
  await changeRetention(database, sandbox, { eventDays: null }, COMMAND_LINE);
  await changeRetention(database, sandbox, { requestDays: 30 }, COMMAND_LINE);
  expect(await readRetention(database, sandbox.id)).toMatchObject({ eventDays: null, requestDays: 30 });
  // A page from before that shows 30 days: 90 are longer than these, and shorter than what is kept by now.
  const unasked = changeRetention(database, sandbox, { eventDays: 90 }, COMMAND_LINE);
  await expect(unasked, "nothing is deleted unless somebody agreed").rejects.toThrow("would delete older data");
  expect(await readRetention(database, sandbox.id)).toMatchObject({ eventDays: null, requestDays: 30 });
});

test("old events are deleted while players stay active, and reports, totals and scores stay; the integrity check is clean", async () => {
  const [own, other] = [await shop(), await shop()];
  for (const { play, sandbox } of [own, other]) {
    await play("old");
    await drainFacts(database, sandbox.id);
  }
  await keep(own.sandbox, 30);
  await own.pass("P31D");
  await own.play("young");
  await drainFacts(database, own.sandbox.id);
  await settleAnalytics(database, own.sandbox.id);
  const before = await reports(own.sandbox);
  const audited: string[] = [];
  const [purged] = await Promise.all([
    purgeEvents(database),
    (async () => {
      for (let count = 0; count < 3; count++) {
        await own.play(`meanwhile ${count}`);
        await drainFacts(database, own.sandbox.id);
        audited.push(...(await checkIntegrity(database, own.sandbox)));
      }
    })(),
  ]);
  expect(purged).toBe(PLAYERS.length * (ORDERS + 1));
  expect(audited).toEqual([]);
  expect(await own.log()).toEqual([
    { key: "order", events: PLAYERS.length * ORDERS * 4 },
    { key: "steps", events: PLAYERS.length * 4 },
  ]);
  expect(await other.log()).toEqual([
    { key: "order", events: PLAYERS.length * ORDERS },
    { key: "steps", events: PLAYERS.length },
  ]);
  expect(await checkIntegrity(database, own.sandbox)).toEqual([]);
  // Days before any recent activity read as before.
  const [{ environment, now }, after] = [await own.current(), await reports(own.sandbox)];
  const isOld = ({ day }: { day?: string }) => day! < formatInstant(now - 12 * 24 * HOUR).slice(0, 10);
  expect(after.filter(isOld)).toEqual(before.filter(isOld));
  expect(after.filter(isOld).length).toBeGreaterThan(10);
  // Another zone recounts from the remaining events: purged events stay as counted.
  await changeProject(database, environment, { name: "Test", defaultLanguage: "en", timeZone: "Pacific/Kiritimati" }, COMMAND_LINE);
  await settleAnalytics(database, environment.id);
  const sum = (rows: { measure?: string; count?: number }[], measure: string) =>
    rows.filter((row) => row.measure === measure).reduce((total, { count }) => total + count!, 0);
  for (const measure of ["event", "metric", "hour.events"]) expect(sum(await reports(environment), measure)).toBe(sum(after, measure));
  expect(await checkIntegrity(database, environment)).toEqual([]);
});

test("an interrupted pass resumes, and waiting or quarantined facts are never deleted", async () => {
  const { sandbox, play, log } = await shop();
  await play("old");
  await drainFacts(database, sandbox.id);
  await play("waiting");
  await keep(sandbox, 30);
  // Moving the clock normally would drain the queue first.
  await sql`update environments set clock_offset_ms = ${31 * 24 * HOUR} where id = ${sandbox.id}`;
  let slices = 0;
  // Interrupted after the first slice that deleted something.
  await purgeEvents(database, () => slices++ > 2);
  const begun = await readRetention(database, sandbox.id);
  await purgeEvents(database);
  expect((await readRetention(database, sandbox.id)).purgedBefore).toBe(begun.purgedBefore);
  expect(await log()).toEqual([
    { key: "order", events: PLAYERS.length * ORDERS },
    { key: "steps", events: PLAYERS.length },
  ]);
  await drainFacts(database, sandbox.id);
  expect(await checkIntegrity(database, sandbox)).toEqual([]);
  // A longer retention time keeps what an earlier pass left.
  await keep(sandbox, 90);
  expect(await purgeEvents(database)).toBe(0);
  await keep(sandbox, 30);
  expect(await purgeEvents(database)).toBe(PLAYERS.length * (ORDERS + 1));
  expect(await checkIntegrity(database, sandbox)).toEqual([]);
});

test("a metric event that is sent again while it is purged counts again", async () => {
  const { sandbox, current, play, log, pass } = await shop();
  await play("old");
  await drainFacts(database, sandbox.id);
  await keep(sandbox, 30);
  await pass("P31D");
  let isPurged = false;
  // Purges between the statement that finds the event in the log and the one that reads it.
  const purging = new Proxy(sql, {
    apply(target, self, of: [TemplateStringsArray, ...unknown[]]) {
      const run = () => Reflect.apply(target, self, of) as Promise<unknown>;
      if (isPurged || !of[0].join("").includes("from metric_events e join metric_totals")) return run();
      isPurged = true;
      return purgeEvents(database).then(run);
    },
  });
  const { environment, now } = await current();
  const { event } = await takeMetricEvent({ ...database, sql: purging }, environment, now, {
    ...{ externalId: PLAYERS[0]!, metricKey: "steps", value: 2.5, currencyCode: null, exchangeRate: null, idempotencyKey: "old" },
    ...{ occurredAt: now, properties: {}, timeZone: null },
  });
  expect(event.total).toBe(5);
  expect(await log()).toEqual([{ key: "steps", events: 1 }]);
  await drainFacts(database, sandbox.id);
  expect(await checkIntegrity(database, sandbox)).toEqual([]);
});

test.each([
  [30, 23, false],
  [30, 25, true],
  [90, 71, false],
  [90, 73, true],
  [395, 167, false],
  [395, 169, true],
] as const)("events kept for %i days: %i hours after a pass the next one is due: %s", async (days, hours, isDue) => {
  const { sandbox } = await testProject(database);
  await keep(sandbox, days);
  await sql`update retention set passed_at = clock_timestamp() - make_interval(hours => ${hours}::int) where environment_id = ${sandbox.id}`;
  expect((await environmentsToPurge(sql)).includes(sandbox.id)).toBe(isDue);
});

test("a pass that another worker has finished since it was found due does not begin again", async () => {
  const { sandbox } = await testProject(database);
  await keep(sandbox, 30);
  expect(await environmentsToPurge(sql)).toContain(sandbox.id);
  await purgeEvents(database);
  await beginPass(sql, sandbox.id);
  expect(await environmentsToPurge(sql)).not.toContain(sandbox.id);
});
