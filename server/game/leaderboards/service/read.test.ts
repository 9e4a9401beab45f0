import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { importDefinitions } from "#server/authoring/definitions/service/import.ts";
import { loadEnvironment } from "#server/engine/environment.ts";
import { readLeaderboards } from "./read.ts";

const database = await testDatabase();

test("a player's read of many boards leaves connections to other requests", async () => {
  const { sandbox } = await testProject(database);
  const keys = Array.from({ length: 30 }, (_, at) => `board_${at}`);
  const board = { name: "Points", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "AllTime" } };
  const leaderboards = keys.map((key) => ({ ...board, key }));
  expect(await importDefinitions(database, sandbox, { version: 1, leaderboards })).not.toHaveProperty("problems");
  const environment = (await loadEnvironment(database.sql, sandbox.id))!;
  let most = 0;
  let isRead = false;
  const watch = (): void => {
    const { inUse, waiting } = database.use();
    most = Math.max(most, inUse + waiting);
    if (!isRead) setImmediate(watch);
  };
  watch();
  const rows = await readLeaderboards(database, environment, Date.now(), { externalId: "ann", language: null });
  isRead = true;
  expect(rows.map(({ leaderboardKey }) => leaderboardKey)).toEqual(keys);
  expect(most).toBeLessThan(database.use().size);
});
