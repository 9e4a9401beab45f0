import { expect, test } from "vitest";
import { anotherDatabase, testDatabase, testProject } from "#db/testing.ts";
import { listDefinitions } from "./service/reading.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { importDefinitions } from "./service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const LIST = { kind: "events", search: "", status: "all", sort: "key", direction: "ascending", cursor: null, limit: 10 } as const;

test("environments with the same id in two databases each have their own definitions", async () => {
  const [one, other] = [await testDatabase(), await anotherDatabase()];
  const sandboxes = await Promise.all([one, other].map(async (database) => ({ database, ...(await testProject(database)) })));
  expect(sandboxes[0]!.sandbox.id).toBe(sandboxes[1]!.sandbox.id);
  const found: unknown[] = [];
  for (const [index, { database, sandbox }] of sandboxes.entries()) {
    const file = { version: 1, events: [{ key: `event_${index}`, name: `Event ${index}` }] };
    await importDefinitions(database, sandbox, file);
    const environment = (await loadEnvironment(database.sql, sandbox.id))!;
    const { eventsByKey } = await definitionsOf(database.sql, environment);
    const listed = await listDefinitions(database, environment, Date.now(), LIST);
    found.push(
      [...eventsByKey.keys()],
      listed.rows.map(({ key }) => key),
    );
  }
  expect(found).toEqual([["event_0"], ["event_0"], ["event_1"], ["event_1"]]);
});
