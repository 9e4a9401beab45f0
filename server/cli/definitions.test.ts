import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { run } from "./program.ts";

const database = await testDatabase();
vi.stubEnv("BASE_URL", "");
vi.stubEnv("DATABASE_URL", await testDatabaseUrl());

const folder = mkdtempSync(join(tmpdir(), "definitions-"));
const printed = { out: [] as string[], err: [] as string[] };
vi.spyOn(console, "log").mockImplementation((line: string) => void printed.out.push(...line.split("\n")));
vi.spyOn(console, "error").mockImplementation((line: string) => void printed.err.push(...line.split("\n")));
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function cli(...args: string[]) {
  const code = await run(["definitions", ...args]);
  return { code, out: printed.out.splice(0), err: printed.err.splice(0) };
}

function written(content: unknown): string {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(file, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content));
  return file;
}

const where = async () => ["--project", (await testProject(database)).slug, "--environment", "sandbox"];

const done = { event: "done", operator: "GreaterThanOrEqualTo", target: 1 };
const mission = { key: "m", name: "M", objectives: [done], rewards: [{ kind: "Points", points: 1 }] };
const FILE = { version: 1, events: [{ key: "done", name: "Done" }], missions: [mission] };

test("import prints the difference, a line each; export gives a file that changes nothing", async () => {
  const here = await where();
  const added = ["+ events done", "+ missions m"];
  expect(await cli("import", written(FILE), ...here, "--dry-run")).toMatchObject({
    code: 0,
    out: added,
    err: ["2 definitions would change; nothing was written."],
  });
  expect(await cli("import", written(FILE), ...here)).toEqual({ code: 0, out: added, err: ["2 definitions changed."] });
  const exported = await cli("export", ...here);
  expect(exported).toMatchObject({ code: 0, err: [] });
  expect(await cli("import", written(exported.out.join("\n")), ...here)).toMatchObject({ code: 0, out: [] });
  const changed = {
    ...FILE,
    missions: [
      { ...mission, key: "n" },
      { ...mission, name: "N", appearsIn: "CollectionOnly" },
    ],
  };
  expect((await cli("import", written(changed), ...here)).out).toEqual(["+ missions n", "~ missions m (name, appearsIn)"]);
  expect((await cli("import", written(FILE), ...here, "--prune")).out).toEqual(["~ missions m (name, appearsIn)", "- missions n"]);
});

test("import prints every problem, a line each, and exits 1", async () => {
  const wrong = { ...FILE, events: [{ key: "don", name: "Done", "a\nb": 1 }] };
  expect(await cli("import", written(wrong), ...(await where()))).toEqual({
    code: 1,
    out: [],
    err: [
      '/events/0/a\\u000ab: there is no member "a\\nb" here; there are "key", "name", "active", "properties"',
      '/missions/0/objectives/0/event: there is no event "done"; did you mean "don"?',
    ],
  });
});

test("a file that is none is refused in one line", async () => {
  const here = await where();
  const refusal = async (file: string) => {
    const { code, out, err } = await cli("import", file, ...here);
    expect([code, out, err.length]).toEqual([1, [], 1]);
    return err[0];
  };
  expect(await refusal(written('{"version": 1,\n}'))).toContain("is not JSON");
  expect(await refusal(written(Uint8Array.of(0x7b, 0xff)))).toContain("cannot be read");
  expect(await refusal(join(folder, "nothing.json"))).toContain("cannot be read");
  expect((await cli("import", written(`\ufeff${JSON.stringify(FILE)}`), ...here)).code).toBe(0);
});
