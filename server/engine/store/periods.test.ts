import { expect, test } from "vitest";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { definitionsOf } from "../definitions.ts";
import { loadEnvironment } from "../environment.ts";
import { ensurePeriods, takePeriod } from "./periods.ts";

const database = await sharedDatabase();
const { sql } = database;

test("one transaction at a time takes periods of a leaderboard; other leaderboards' periods can be taken meanwhile", async () => {
  const { sandbox } = await testProject(database);
  const period = { kind: "Calendar", every: "Day" };
  const board = (key: string) => ({ key, name: key, scoreSource: "Points", rankOrder: "HighestFirst", period });
  const leaderboards = [board("orders"), board("other")];
  expect(await importDefinitions(database, sandbox, { version: 1, leaderboards })).not.toHaveProperty("problems");
  const environment = (await loadEnvironment(sql, sandbox.id))!;
  const [orders, other] = (await definitionsOf(sql, environment)).leaderboards;
  const day = { startsAt: 0, endsAt: 1, settlesAt: 1, dueAt: 1 };
  const periods = await sql.begin((tx) =>
    ensurePeriods(tx, sandbox.id, [
      { leaderboardId: orders!.id, start: "2026-01-01", number: 1, ...day },
      { leaderboardId: orders!.id, start: "2026-01-02", number: 2, ...day },
      { leaderboardId: other!.id, start: "2026-01-01", number: 1, ...day },
    ]),
  );
  const [first, second, others] = periods;
  await sql.begin(async (one) => {
    expect(await takePeriod(one, first!)).toMatchObject({ id: first!.id });
    await sql.begin(async (two) => {
      expect(await takePeriod(two, second!)).toBeNull();
      expect(await takePeriod(two, others!)).toMatchObject({ id: others!.id });
    });
  });
  await sql.begin(async (two) => expect(await takePeriod(two, second!)).toMatchObject({ id: second!.id }));
});
