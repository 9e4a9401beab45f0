import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, test, vi } from "vitest";
import { parse } from "yaml";
import { limitsOf, schemaType } from "./api/type-name.ts";
import { curlOf } from "./code/languages.ts";
import { layOut } from "./code/lay-out.ts";
import { codeText } from "./code/shown.ts";
import { articled } from "../../server/model/rules/naming.ts";
import { createOperations } from "../../server/process/monitoring/endpoints.ts";
import { type ErrorDescription, ERRORS } from "../../server/model/kernel/errors.ts";
import { RELEASES } from "./releases.ts";
import { METRICS } from "./operating.ts";
import { groupByArea } from "./errors.tsx";
import { CHAPTERS, positionOf } from "./navigation.ts";
import { COMMANDS } from "../../server/model/command-line/commands.ts";
import { fileShape, KINDS } from "../../server/model/definitions/contract.ts";
import { moduleOf } from "../../server/model/definitions/kinds.ts";
import { fixedLeaderboardFields } from "../../server/model/leaderboards/checks.ts";
import type { LeaderboardShape } from "../../server/model/leaderboards/shape.ts";
import { run } from "../../server/process/cli.ts";
import { Rules } from "../../server/authoring/simulation/scenarios/rules.ts";
import { readScenarios, runScenarios } from "../../server/authoring/simulation/scenarios/run.ts";
import { SCENARIO, SPEC } from "./guides/samples.ts";
import { FILE, fileMembers } from "./definitions.ts";

type Schema = Parameters<typeof schemaType>[0];

describe("a value of the API", () => {
  it.each<[schema: unknown, name: string]>([
    [{ type: "string" }, "string"],
    [{ type: "string", format: "date-time" }, "timestamp"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string or null"],
    [{ type: ["boolean", "null"] }, "boolean or null"],
    [{ anyOf: [{ anyOf: [{ type: "null" }, { type: "boolean" }] }, { type: "null" }] }, "boolean or null"],
    [{ oneOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] }, "string, number or boolean"],
    [{ type: "array", items: { type: "integer" } }, "list of integer"],
    [{ type: "object", additionalProperties: { type: "number" } }, "map of key to number"],
    [{ const: "Points" }, '"Points"'],
    [{}, "any value"],
  ])("%j is a %s", (schema, name) => expect(schemaType(schema as Schema)).toBe(name));

  it.each(["an EventBatchResult", "an object", "a list of Mission", "a MissionProgress", "a UUID"])("is %s", (words) =>
    expect(articled(words.slice(words.indexOf(" ") + 1))).toBe(words),
  );

  it("states its limits", () =>
    expect(limitsOf({ minLength: 1, maxLength: 100, maxItems: 1000, minimum: 0 } as Schema)).toEqual([
      "at most 100 characters",
      "0 or more",
      "at most 1,000 items",
    ]));

  it("states how many items an array has", () => expect(limitsOf({ minItems: 1, maxItems: 1000 } as Schema)).toEqual(["1–1,000 items"]));
});

describe("the command line's page", () => {
  const listed = COMMANDS.flatMap(({ rows }) => rows.map(([command]) => command));

  it("has every command of the program", async () => {
    const lines: string[] = [];
    const printed = vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
    await run(["completion", "bash"]);
    printed.mockRestore();
    const known = [...lines.join("\n").matchAll(/^ {6}([^\n]*)\) at="\$next" ;;$/gm)].flatMap(([, all]) =>
      all!.split("|").map((one) => one.slice(1, -1)),
    );
    const leaves = known.filter((one) => !known.some((other) => other.startsWith(`${one} `)));
    expect(leaves.length).toBeGreaterThan(20);
    expect([...listed].sort()).toEqual([...leaves].sort());
  });
});

describe("the definitions file's page", () => {
  it("shows a valid file, and the required members of every list", () => {
    expect(fileShape.safeParse(JSON.parse(FILE)).error).toBeUndefined();
    const byKind = new Map(fileMembers().map(({ kind, members }) => [kind, members]));
    expect([...byKind.keys()]).toEqual([...KINDS]);
    for (const [kind, members] of byKind) expect(members.length, kind).toBeGreaterThan(1);
    expect(
      byKind
        .get("missions")!
        .filter(({ isRequired }) => isRequired)
        .map(({ name }) => name),
    ).toEqual(["key", "name", "objectives", "rewards"]);
    expect(byKind.get("missions")!.find(({ name }) => name === "recurrence")?.values).toEqual(["None", "Calendar", "AfterCompletion"]);
    expect(byKind.get("catalogItems")!.find(({ name }) => name === "valueType")?.values).toContain("Collection");
  });

  it("names all members of a leaderboard that cannot change", () => {
    const [, fixed] = readFileSync("app/docs/definitions/page.tsx", "utf8").split('title="What cannot change"');
    const period = { kind: "AllTime" } as LeaderboardShape["period"];
    const pointers = fixedLeaderboardFields({ period } as LeaderboardShape, 0).map(({ pointer }) => pointer.slice(1));
    for (const name of [...moduleOf("leaderboards").fixed, ...pointers]) expect(fixed).toContain(`<code>${name}</code>`);
  });
});

