import { expect, test } from "vitest";
import { testDatabase } from "#db/testing.ts";
import { importStep } from "../imports/service/runner.ts";
import { listImports } from "../imports/service/imports.ts";
import { checkIntegrity } from "../integrity/check.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { resetSandbox } from "../sandbox/reset.ts";
import { compareCounts, countStep } from "../../game/segments/service/count.ts";
import { countEverySegmentAgain, readCounts } from "../../game/segments/service/read.ts";
import { testCipher } from "../../delivery/testing.ts";
import { drainFacts } from "../worker/drain-facts.ts";
import { ensureDemo } from "./load.ts";
import { finishHistory } from "./finish-history.ts";
import { loadHistory } from "./load-history.ts";
import { CUSTOMERS, regulars } from "./history.ts";

const database = await testDatabase();
/** Long enough for a seven-day milestone, whatever the weekday of today. */
const DAYS = 14;
const HISTORY = { days: DAYS, customers: 60 };

const sandbox = () => findEnvironment(database, "demo", "sandbox");

const players = async (which = "true"): Promise<number> =>
  (await database.sql.unsafe<{ count: number }[]>(`select count(*)::int as count from players where ${which}`))[0]!.count;

async function work(): Promise<void> {
  for (let step = await importStep(database); step !== null; step = await importStep(database))
    await drainFacts(database, (await sandbox()).id);
}

/**
 * Whether the consequences of the history are spread over its days, and each player could afford what they bought at the time. A few of
 * the points are of today, more on a Monday, when weekly missions begin.
 */
const story = () =>
  database.sql`
    with moved as (
      select t.*, t.occurred_at::date as day, t.occurred_at >= p.created_at as is_late,
        sum(t.amount) over (partition by t.player_id order by t.occurred_at, t.seq) as balance
      from points_transactions t join projects p on p.slug = 'demo'
    )
    select (select count(distinct completed_at::date) >= ${DAYS} from mission_completions) as completed,
      count(distinct day) filter (where type = 'Grant') >= ${DAYS} as granted, count(distinct day) filter (where type = 'Spend') >= 5 as spent,
      count(*) filter (where source_type = 'StreakMilestone') >= 1 as reached,
      count(*) filter (where is_late) * 5 < count(*) as is_of_the_past, bool_and(balance >= 0) as can_pay from moved`.execute();

test("the longer history is handed over once, after the demo, and imported by the worker", async () => {
  await loadHistory(database, HISTORY);
  expect(await ensureDemo(database, { days: 1 })).not.toBeNull();
  const before = await players();
  expect(await finishHistory(database, testCipher, HISTORY), "there is nothing to finish yet").toBe(false);
  while ((await Promise.all([loadHistory(database, HISTORY), loadHistory(database, HISTORY)])).includes(true)) await work();
  expect(await Promise.all([finishHistory(database, testCipher, HISTORY), finishHistory(database, testCipher, HISTORY)])).toEqual(
    expect.arrayContaining([true, false]),
  );
  await work();
  await compareCounts(database);
  await countEverySegmentAgain(database, await sandbox());
  expect(await finishHistory(database, testCipher, HISTORY)).toBe(false);
  const imports = await listImports(database.sql, (await sandbox()).id, 20);
  expect(imports.map(({ kind, status, refused }) => [kind, status, refused]).toSorted()).toEqual([
    ["attributes", "Done", 0],
    ["attributes", "Done", 0],
    ["events", "Done", 1],
    ["players", "Done", 0],
  ]);
  expect(await players()).toBe(before + HISTORY.customers);
  expect(await players("created_at < now() - interval '3 days'"), "they are known since they joined").toBeGreaterThan(20);
  expect(await checkIntegrity(database, await sandbox())).toEqual([
    expect.stringMatching(/^event .* is quarantined: The demo quarantined/),
  ]);

  // The consequences of the events are dated with them, not with the import.
  expect(await story()).toEqual([{ completed: true, granted: true, spent: true, reached: true, isOfThePast: true, canPay: true }]);
  expect(await database.sql`select url from webhook_endpoints`).toEqual([{ url: expect.stringMatching(/\.invalid\//) }]);
  while (await countStep(database));
  const counted = await readCounts(database, await sandbox(), ["newcomers", "inner_circle"]);
  for (const { counted: count } of counted) expect(count).toMatchObject({ players: before + HISTORY.customers });

  await resetSandbox(database, await sandbox());
  expect(await loadHistory(database, HISTORY)).toBe(false);
  await work();
  expect(await players(), "a reset takes it away for good").toBe(0);
});

test("the regulars are deterministic, each with their own id", () => {
  const all = regulars({ days: 84, customers: Infinity });
  expect(all).toEqual(regulars({ days: 84, customers: Infinity }));
  expect(new Set([...all, ...CUSTOMERS].map(({ id }) => id)).size).toBe(all.length + CUSTOMERS.length);
  expect(all.some(({ away }) => away !== undefined)).toBe(true);
});
