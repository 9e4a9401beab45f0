import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Happening } from "#server/authoring/simulation/invented.ts";
import { Rules } from "#server/authoring/simulation/scenarios/rules.ts";
import { readScenarios, runScenarios } from "#server/authoring/simulation/scenarios/run.ts";
import { World } from "#server/authoring/simulation/scenarios/world.ts";
import { writeScenario } from "#server/authoring/simulation/scenarios/write.ts";
import { atOnce } from "#server/model/kernel/steps.ts";
import { withMission } from "#server/model/definitions/testing/in-memory.ts";
import { scenarioText } from "./scenario-text.ts";

const NOON = Date.parse("2026-03-10T12:00:00Z");
const HOUR = 3_600_000;

test("a saved trial runs by the command line's rules, with the results that were shown", () => {
  const document = withMission({ optIn: "Manual" });
  const rules = Rules.of(document, NOON);
  if ("problems" in rules) throw new Error(rules.problems[0]?.message);
  const basis = rules.at(NOON, { timeZone: "Europe/Amsterdam", language: "en" });
  const { player } = new World(basis.scene).actor("ann", { points: 40, timeZone: "Asia/Tokyo" });
  const definitionId = basis.scene.definitions.eventsByKey.get("order_placed")!.id;
  const facts = [0, 3].map((hours, seq): Happening => {
    const properties = { amount: 12.5, drink: 'tea: "green" #1' };
    return { kind: "event", id: `e${seq}`, seq, definitionId, occurredAt: NOON, receivedAt: NOON + hours * HOUR, properties, value: null };
  });
  const text = scenarioText(
    JSON.stringify(atOnce(writeScenario(basis, { kind: "missions", key: "m", name: "M", audience: null }, player, facts, NOON + 5 * HOUR))),
  );
  expect(text).toContain("      - accept: m\n      - event: order_placed\n        properties:\n          amount: 12.5\n");
  const read = readScenarios(parse(text));
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  expect(read.file.scenarios[0]!.steps.at(-1)?.expect).toEqual({ missions: { m: { status: "Completed", progress: [1], completed: 1 } } });
  expect(runScenarios(rules, read.file)).toMatchObject({ problems: [], results: [{ failures: [] }] });
});
