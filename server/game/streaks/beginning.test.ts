import { expect, test } from "vitest";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { type Environment, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { setActive } from "../../authoring/definitions/service/switching.ts";
import { checkIntegrity } from "../../operations/integrity/check.ts";
import { moveClockUpTo } from "../../operations/sandbox/move-clock.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { writeAttributes } from "../attributes/service.ts";
import { ingest } from "../events/service.ts";
import { lookAtStandings } from "../leaderboards/service/read.ts";

const database = await sharedDatabase();
const { sql } = database;
const DAY = 86_400_000;

test("what a period pays as it begins scores on boards with an audience, also if its streak was switched off meanwhile", async () => {
  const { sandbox } = await testProject(database);
  const board = { name: "Points", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "AllTime" } };
  const file = {
    version: 1,
    events: [{ key: "order_placed", name: "Order placed" }],
    attributes: [{ key: "tier", name: "Tier", type: "String" }],
    streaks: [
      {
        ...{ key: "daily", name: "Daily", event: "order_placed", cadence: "Day" },
        milestones: [{ length: 1, rewards: [{ kind: "Points", points: 3 }] }],
      },
    ],
    leaderboards: [
      { ...board, key: "of_gold", audience: { rule: { attribute: "tier", operator: "EqualTo", value: "gold" } } },
      { ...board, key: "of_buyers", audience: { rule: { event: "order_placed", operator: "GreaterThanOrEqualTo", value: 1 } } },
    ],
  };
  expect(await importDefinitions(database, sandbox, file)).not.toHaveProperty("problems");
  const current = async () => (await loadEnvironment(sql, sandbox.id)) as Environment;
  const now = Date.now();
  const tomorrow = (Math.floor(now / DAY) + 1) * DAY;
  await writeAttributes(database, await current(), { playerId: "ann", attributes: { tier: "gold" } }, []);
  const items = [{ playerId: "ann", event: "order_placed", occurredAt: new Date(tomorrow).toISOString() }];
  await ingest(database, await current(), { items, mayHoldBadText: false, now });
  await drainFacts(database, sandbox.id);
  await setActive(database, await current(), { kind: "streaks", key: "daily", active: false }, COMMAND_LINE);
  await moveClockUpTo(database, await current(), tomorrow + DAY);
  const boards = await lookAtStandings(database, await current(), tomorrow + DAY, "ann");
  expect(boards.map(({ leaderboardKey, me }) => [leaderboardKey, me?.score])).toEqual([
    ["of_gold", 3],
    ["of_buyers", 3],
  ]);
  expect(await checkIntegrity(database, await current())).toEqual([]);
});
