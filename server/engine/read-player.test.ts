import { expect, test } from "vitest";
import { isSpread, testDatabase, testProject } from "#db/testing.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";
import { writeAttributes } from "../game/attributes/service.ts";
import { ingest } from "../game/events/service.ts";
import { readMissions } from "../game/missions/service/read.ts";
import { adjustPoints } from "../game/points/service.ts";
import { playerKey } from "../model/players/identity.ts";
import { drainFacts } from "../operations/worker/drain-facts.ts";
import { findEnvironment } from "../people/projects/environments.ts";
import { readPlayerTogether, readWholePlayer } from "./read-player.ts";

const database = await testDatabase();
const NOW = Date.parse("2026-03-02T12:00:00Z");
const PLAYERS = Array.from({ length: 12 }, (_, at) => `player-${at}`);

const mission = (key: string, target: number) => ({
  key,
  name: `Mission ${key}`,
  objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target }],
  rewards: [{ kind: "Points", points: 50 }],
});

/** Players who each have made different progress. */
async function makePlayers() {
  const project = await testProject(database);
  const imported = await importDefinitions(database, project.sandbox, {
    version: 1,
    events: [{ key: "order_placed", name: "Order placed" }],
    attributes: [{ key: "tier", name: "Tier", type: "String" }],
    missions: [mission("three", 3), mission("many", 50)],
  });
  expect(imported).not.toHaveProperty("problems");
  const sandbox = await findEnvironment(database, project.slug, "sandbox");
  for (const [at, externalId] of PLAYERS.entries()) {
    await readMissions(database, sandbox, NOW, { externalId, take: null, includeCompleted: false, language: null });
    const items = Array.from({ length: at }, () => ({
      playerId: externalId,
      event: "order_placed",
      occurredAt: new Date(NOW).toISOString(),
    }));
    if (at > 0) await ingest(database, sandbox, { items, mayHoldBadText: false, now: NOW });
    if (at % 3 === 1) await writeAttributes(database, sandbox, { playerId: externalId, attributes: { tier: `tier ${at}` } }, []);
    if (at % 2 === 1) await adjustPoints(database, sandbox, NOW, { externalId, amount: at, reason: "for the test", idempotencyKey: null });
  }
  await drainFacts(database, sandbox.id);
  return sandbox;
}

/** The database, and a list of the statements that read players. */
function counted() {
  const statements: string[] = [];
  const sql = new Proxy(database.sql, {
    apply(target, _, of: [TemplateStringsArray, ...unknown[]]) {
      const text = of[0].join("");
      if (text.includes("as partitions") || text.includes("player_parts")) statements.push(text);
      return (target as (...of: unknown[]) => unknown)(...of);
    },
  });
  return { watched: { ...database, sql }, statements };
}

test("players who are read at the same time share statements, and each is as if read alone; an unknown one is null", async () => {
  const sandbox = await makePlayers();
  const { watched, statements } = counted();
  const ids = [...PLAYERS, "nobody", PLAYERS[3]!];
  const keys = ids.map((id) => playerKey(sandbox.id, id));
  await readPlayerTogether(watched, sandbox.id, keys[0]!);
  statements.length = 0;
  const together = await Promise.all(keys.map((key) => readPlayerTogether(watched, sandbox.id, key)));
  expect(statements).toHaveLength(isSpread() ? keys.length : 1);
  for (const [at, key] of keys.entries()) expect(together[at]).toEqual(await readWholePlayer(database.sql, sandbox.id, key));
  expect(together[PLAYERS.length]).toBeNull();
  expect(together[5]!.balance).toBe(55);
});

test("a read that begins while others are under way sees what was committed before it began", async () => {
  const sandbox = await makePlayers();
  const key = playerKey(sandbox.id, PLAYERS[0]!);
  const read = () => readPlayerTogether(database, sandbox.id, key);
  await read();
  let amount = 0;
  for (let round = 0; round < 20; round++) {
    const earlier = Array.from({ length: 8 }, read);
    await adjustPoints(database, sandbox, NOW, { externalId: PLAYERS[0]!, amount: 1, reason: "for the test", idempotencyKey: null });
    amount += 1;
    expect((await read())!.balance).toBe(amount);
    await Promise.all(earlier);
  }
});
