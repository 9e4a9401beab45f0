import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMIT } from "../../server/api/quota-split.ts";
import { folderOf } from "../../rehearsals/crash/durable.ts";
import type { Fault } from "../../rehearsals/crash/faults.ts";
import { type Figures, runFaults } from "../../rehearsals/crash/run.ts";

/** A short `npm run faults`, which has any length and a random order. `several` ends a web process and a worker, `power` kills all. */
const FAULTS: Fault[] = ["lanes", "cut", "several", "move", "database", "clock", "reset", "crowd", "power"];
const KILLS = 5;
const PROCESSES = { web: 2, workers: 2 };
/** Far longer than the run takes, and than the crowd waits for a steady moment (crowd.ts): no test here depends on speed. */
const PATIENCE_MS = 900_000;

const FOLDER = folderOf("faults");
let figures: Figures;

beforeAll(async () => {
  figures = await runFaults({ faults: FAULTS, kills: KILLS, seed: 1, folder: FOLDER, disk: null, connections: 4, ...PROCESSES });
}, PATIENCE_MS);

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe(`after each of ${FAULTS.length} faults under load, ${KILLS} of them kill -9 of some of two web processes, two workers, PostgreSQL and the dashboard's users`, () => {
  test("nothing acknowledged is lost, nothing is done twice, every webhook arrives signed and once, and the audit passes", () => {
    expect(figures.differences).toEqual([]);
  });

  test("concurrent requests of one organization in all processes never exceeded its limit by more than one for each process", () => {
    expect(figures.mostAtOnce).toBeGreaterThanOrEqual(LIMIT.inFlight);
    expect(figures.mostAtOnce).toBeLessThanOrEqual(LIMIT.inFlight + PROCESSES.web);
  });

  test("each fault happened, under real load, and everything was compared", () => {
    expect([...figures.faults]).toEqual(FAULTS.map((fault) => [fault, 1]));
    expect(figures.integrityChecks).toBe(2 * FAULTS.length);
    expect(figures.facts).toBeGreaterThan(100);
    expect(figures.answers).toBeGreaterThan(50);
    for (const count of [figures.completions, figures.deliveries]) expect(count).toBeGreaterThan(0);
  });
});
