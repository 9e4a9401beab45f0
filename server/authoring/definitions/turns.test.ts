import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { watchStalls } from "../../process/monitoring/stalls.ts";
import { exportFile, importDefinitions } from "./service/import.ts";
import { readDifference } from "./service/promote-chosen.ts";
import { overviewIn } from "./service/overviews.ts";
import { readAuthoringOptions } from "./service/reading.ts";
import { ATTRIBUTES, EVENTS, fileOf, mission, order, points } from "../../model/definitions/testing/in-memory.ts";
import { readFile } from "../../model/definitions/file.ts";
import { atOnce } from "../../model/kernel/steps.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { definitionsOf } from "../../engine/definitions.ts";

const manyMissions = (count: number, reward: number) =>
  fileOf({
    events: EVENTS,
    attributes: ATTRIBUTES,
    missions: Array.from({ length: count }, (_, index) => {
      const where = { all: [{ property: "drink", operator: "EqualTo", value: `drink ${index}` }] };
      const ofHundred = { property: "drink", operator: "EqualTo", value: `drink ${index % 100}` };
      const history = { event: "order_placed", where: ofHundred, lastDays: 30, operator: "GreaterThan", value: 2 };
      return mission({
        key: `m${index}`,
        objectives: [order, { ...order, target: index + 2, where }],
        audience: { rule: { all: [{ attribute: "tier", operator: "EqualTo", value: "gold" }, history] } },
        rewards: points(reward),
      });
    }),
  });

setFlagsFromString("--expose-gc");
/** Other tests of this process leave much, whose collection would be a stall. */
const collectGarbage: () => void = runInNewContext("gc");

it("the event loop is not blocked while thousands of missions are imported, compiled, listed, compared and exported", async () => {
  const database = await testDatabase();
  const [file, changed] = [manyMissions(3_000, 5), manyMissions(3_000, 6)];
  // Each of these takes longer than reading the file, so that is the bound; like stalls, it is in processor time of this thread. The quickest
  // of several readings: the first one also compiles the code, and others collect garbage.
  const readings = Array.from({ length: 4 }, () => {
    const began = process.threadCpuUsage();
    atOnce(readFile(file));
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1_000;
  });
  const bound = 0.75 * Math.min(...readings);
  const stalls = watchStalls();
  const longest = async () => {
    const { sandbox } = await testProject(database);
    const current = async () => (await loadEnvironment(database.sql, sandbox.id))!;
    const work: Record<string, () => Promise<unknown>> = {
      plan: () => importDefinitions(database, sandbox, file, { dryRun: true }),
      import: () => importDefinitions(database, sandbox, file),
      "import of changes": () => importDefinitions(database, sandbox, changed),
      compiling: async () => definitionsOf(database.sql, await current()),
      listing: async () => overviewIn(database, await current()),
      "authoring options": async () => readAuthoringOptions(database, await current()),
      difference: async () => readDifference(database, await current()),
      export: async () => {
        for await (const _ of exportFile(database, sandbox, false));
      },
    };
    const found = new Map<string, number>();
    for (const [name, run] of Object.entries(work)) {
      collectGarbage();
      await new Promise((resolve) => setTimeout(resolve, 50));
      stalls.takeLongest();
      await run();
      // A stall is counted when its timer fires late.
      await new Promise((resolve) => setTimeout(resolve, 50));
      found.set(name, Math.round(stalls.takeLongest()));
    }
    return [...found].filter(([, milliseconds]) => milliseconds > bound);
  };
  // A collection of garbage may fall into one of two measurements; work falls into both.
  const first = await longest();
  const again = new Set((first.length === 0 ? [] : await longest()).map(([name]) => name));
  stalls.stop();
  expect(first.filter(([name]) => again.has(name))).toEqual([]);
});
