import { beforeAll, describe, expect, it } from "vitest";
import { testDatabase, testProject, type TestProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { selectScheduled } from "./store/scheduled.ts";
import { EVENTS, fileOf, mission, order } from "../../model/definitions/testing/in-memory.ts";
import { importDefinitions } from "./service/import.ts";

/** Responses about definitions have a bounded size; whatever does not fit is read separately. */
const database = await testDatabase();
type Person = Awaited<ReturnType<typeof signedIn>>["rpc"];

const MIB = 1024 * 1024;
const bytesOf = (answer: unknown): number => Buffer.byteLength(JSON.stringify(answer));
const words = (mark: string, length: number) => ({ default: "en", texts: { en: `${mark} ${"é".repeat(length)}`, de: "é".repeat(length) } });

/** Many short definitions before a few long ones: more than any list returns. */
const MISSIONS = Array.from({ length: 300 }, (_, at) =>
  mission({ key: `m${at}`, description: words(`${at}`, at < 250 ? 3_000 : 9_900), audience: { rule: { all: SEGMENTS(at) } } }),
);
function SEGMENTS(at: number) {
  return Array.from({ length: at < 250 ? 100 : 1 }, (_, segment) => ({ segment: `s${segment}` }));
}
const WIDE = Array.from({ length: 60 }, (_, at) => ({
  ...{ key: `wide_${at}`, name: `Wide ${at}` },
  properties: Array.from({ length: 1_000 }, (_, property) => ({ key: `${"a".repeat(40)}_${property}`, type: "String" })),
}));
const FILE = fileOf({
  events: [...EVENTS, ...WIDE],
  missions: MISSIONS,
  segments: Array.from({ length: 100 }, (_, at) => ({
    ...{ key: `s${at}`, name: `S ${at}` },
    rule: { event: order.event, operator: "GreaterThan", value: at },
  })),
});

let project: TestProject;
let rpc: Person;
let scope: { project: string; environment: "sandbox" };
beforeAll(async () => {
  project = await testProject(database);
  expect(await importDefinitions(database, project.sandbox, FILE)).not.toHaveProperty("problems");
  ({ rpc } = await signedIn(database, project.slug, "Editor"));
  scope = { project: project.slug, environment: "sandbox" };
});

it("the difference of two environments includes short fields, and each long one is read separately", async () => {
  const found = await rpc.definitions.difference(scope);
  expect(bytesOf(found)).toBeLessThan(7 * MIB);
  expect(found.divergences).toHaveLength(300 + 100 + EVENTS.length + WIDE.length);
  const long = found.divergences.find(({ key }) => key === "m290")!;
  expect([long.isLong, long.differences, long.parts, long.fields > 2]).toEqual([true, [], [], true]);
  const whole = await rpc.definitions.divergence({ ...scope, kind: "missions", key: "m290" });
  expect([whole.isLong, whole.fields]).toEqual([false, long.fields]);
  expect(whole.differences.find(({ path }) => path[0] === "description")!.after).toContain("é".repeat(9_900));
  const oneShort = found.divergences.find(({ kind, isLong }) => kind === "missions" && !isLong)!;
  expect(await rpc.definitions.divergence({ ...scope, kind: "missions", key: oneShort.key })).toMatchObject({
    differences: oneShort.differences,
  });
});

it("a difference lists a bounded number of dependencies, and a promotion takes all of them", async () => {
  const { divergences, areNeedsCut } = await rpc.definitions.difference(scope);
  expect(areNeedsCut).toBe(true);
  expect(divergences.flatMap(({ needs }) => needs).length).toBeLessThanOrEqual(20_000);
  const chosen = [{ kind: "missions" as const, key: "m249" }];
  expect(divergences.find(({ key }) => key === "m249")!.needs).toEqual([]);
  const { taken, problems } = await rpc.definitions.promote({ ...scope, chosen, dryRun: true });
  expect([problems, taken.filter(({ kind }) => kind === "segments").length]).toEqual([[], 100]);
});

it("the changes of an import or a promotion are listed for every definition, with as many fields as fit", async () => {
  const { changes, problems } = await rpc.definitions.promoteAll({ ...scope, dryRun: true });
  expect(problems).toEqual([]);
  expect(bytesOf(changes)).toBeLessThan(5 * MIB);
  expect(changes.filter(({ kind }) => kind === "missions")).toHaveLength(300);
});

it("a page of texts is limited by bytes, and all pages together have each text once", async () => {
  const seen: string[] = [];
  for (let cursor: string | null = null, at = 0; at === 0 || cursor !== null; at++) {
    const page: Awaited<ReturnType<Person["definitions"]["texts"]>> = await rpc.definitions.texts({ ...scope, limit: 200, cursor });
    expect(bytesOf(page)).toBeLessThan(2 * MIB);
    expect(page.first).toBe(seen.length);
    expect(page.rows.length).toBeGreaterThan(0);
    seen.push(...page.rows.map(({ kind, key, pointer }) => `${kind} ${key} ${pointer}`));
    cursor = page.next;
    if (cursor === null) expect([seen.length, new Set(seen).size]).toEqual([page.total, page.total]);
  }
});

it("authoring options have every key, and names and properties as far as they fit", async () => {
  const catalogue = await rpc.definitions.catalogue(scope);
  expect(bytesOf(catalogue)).toBeLessThan(5 * MIB);
  expect([catalogue.missions.length, catalogue.segments.length]).toEqual([300, 100]);
  const wide = catalogue.events.filter(({ key }) => key.startsWith("wide_"));
  expect(wide.map(({ key }) => key)).toEqual(WIDE.map(({ key }) => key));
  expect([wide[0]!.properties.length, wide[0]!.name, wide.at(-1)!.properties.length]).toEqual([1_000, "Wide 0", 0]);
});

describe("scheduled changes", () => {
  const document = JSON.stringify({ ...MISSIONS[0], name: "Another", description: words("x", 9_900) });
  beforeAll(async () => {
    await database.sql`
      insert into scheduled_changes (environment_id, kind, key, document, base_version, due_at, actor, failed_at, failure)
      select ${project.sandbox.id}, 'missions', 'm0', ${document}, 1, now() + n * interval '1 hour', 'ann', now(),
        json_build_object('conflict', null, 'error', null, 'problems',
          (select json_agg(json_build_object('pointer', '/name', 'code', 'c', 'message', repeat('wrong ', 2000))) from generate_series(1, 20)))
      from generate_series(1, 300) n`;
  });

  it("are listed without their changes, and with the beginning of the reason for failing", async () => {
    const { changes } = await rpc.definitions.scheduled(scope);
    expect([changes.length, bytesOf(changes) < MIB]).toEqual([300, true]);
    expect(changes[0]!.failure!.problems).toHaveLength(3);
  });

  it("of one definition list their changes as far as they fit, and load no more", async () => {
    const { changes } = await rpc.definitions.scheduled({ ...scope, which: { kind: "missions", key: "m0" } });
    expect(changes.length).toBe(300);
    expect(changes[0]!.differences.length).toBeGreaterThan(0);
    const loaded = (await selectScheduled(database.sql, project.sandbox.id, { kind: "missions", key: "m0" })).map(
      ({ document }) => document,
    );
    expect(loaded.reduce((sum, one) => sum + Buffer.byteLength(one ?? ""), 0)).toBeLessThan(4.1 * MIB);
    expect(loaded.at(-1)).toBeNull();
  });
});
