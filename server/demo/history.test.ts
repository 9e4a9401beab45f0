import { expect, test } from "vitest";
import { testDatabase } from "../../db/testing.ts";
import { importStep } from "../imports/service/step.ts";
import { listImports } from "../imports/service.ts";
import { checkIntegrity } from "../integrity/check.ts";
import { findEnvironment } from "../projects/find-environment.ts";
import { resetSandbox } from "../sandbox/reset.ts";
import { testCipher } from "../webhooks/testing.ts";
import { drainFacts } from "../worker/drain-facts.ts";
import { ensureDemo } from "./load.ts";
import { countEverySegmentAgain } from "../segments/service/read.ts";
import { finishHistory } from "./finish-history.ts";
import { loadHistory } from "./load-history.ts";
import { PERSONAS } from "./personas.ts";
import { regulars } from "./regulars.ts";

const database = await testDatabase();
const DAYS = 4;
const cipher = testCipher;

const sandbox = () => findEnvironment(database, "demo", "sandbox");

const players = async (which = "true"): Promise<number> =>
  (await database.sql.unsafe<{ count: number }[]>(`select count(*)::int as count from players where ${which}`))[0]!.count;

async function work(): Promise<void> {
  for (let step = await importStep(database); step !== null; step = await importStep(database))
    await drainFacts(database, (await sandbox()).id);
}

test("the longer history is handed over after the demo, once, and brought in by the worker", async () => {
  await loadHistory(database, DAYS);
  expect(await ensureDemo(database, { days: 1 })).not.toBeNull();
  const before = await players();
  await Promise.all([loadHistory(database, DAYS), loadHistory(database, DAYS)]);
  await work();
  await loadHistory(database, DAYS);
  await work();
  expect(await Promise.all([finishHistory(database, cipher, DAYS), finishHistory(database, cipher, DAYS)])).toEqual(
    expect.arrayContaining([true, false]),
  );
  await work();
  await countEverySegmentAgain(database, await sandbox());
  expect(await finishHistory(database, cipher, DAYS)).toBe(false);
  const imports = await listImports(database.sql, (await sandbox()).id, 20);
  expect(imports.map(({ kind, status, refused }) => [kind, status, refused]).toSorted()).toEqual([
    ["attributes", "Done", 0],
    ["attributes", "Done", 0],
    ["events", "Done", 1],
    ["players", "Done", 0],
  ]);
  expect(await players()).toBe(before + regulars(DAYS).length);
  expect(await players("created_at < now() - interval '3 days'"), "they are known since they joined").toBeGreaterThan(50);
  expect(await checkIntegrity(database, await sandbox())).toEqual([]);

  await resetSandbox(database, await sandbox());
  await loadHistory(database, DAYS);
  await work();
  expect(await players(), "a reset takes it away for good").toBe(0);
});

test("the regulars are the same each time, each with an id of their own", () => {
  const all = regulars(84);
  expect(all).toEqual(regulars(84));
  expect(new Set([...all, ...PERSONAS].map(({ id }) => id)).size).toBe(all.length + PERSONAS.length);
  expect(all.some(({ away }) => away !== undefined)).toBe(true);
});
