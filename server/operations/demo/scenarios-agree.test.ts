import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { testDatabase, testProject, timeLimit } from "#db/testing.ts";
import { testApi } from "../../api/testing/calls.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { differencesOf } from "../../authoring/simulation/scenarios/differences.ts";
import { readScenarios } from "../../authoring/simulation/scenarios/run.ts";
import type { ScenarioFile, ScenarioStep } from "../../authoring/simulation/scenarios/shape.ts";
import { standingOf } from "../../authoring/simulation/service/standing.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";
import { giveSeatsIn } from "../../game/leaderboards/settlement/give-seats.ts";
import { adjustPoints } from "../../game/points/service.ts";
import { formatInstant, parseInstant } from "../../model/kernel/time.ts";
import { COMMAND_LINE } from "../../model/kernel/environment.ts";
import { moveClock, moveClockTo } from "../sandbox/move-clock.ts";
import { drainFacts } from "../worker/drain-facts.ts";

/**
 * The demo's scenarios, played against the service by its public API, have the results that `definitions test` expects of its rules in
 * memory.
 */
const database = await testDatabase();
const api = await testApi(database);
const text = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const document = JSON.parse(text("definitions.json")) as { missionCollections: { key: string }[] };

const played = readdirSync(new URL("scenarios", import.meta.url)).flatMap((name) => {
  const read = readScenarios(parse(text(`scenarios/${name}`)));
  if ("problems" in read) throw new Error(name);
  return read.file.scenarios.map((scenario) => ({ scenario, file: read.file, name: scenario.name }));
});

