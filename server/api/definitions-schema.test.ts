import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { definitionsSchema } from "./definitions-schema.ts";

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
ajv.addFormat("base64", true);
const validate = ajv.compile(definitionsSchema());
const fileOf = (name: string): Record<string, unknown> => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const whole = fileOf("../model/definitions/example.json");

test.each(["../model/definitions/example.json", "../operations/demo/definitions.json"])("%s is as the schema says", (name) => {
  validate({ $schema: "https://example.com/definitions.schema.json", ...fileOf(name) });
  expect(validate.errors).toBeNull();
});

const scenarios = readdirSync(new URL("../operations/demo/scenarios", import.meta.url));

test.each(scenarios)("%s is as the schema says", (name) => {
  validate(parse(readFileSync(new URL(`../operations/demo/scenarios/${name}`, import.meta.url), "utf8")));
  expect(validate.errors).toBeNull();
});

test("the schema underlines what is wrong in a scenario", () => {
  const steps = [{ event: "order_placed", expect: { missions: { first_order: "Done" } } }];
  expect(validate({ scenarios: [{ name: "One", steps }] })).toBe(false);
  expect(validate.errors?.map(({ instancePath }) => instancePath)).toContain("/scenarios/0/steps/0/expect/missions/first_order");
});

const [event] = whole["events"] as object[];
const mission = (whole["missions"] as object[])[0]!;

test.each([
  ["another version", { ...whole, version: 2 }, "/version"],
  ["a list that is none", { ...whole, events: {} }, "/events"],
  ["a key with a space", { ...whole, events: [{ ...event, key: "order placed" }] }, "/events/0/key"],
  ["a misspelt member", { ...whole, missions: [{ ...mission, objektives: [] }] }, "/missions/0"],
  ["a mission without rewards", { ...whole, missions: [{ ...mission, rewards: undefined }] }, "/missions/0"],
  [
    "a kind of reward that there is not",
    { ...whole, missions: [{ ...mission, rewards: [{ kind: "Gold", points: 1 }] }] },
    "/missions/0/rewards/0",
  ],
])("the schema underlines %s", (_, file, pointer) => {
  expect(validate(JSON.parse(JSON.stringify(file)))).toBe(false);
  expect(validate.errors?.map(({ instancePath }) => instancePath)).toContain(pointer);
});
