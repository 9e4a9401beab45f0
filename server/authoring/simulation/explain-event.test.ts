import fc from "fast-check";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { ingest } from "../../game/events/service.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { readLiveMissions, loadCompletions, readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { testCipher } from "../../delivery/testing.ts";
import { drain } from "../../operations/worker/drain.ts";
import { explainEvent } from "./service/explain-event.ts";
import { importDefinitions } from "../definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();

const where = { property: "amount", operator: "GreaterThan", value: 10 };
const objective = (target: number, more = {}) => ({ event: "order", operator: "GreaterThanOrEqualTo", target, ...more });
const rewards = [{ kind: "Points", points: 5 }];
const DEFINITIONS = {
  version: 1,
  events: [{ key: "order", name: "Order", properties: [{ key: "amount", type: "Number" }] }],
  missions: [
    { key: "once", name: "Once", objectives: [objective(4, { where })], rewards },
    { key: "again", name: "Again", recurrence: { kind: "AfterCompletion", cooldownHours: 0 }, objectives: [objective(2)], rewards },
    { key: "daily", name: "Daily", recurrence: { kind: "Calendar", every: "Day" }, objectives: [objective(5)], rewards },
    { key: "ordered", name: "Ordered", objectiveOrder: "InOrder", objectives: [objective(2, { where }), objective(2)], rewards },
    {
      key: "different",
      name: "Different",
      objectives: [objective(3, { measure: { kind: "DistinctCount", property: "amount" } })],
      rewards,
    },
  ],
};

const options = { database, logger: { warn: () => {}, error: () => {} }, cipher: testCipher, allowPrivateAddresses: true };

/** A player's active and completed occurrences of each mission. */
async function standsIn(environment: Environment, now: number, externalId: string): Promise<Map<string, string>> {
  const rows = await readLiveMissions(database, environment, now, externalId);
  const completions = await loadCompletions(database.sql, playerKey(environment.id, externalId));
  const idOf = await missionIds(environment);
  return new Map(
    DEFINITIONS.missions.map(({ key }) => [
      key,
      JSON.stringify([
        rows.filter(({ missionKey }) => missionKey === key),
        completions.filter(({ missionId }) => missionId === idOf.get(key)).map(({ occurrenceNumber }) => occurrenceNumber),
      ]),
    ]),
  );
}

async function missionIds({ id }: Environment): Promise<Map<string, number>> {
  const rows = await database.sql<{ key: string; id: number }[]>`
    select key, id from definitions where environment_id = ${id} and kind = 'missions'`;
  return new Map(rows.map((row) => [row.key, row.id]));
}

test("an explanation counts, long afterwards, what the event changed when it was applied", async () => {
  const { sandbox } = await testProject(database);
  const result = await importDefinitions(database, sandbox, DEFINITIONS);
  expect(result).not.toHaveProperty("problems");
  const environment = (await loadEnvironment(database.sql, sandbox.id))!;
  const step = fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 3, arbitrary: fc.constantFrom(3, 12, 20, 30) });
  let players = 0;
  let moved = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      const externalId = `player-${++players}`;
      const expected = new Map<string, string[]>();
      for (const amount of steps) {
        // The clock of the database, by which a read enters players.
        const now = Date.now();
        if (amount === null) {
          await readMissions(database, environment, now, { externalId, includeCompleted: false, language: null, take: null });
          continue;
        }
        const before = await standsIn(environment, now, externalId);
        const item = { playerId: externalId, event: "order", occurredAt: formatInstant(now), properties: { amount } };
        const [sent] = await ingest(database, environment, { items: [item], mayHoldBadText: false, now });
        await drain(options, ["facts"], 10_000);
        const after = await standsIn(environment, now, externalId);
        const changed = DEFINITIONS.missions.map(({ key }) => key).filter((key) => before.get(key) !== after.get(key));
        expected.set(sent!.eventId!, changed);
        moved += changed.length;
      }
      for (const [eventId, keys] of expected) {
        const { outcomes } = (await explainEvent(database, environment, Date.now(), { externalId, eventId }))!;
        const explanations = outcomes.filter(({ counts }) => counts).map(({ key }) => key);
        expect(explanations.sort()).toEqual(keys.sort());
      }
    }),
    { numRuns: 8, seed: 7 },
  );
  expect(moved).toBeGreaterThan(30);
});

