import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { createProject } from "../../people/projects/projects.ts";
import { joinRealTime, moveClock, moveClockUpTo } from "./move-clock.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const DAY = 86_400_000;
const offsetOf = async (id: number) => (await loadEnvironment(database.sql, id))!.clockOffsetMs;

test("a Sandbox clock behind real time moves forward to an instant, never back, and joins real time exactly", async () => {
  const settings = { slug: "past", name: "Past", defaultLanguage: "en", timeZone: "UTC" };
  const { sandbox, live } = await createProject(database, settings, undefined, 3 * DAY);
  expect([sandbox.clockOffsetMs, live.clockOffsetMs]).toEqual([-3 * DAY, 0]);
  const began = await environmentNow(database.sql, sandbox);
  expect(await moveClockUpTo(database, sandbox, began + DAY)).toBe(began + DAY);
  expect(await moveClockUpTo(database, sandbox, began)).toBeGreaterThanOrEqual(began + DAY);
  await joinRealTime(database, sandbox);
  expect(await offsetOf(sandbox.id)).toBe(0);
});

test("a clock ahead of real time stays ahead when it joins it", async () => {
  const { sandbox } = await testProject(database);
  await moveClock(database, sandbox, "P1D");
  await joinRealTime(database, sandbox);
  expect(await offsetOf(sandbox.id)).toBe(DAY);
});

test("Live runs on real time: neither these verbs nor the table itself allow anything else", async () => {
  const { live } = await testProject(database);
  await expect(moveClockUpTo(database, live, Date.now() + DAY)).rejects.toThrow(OperatorError);
  await expect(joinRealTime(database, live)).rejects.toThrow(OperatorError);
  for (const offset of [-1, 1])
    await expect(database.sql`update environments set clock_offset_ms = ${offset} where id = ${live.id}`).rejects.toThrow(
      "only_a_sandbox_clock_moves",
    );
});
