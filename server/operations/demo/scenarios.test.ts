import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { Rules } from "../../authoring/simulation/scenarios/rules.ts";
import { readScenarios, runScenarios } from "../../authoring/simulation/scenarios/run.ts";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const rules = Rules.of(JSON.parse(read("definitions.json")), Date.now());
const files = readdirSync(new URL("scenarios", import.meta.url)).map((name) => readScenarios(parse(read(`scenarios/${name}`))));

test("the demo's definitions do what its twenty scenarios expect", () => {
  if ("problems" in rules) throw new Error(rules.problems[0]?.message);
  const ran = files.map((found) => ("file" in found ? runScenarios(rules, found.file) : { results: [], problems: found.problems }));
  expect(ran.flatMap(({ problems }) => problems)).toEqual([]);
  const results = ran.flatMap((one) => one.results);
  expect(results.flatMap(({ name, failures }) => failures.map((failure) => ({ name, ...failure })))).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(20);
});