async function play(file: ScenarioFile, scenario: ScenarioFile["scenarios"][number]) {
  const { sandbox, sandboxKey: key } = await testProject(database, { timeZone: file.timeZone, defaultLanguage: file.language });
  const { sql } = database;
  const offset = (parseInstant(scenario.clock ?? file.clock) ?? 0) - Date.now();
  await sql`update environments set clock_offset_ms = ${Math.round(offset)} where id = ${sandbox.id}`;
  const environment = async () => (await loadEnvironment(sql, sandbox.id))!;
  const now = async () => environmentNow(sql, await environment());
  expect(await importDefinitions(database, await environment(), document)).not.toHaveProperty("problems");

  const open = async (playerId: string) => {
    const rows = (await api.post("/v1/missions", { playerId, includeCompleted: true }, key)).json as any[];
    for (const { key: collection } of document.missionCollections)
      rows.push(...(await api.post(`/v1/mission-collections/${collection}`, { playerId, includeCompleted: true }, key)).json.missions);
    return rows;
  };
  const moveTo = async (instant: number) => void (await moveClockTo(database, await environment(), instant, COMMAND_LINE));

  async function act(playerId: string, step: ScenarioStep): Promise<string | null> {
    const occurredAt = async () => ("at" in step && step.at !== undefined ? step.at : formatInstant(await now()));
    if ("event" in step) {
      for (let round = 0; round < step.times; round++) {
        if (round > 0 && step.every !== undefined) await moveClock(database, await environment(), step.every);
        if (round > 0 && scenario.opensApp) await open(playerId);
        const event = { playerId, event: step.event, properties: step.properties, occurredAt: await occurredAt() };
        expect((await api.post("/v1/events", { events: [event] }, key)).json).toMatchObject({ rejected: 0 });
        await drainFacts(database, sandbox.id);
        await giveSeatsIn(database, sandbox.id);
      }
    } else if ("attribute" in step) {
      const attributes = { [step.attribute]: { value: step.value, occurredAt: await occurredAt() } };
      expect((await api.call("PUT", "/v1/attributes", { body: { playerId, attributes }, key })).status).toBe(200);
    } else if ("read" in step) await open(playerId);
    else if ("accept" in step) return codeOf(await api.post(`/v1/missions/${step.accept}/accept`, { playerId }, key));
    else if ("buy" in step) return codeOf(await api.post(`/v1/marketplace-items/${step.buy}/purchases`, { playerId }, key));
    else if ("wait" in step) await moveClock(database, await environment(), step.wait);
    else if ("until" in step) await moveTo(parseInstant(step.until) ?? 0);
    return null;
  }

  async function seen(playerId: string, section: string, name: string): Promise<unknown> {
    const query = `?PlayerId=${playerId}`;
    switch (section) {
      case "missions":
        return missionIn((await open(playerId)).filter(({ missionKey }) => missionKey === name));
      case "points":
        return (await api.get(`/v1/points${query}`, key)).json.balance;
      case "streaks": {
        const row = (await api.get(`/v1/streaks${query}`, key)).json.find(({ streakKey }: any) => streakKey === name);
        const { currentLength: current, longestLength: longest, isQualifiedThisPeriod: qualifies, freezesAvailable: freezes } = row;
        return { current, longest, qualifies, freezes };
      }
      case "leaderboards": {
        const boards = (await api.get(`/v1/leaderboards${query}`, key)).json as any[];
        const { me, team } = boards.find(({ leaderboardKey }) => leaderboardKey === name);
        return { rank: me?.rank ?? null, score: me?.score ?? null, team };
      }
      case "segments":
        return (await standingOf(database, await environment(), await now(), playerId))?.segments.find((one) => one.key === name)?.isIn;
      case "marketplaceItems":
        return (await api.get(`/v1/marketplace-items/${name}${query}`, key)).json.status;
      default:
        return itemsIn(
          await sql`select value from owed_items o join players p using (part, player_id) where p.external_id = ${playerId} and o.environment_id = ${sandbox.id} and o.catalog_item_key = ${name}`,
        );
    }
  }

  for (const [player, { attributes, points, timeZone }] of Object.entries(scenario.players)) {
    await api.post("/v1/players", { playerId: player, ...(timeZone === undefined ? {} : { timeZoneId: timeZone }) }, key);
    if (points > 0)
      await adjustPoints(database, await environment(), await now(), {
        externalId: player,
        amount: points,
        reason: "begin",
        idempotencyKey: null,
      });
    for (const [attribute, value] of Object.entries(attributes)) await act(player, { attribute, value });
  }
  const differences: unknown[] = [];
  for (const [at, step] of scenario.steps.entries()) {
    const player = step.player ?? scenario.player;
    if (scenario.opensApp) await open(player);
    const code = await act(player, step);
    const wanted = ("refused" in step ? step.refused : undefined) ?? null;
    differences.push(...differencesOf(wanted, code, [at, "refused"]));
    for (const [section, one] of Object.entries(step.expect ?? {})) {
      if (section === "webhooks" || one === undefined) continue;
      const names = section === "points" ? [""] : Object.keys(one as object);
      for (const name of names) {
        const expected: unknown = name === "" ? one : (one as Record<string, unknown>)[name];
        differences.push(...differencesOf(expected, await seen(player, section, name), [at, section, name]));
      }
    }
  }
  return differences;
}

const codeOf = ({ status, json }: { status: number; json: any }): string | null => (status < 300 ? null : (json.code as string));

/** Rows of one mission as a scenario tells them. */
function missionIn(rows: readonly any[]) {
  const distinct = [...new Map(rows.map((row) => [`${row.occurrenceNumber} ${row.status}`, row])).values()];
  const done = distinct.filter(({ status }) => status === "Completed");
  const live = distinct.findLast(({ status }) => status === "Available" || status === "InProgress");
  const last = done.toSorted((a, b) => a.occurrenceNumber - b.occurrenceNumber).at(-1);
  const row = live ?? last;
  return {
    status: row?.status ?? (distinct.some(({ status }) => status === "Locked") ? "Locked" : "Hidden"),
    progress: (row?.objectives ?? []).map(({ progress }: any) => progress.actual?.value ?? null),
    completed: done.length,
  };
}

function itemsIn(rows: readonly any[]): unknown {
  const values = rows.map(({ value }) => value as unknown);
  if (values.every((value) => typeof value === "number")) return values.reduce((sum, value) => sum + value, 0);
  return values.length === 1 ? values[0] : values;
}

test.each(played)("the service does what the scenario expects: $name", { timeout: timeLimit(60_000) }, async ({ file, scenario }) => {
  expect(await play(file, scenario)).toEqual([]);
});