test("documents name only npm packages that are ours, and ours by its name", async () => {
  const { name } = (await import("../../packages/cli/package.json")).default;
  const folders = ["docs", "app/docs", "web/docs/guides", "testing"];
  const documents = [
    ...["README.md", "bin/engagement.mjs", "packages/cli/README.md", "server/cli/README.md"],
    ...folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`)),
  ];
  for (const path of documents.filter((one) => /[.](md|mjs|yml|tsx?)$/.test(one) && !one.includes("/dist/"))) {
    const text = readFileSync(path, "utf8");
    expect(text, path).not.toContain("npx engagement");
    for (const [found] of text.matchAll(/@[\w-]+\/cli\b/g)) expect(found, path).toBe(name);
  }
});

describe("a request in a shell", () => {
  const code = (...request: Parameters<typeof curlOf>) => codeText(curlOf(...request));

  it("names the method only where curl's default differs", () => {
    expect(code({ method: "GET", path: "/v1/points" }, "https://a.test")).toBe(
      'curl https://a.test/v1/points \\\n  -H "Authorization: Bearer $KEY"',
    );
    expect(code({ method: "PUT", path: "/v1/x", body: {} }, "https://a.test")).toMatch(/^curl -X PUT /);
    expect(code({ method: "POST", path: "/v1/x", body: {} }, "https://a.test")).toMatch(/^curl https/);
    expect(code({ method: "POST", path: "/v1/x" }, "https://a.test")).toMatch(/^curl -X POST /);
  });

  it("is quoted, so that the shell passes it on unchanged", () => {
    expect(code({ method: "GET", path: "/v1/x?a=1&b=2" }, "https://a.test")).toContain('"https://a.test/v1/x?a=1&b=2"');
    expect(code({ method: "POST", path: "/v1/x", body: { shop: "Joe's" } }, "https://a.test")).toContain(String.raw`"Joe'\''s"`);
  });
});

test.each<[value: unknown, text: string]>([
  [{ a: 1, b: [] }, '{ "a": 1, "b": [] }'],
  [{}, "{}"],
  [{ name: "a".repeat(40), list: ["b".repeat(30), 1] }, `{\n  "name": "${"a".repeat(40)}",\n  "list": ["${"b".repeat(30)}", 1]\n}`],
])("JSON is laid out as a person writes it: %j", (value, text) => expect(layOut(value)).toBe(text));

test("errors are grouped by the area of their codes", () => {
  const described = { status: 404, title: "t", description: "d" } as never;
  const areas = groupByArea({ "auth.missing": described, "points_adjustment.a": described, "auth.wrong": described });
  expect(areas.map(({ title, codes }) => [title, codes.length])).toEqual([
    ["Authentication", 2],
    ["Points adjustment", 1],
  ]);
});

test("every page of the documentation links to the next", () => {
  const all = CHAPTERS.flatMap(({ entries }) => entries);
  expect(all.map(({ href }) => positionOf(href).next?.href)).toEqual([...all.slice(1).map(({ href }) => href), undefined]);
  expect(() => positionOf("/docs/nowhere")).toThrow("/docs/nowhere");
});

test("the changelog begins with the version that is served", async () => {
  const { version } = (await import("../../package.json")).default;
  expect(RELEASES[0]?.version).toBe(version);
});

test("the operating page lists exactly the metrics that a process reports", async () => {
  const operations = createOperations();
  const text = await new Promise<string>((resolve) => {
    const response = { writeHead: () => ({ end: resolve }) };
    operations.listener({ url: "/metrics" } as never, response as never);
  });
  const reported = [...text.matchAll(/^# TYPE (engagement_\w+|process_uptime_seconds) /gm)].map(([, name]) => name);
  expect(METRICS.map(([name]) => name).toSorted()).toEqual(reported.toSorted());
});

test.each(Object.entries(ERRORS))("%s has its cause and its remedy", (_, { meaning, retryable = false }: ErrorDescription) => {
  const [cause = "", ...mend] = meaning.split(/[.:;] /);
  expect(cause).not.toBe("");
  expect(mend.join(". ")).toMatch(
    /\b(send|use|put|read|name|define|have|correct|compare|split|leave|shorten|say|stop|tell|wait|accept)\b/i,
  );
  if (retryable) expect(meaning).toMatch(/again|retry/i);
});

test("the scenarios that the documentation shows pass by the demo's definitions", () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const rules = Rules.of(JSON.parse(read("server/operations/demo/definitions.json")), Date.now());
  if ("problems" in rules) throw new Error(rules.problems[0]?.message);
  const [, shown = ""] = /```yaml\n(.*?)```/s.exec(read("docs/command-line.md")) ?? [];
  for (const text of [shown, SCENARIO]) {
    const found = readScenarios(parse(text));
    if (!("file" in found)) throw new Error(found.problems[0]?.message);
    const { problems, results } = runScenarios(rules, found.file);
    expect([problems, results.map(({ failures }) => failures)]).toEqual([[], [[]]]);
  }
});

test("the guide's tests of an integration are the ones that the example runs", () => {
  const [, ...lines] = readFileSync(new URL("../../testing/example/orders.spec.ts", import.meta.url), "utf8").split("\n");
  expect(lines.join("\n").replace("../playwright.ts", "@engagement-service/cli/testing/playwright")).toContain(SPEC);
});
