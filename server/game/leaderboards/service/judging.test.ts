import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { importDefinitions } from "#server/authoring/definitions/service/import.ts";
import { loadEnvironment } from "#server/engine/environment.ts";
import { ingest } from "#server/game/events/service.ts";
import { drainFacts } from "#server/operations/worker/drain-facts.ts";

const database = await testDatabase();

test("an audience over history judges an event by those before it, also the first one that makes its rollup", async () => {
  const { sandbox } = await testProject(database);
  const board = { name: "Orders", scoreSource: "Event", event: "order_placed", rankOrder: "HighestFirst", period: { kind: "AllTime" } };
  const asking = (key: string, operator: string, value: number) => ({
    ...{ ...board, key, measure: { kind: "Count" } },
    audience: { rule: { event: "order_placed", measure: { kind: "Count" }, operator, value, lastDays: 30 }, otherwise: "Locked" },
  });
  const leaderboards = [asking("returning", "GreaterThanOrEqualTo", 1), asking("new", "LessThan", 1)];
  const file = { version: 1, events: [{ key: "order_placed", name: "Order placed" }], leaderboards };
  expect(await importDefinitions(database, sandbox, file)).not.toHaveProperty("problems");
  const environment = (await loadEnvironment(database.sql, sandbox.id))!;
  const order = async () => {
    const item = { playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString() };
    await ingest(database, environment, { items: [item], mayHoldBadText: false, now: Date.now() });
    await drainFacts(database, sandbox.id);
  };
  const boards = async () =>
    (
      await database.sql`select d.key, s.sort_score::int as score from leaderboard_scores s join leaderboard_periods p on p.id = s.period_id
        join definitions d on d.id = p.leaderboard_id where d.environment_id = ${sandbox.id}`
    ).map(({ key, score }) => [key, Math.abs(score as number)]);
  await order();
  expect(await boards()).toEqual([["new", 1]]);
  await order();
  await order();
  expect(Object.fromEntries(await boards())).toEqual({ new: 1, returning: 2 });
});
