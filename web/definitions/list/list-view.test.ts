import { expect, it } from "vitest";
import { LIST, definitionsInput } from "./list-view.ts";

const SCOPE = { project: "acme", environment: "live" } as const;
const USUAL = { search: "", status: "all", sort: "created", direction: "descending" };

it.each<[what: string, parameters: Parameters<typeof LIST.from>[0], input: object]>([
  ["nothing", {}, USUAL],
  ["everything", { q: "coffee", status: "off", sort: "name", order: "ascending" }, { search: "coffee", status: "off", sort: "name", direction: "ascending" }], // oxfmt-ignore
  ["completions", { sort: "completions" }, { ...USUAL, sort: "completions" }],
  ["nonsense", { q: ["a", "b"], status: "gone", sort: "colour", order: "up" }, USUAL],
  ["too much", { q: "a".repeat(300) }, { ...USUAL, search: "a".repeat(200) }],
])("an address that names %s gives a valid query, at the given cursor", (_, parameters, input) =>
  expect(definitionsInput(SCOPE, "missions", LIST.from(parameters), "cursor")).toEqual({
    ...SCOPE,
    kind: "missions",
    ...input,
    cursor: "cursor",
    limit: 50,
  }),
);
