import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { runDue } from "../authoring/backtests/service/runner.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";
import { run } from "../process/cli.ts";

const database = await testDatabase();
vi.stubEnv("BASE_URL", "");
vi.stubEnv("DATABASE_URL", await testDatabaseUrl());
const folder = mkdtempSync(join(tmpdir(), "backtest-"));
const printed = { out: [] as string[], err: [] as string[] };
vi.spyOn(console, "log").mockImplementation((line: string) => void printed.out.push(line));
vi.spyOn(console, "error").mockImplementation((line: string) => void printed.err.push(line));
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const mission = {
  key: "visits",
  name: "Visits",
  // The segment is new too, so it is sent along.
  audience: { rule: { segment: "regulars" } },
  objectives: [{ event: "visited", operator: "GreaterThanOrEqualTo", target: 1 }],
  rewards: [{ kind: "Points", points: 1 }],
};
const FILE = {
  version: 1,
  segments: [{ key: "regulars", name: "Regulars", rule: { share: 100 } }],
  missions: [mission, { ...mission, key: "others" }],
};

test("a definition of a file is played in the service, with the new ones that it names, and printed as text or JSON", async () => {
  const { slug, sandbox } = await testProject(database);
  await importDefinitions(database, sandbox, { version: 1, events: [{ key: "visited", name: "Visited" }] });
  const file = join(folder, "definitions.json");
  writeFileSync(file, JSON.stringify(FILE));
  const backtest = async (...args: string[]) => {
    const where = ["--project", slug, "--environment", "sandbox"];
    const running = run([
      ...args.filter((arg) => arg === "--json"),
      "definitions",
      "backtest",
      file,
      ...args.filter((arg) => arg !== "--json"),
      ...where,
    ]);
    // Does the work of the service's worker.
    let code: number | undefined;
    void running.then((ended) => (code = ended));
    while (code === undefined) if (!(await runDue(database))) await new Promise((resolve) => setTimeout(resolve, 20));
    return { code, out: printed.out.splice(0).join("\n"), err: printed.err.splice(0) };
  };
  const text = await backtest("missions/visits", "--days", "7");
  expect(text.code, text.err.join("\n")).toBe(0);
  expect(text.out).toContain("all 0 players");
  expect(text.out).toContain("Completions per week");
  expect(text.err[0]).toContain("Assumes that everyone opened the mission on");
  const json = await backtest("missions/others", "--entry", "first-event", "--json");
  expect(JSON.parse(json.out)).toMatchObject({ days: 30, isExact: true, today: null, draft: { completions: { value: 0 } } });
  expect(await backtest()).toMatchObject({ code: 1, err: ["Say which one: <kind>/<key>, such as missions/<key>."] });
  const outside = async (...args: string[]) => (await backtest("missions/visits", ...args)).err;
  expect(await outside("--days", "0")).toEqual(['--days must be a whole number, 7 to 90, not "0".']);
  expect(await outside("--sample", "50001")).toEqual(['--sample must be a whole number, 100 to 50000, not "50001".']);
  expect(await backtest("missions/none")).toMatchObject({ code: 1, err: [expect.stringContaining("no missions/none")] });
});
