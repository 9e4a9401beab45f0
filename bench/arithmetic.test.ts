import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ASSUMED, type Measured, plan, planTable, short } from "./arithmetic.ts";
import { ONE_SERVER, TWO_WORKERS } from "./measured-cost.ts";

const MEASURED: Measured = {
  event: { serviceMicros: 100, databaseMicros: 200, logBytes: [1_000] },
  read: { serviceMicros: 50, databaseMicros: 100, logBytes: [0] },
  stored: { eventBytes: 400, playerBytes: 4_000 },
};

describe("a plan follows from measured costs", () => {
  test("for one server", () => {
    // 86.4 M players × 10 events × 3 ÷ 86,400 s = 30,000 a second, and half as many reads.
    expect(plan(86_400_000, MEASURED)).toMatchObject({
      eventsPerSecond: 30_000,
      readsPerSecond: 15_000,
      serviceCores: 3.75,
      coordinatorCores: 7.5,
      logBytesPerSecond: 30e6,
      storedBytes: 86_400_000 * (4_000 + 10 * 90 * 400),
      serviceMachines: 1,
      // 31 TB on disks of 4 TB that are half full.
      workers: 16,
      coordinators: 0,
      euros: (1 + 2 * 16) * ASSUMED.machine.euros,
    });
  });

  test("for a coordinator and workers, by the scarcest resource", () => {
    const spread = { ...MEASURED, event: { ...MEASURED.event, workersMicros: [5_000, 5_000], logBytes: [500, 500, 500] } };
    expect(plan(86_400_000, spread)).toMatchObject({ workerCores: 300, workers: 38, coordinators: 1, logBytesPerSecond: 45e6 });
  });
});

test.each([
  [0.123, "0.12"],
  [9.96, "10"],
  [12.34, "12"],
  [347_222, "347k"],
  [1e9, "1B"],
])("%d is written %s", (value, text) => expect(short(value)).toBe(text));

test("the page on scaling shows the plans of the measured figures", () => {
  const page = readFileSync(new URL("../docs/scaling.md", import.meta.url), "utf8");
  for (const measured of [ONE_SERVER, TWO_WORKERS])
    expect(page).toContain(planTable([10e6, 100e6, 1e9].map((players) => plan(players, measured))));
});
