import { describe, expect, it } from "vitest";
import type { Database, Sql } from "#db/client.ts";
import { testDatabase, testProject } from "#db/testing.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { fileOf, mission, withMission } from "../../model/definitions/testing/in-memory.ts";
import { ingest } from "../../game/events/service.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { countWaiting } from "../../engine/store/queue.ts";
import { importDefinitions } from "./service/import.ts";
import { overviewIn } from "./service/overviews.ts";
import { saveDefinition } from "./service/saving.ts";
import { changeProject } from "./service/project-settings.ts";
import { removeDefinition, setActive } from "./service/switching.ts";

const ANN = { userId: null, name: "ann@example.com" };
const where = { all: [{ property: "drink", operator: "EqualTo", value: "tea" }] };
const audience = { rule: { event: "order_placed", where, lastDays: 30, operator: "GreaterThan", value: 2 } };

/** The database, with a record of its statements, those in transactions included. */
function watched(database: Database): { database: Database; statements: [text: string, ...values: unknown[]][] } {
  const statements: [string, ...unknown[]][] = [];
  const watch = <One extends Sql>(sql: One): One =>
    new Proxy(sql, {
      apply(target, self, [texts, ...values]: [TemplateStringsArray, ...unknown[]]) {
        statements.push([texts.join("?"), ...values]);
        return Reflect.apply(target as never, self, [texts, ...values]);
      },
      get: (target, name) =>
        name === "begin"
          ? (run: (tx: Sql) => Promise<unknown>) => database.sql.begin((tx) => run(watch(tx)))
          : Reflect.get(target, name, target),
    });
  return { database: { ...database, sql: watch(database.sql) }, statements };
}

async function project() {
  const { database, statements } = watched(await testDatabase());
  const { sandbox } = await testProject(database);
  await importDefinitions(database, sandbox, withMission());
  const current = async (): Promise<Environment> => (await loadEnvironment(database.sql, sandbox.id))!;
  const save = async (document: object) =>
    saveDefinition(database, await current(), { kind: "missions", document: JSON.stringify(document), isNew: true, revision: null }, ANN);
  /** How often all definitions were loaded, how often only written ones, and how often they were compiled, which reads the former zones. */
  const counts = () => {
    const loads = statements.filter(([text]) => /select id, kind, key, active, body,[^]*from definitions/.test(text));
    const written = loads.filter((statement) => statement.at(-1) === true).length;
    return { loads: loads.length - written, written, compiled: statements.filter(([text]) => /from leaderboard_zones/.test(text)).length };
  };
  return { database, current, save, statements, counts };
}

it("a save loads the definitions once, then only the rows that it has written, and compiles them once", async () => {
  const { save, statements, counts } = await project();
  statements.length = 0;
  expect((await save(mission({ key: "second", audience }))).isChanged).toBe(true);
  // The written rows are loaded twice: the mission, then also the rollup of its audience.
  expect(counts()).toEqual({ loads: 1, written: 2, compiled: 1 });
});

it("the request after a change finds definitions and overview in the cache, equal to those that another process compiles", async () => {
  const { database, current, save, statements, counts } = await project();
  const changes = [
    async () => save(mission({ key: "second", audience })),
    async () => save(mission({ key: "third" })),
    async () => removeDefinition(database, await current(), { kind: "missions", key: "second" }, ANN),
    async () => importDefinitions(database, await current(), fileOf({ missions: [mission()], baseCurrency: "EUR" })),
  ];
  for (const change of changes) {
    await change();
    const environment = await current();
    statements.length = 0;
    const [definitions, overview] = [await definitionsOf(database.sql, environment), await overviewIn(database, environment)];
    expect(counts()).toEqual({ loads: 0, written: 0, compiled: 0 });
    // Caches are keyed by project, so these calls find nothing cached, like another process.
    const elsewhere = { ...environment, projectId: `elsewhere ${environment.projectId}` };
    expect(definitions).toEqual(await definitionsOf(database.sql, elsewhere));
    expect(overview).toEqual(await overviewIn(database, elsewhere));
    expect(counts()).toEqual({ loads: 2, written: 0, compiled: 1 });
  }
});

it("a change that is rolled back is not cached", async () => {
  const { database, current, save } = await project();
  const before = await definitionsOf(database.sql, await current());
  await database.sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused at commit'; end $$`;
  await database.sql`
    create constraint trigger refuse after insert on audit_log deferrable initially deferred for each row execute function refuse()`;
  await expect(save(mission({ key: "second" }))).rejects.toThrow("refused at commit");
  await database.sql`drop trigger refuse on audit_log`;
  const raised = { ...(await current()), definitionsVersion: before.version + 1 };
  expect((await definitionsOf(database.sql, raised)).missions.map(({ key }) => key)).toEqual(["m"]);
});

describe("events that were received before an edit, and wait", () => {
  const objective = { event: "order_placed", operator: "GreaterThanOrEqualTo", target: 9 };

  async function playing(more: object = {}) {
    const database = await testDatabase();
    const { sandbox } = await testProject(database);
    await importDefinitions(database, sandbox, withMission({ objectives: [objective], ...more }));
    const current = async () => (await loadEnvironment(database.sql, sandbox.id))!;
    const read = async () => {
      const asked = { externalId: "ann", take: null, includeCompleted: false, language: null };
      return readMissions(database, await current(), Date.now(), asked);
    };
    await read();
    return {
      ...{ database, sandbox: { ...sandbox } },
      order: async (...instants: string[]) => {
        const items = instants.map((occurredAt) => ({ playerId: "ann", event: "order_placed", occurredAt, properties: { amount: 1 } }));
        await ingest(database, await current(), { items, mayHoldBadText: false, now: Date.now() });
      },
      switched: async (active: boolean) => {
        await setActive(database, await current(), { kind: "missions", key: "m", active }, ANN);
      },
      actual: async () => {
        await drainFacts(database, sandbox.id);
        return (await read()).map(({ objectives }) => objectives.map(({ progress }) => progress));
      },
    };
  }
  const counted = (value: number) => [[expect.objectContaining({ actual: { type: "number", value } })]];
  const now = () => new Date().toISOString();

  it("count for a mission that is switched off after them", async () => {
    const { order, switched, actual } = await playing();
    await order(now());
    await switched(false);
    await order(now());
    await switched(true);
    await order(now());
    expect(await actual()).toEqual(counted(2));
  });

  it("belong to the days of the zone that the project had", async () => {
    const { database, sandbox, order, actual } = await playing({ objectives: [{ ...objective, measure: { kind: "DistinctDays" } }] });
    await order("2026-01-01T23:30:00Z", "2026-01-02T00:30:00Z");
    expect(await changeProject(database, sandbox, { timeZone: "Asia/Tokyo" }, ANN)).toEqual([]);
    expect(await actual()).toEqual(counted(2));
  });

  it("do not stop the edit if they cannot be applied", async () => {
    const { database, sandbox, order, switched } = await playing();
    await order(now());
    await database.sql`update queued_facts set definition_id = -1, value = '"bad"' where environment_id = ${sandbox.id}`;
    await switched(false);
    expect(await countWaiting(database.sql, sandbox.id)).toBe(1);
  });
});