test("the explained effects of a player's events add up to the player's state", async () => {
  const { sandbox } = await testProject(database);
  const board = { key: "points", name: "Points", scoreSource: "Points", rankOrder: "HighestFirst", period: { kind: "AllTime" } };
  const orders = {
    ...board,
    key: "orders",
    name: "Orders",
    scoreSource: "Event",
    event: "order",
    measure: { kind: "Sum", property: "amount" },
  };
  const daily = { key: "daily", name: "Daily", event: "order", cadence: "Day", milestones: [{ length: 2, rewards }] };
  const file = { ...DEFINITIONS, leaderboards: [board, orders], streaks: [daily] };
  expect(await importDefinitions(database, sandbox, file)).not.toHaveProperty("problems");
  const environment = (await loadEnvironment(database.sql, sandbox.id))!;
  const sent = fc.record({ amount: fc.constantFrom(3, 12, 20), daysAgo: fc.integer({ min: 0, max: 3 }) });
  // Several events in a slice, with reads in between that enter the player.
  const slices = fc.array(fc.array(sent, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 6 });
  let players = 0;
  let completed = 0;
  await fc.assert(
    fc.asyncProperty(slices, async (history) => {
      const externalId = `player-${++players}`;
      const key = playerKey(environment.id, externalId);
      const ids: string[] = [];
      for (const events of history) {
        const now = Date.now();
        await readMissions(database, environment, now, { externalId, includeCompleted: false, language: null, take: null });
        const items = events.map(({ amount, daysAgo }) => ({
          ...{ playerId: externalId, event: "order", properties: { amount }, occurredAt: formatInstant(now - daysAgo * 86_400_000) },
        }));
        const results = await ingest(database, environment, { items, mayHoldBadText: false, now, admitToTail: (count) => count });
        ids.push(...results.map(({ eventId }) => eventId!));
        await drain(options, ["facts"], 10_000);
      }
      const explanations = await Promise.all(
        ids.map((eventId) => explainEvent(database, environment, Date.now(), { externalId, eventId })),
      );
      expect(explanations.every((one) => one!.isRecorded)).toBe(true);
      const outcomes = explanations.flatMap((one) => one!.outcomes).filter(({ counts }) => counts);
      const sum = (texts: string[]) => texts.reduce((total, text) => total + Number(/\d+/.exec(text)?.[0]), 0);
      const scoreOf = (name: string) =>
        sum(outcomes.filter((one) => one.key === name).flatMap(({ lines }) => lines.map(({ text }) => text)));
      const completions = await loadCompletions(database.sql, key);
      const [has] = await database.sql<{ balance: number; scores: string[] }[]>`
        select coalesce((select balance from balances where part = ${key.part} and player_id = ${key.playerId}), 0) as balance,
          array(select abs(s.sort_score)::text from leaderboard_scores s join leaderboard_periods p on p.id = s.period_id
            where s.part = ${key.part} and s.player_id = ${key.playerId} order by abs(s.sort_score)) as scores`;
      expect(outcomes.flatMap(({ lines }) => lines).filter(({ text }) => text.endsWith("the mission is completed"))).toHaveLength(
        completions.length,
      );
      expect(sum(outcomes.flatMap((one) => one.rewards))).toBe(has!.balance);
      const scores = [scoreOf("points"), scoreOf("orders")].filter((score) => score > 0).sort((a, b) => a - b);
      expect(scores).toEqual(has!.scores.map(Number));
      completed += completions.length;
    }),
    { numRuns: 6, endOnFailure: true },
  );
  expect(completed).toBeGreaterThan(10);
});
