import { expect, it } from "vitest";
import { listInput, type ListView, queryOf, viewFrom } from "./list-view.ts";

const USUAL: ListView = { search: "", status: "all", sort: "created", direction: "descending" };

it.each<[what: string, parameters: Parameters<typeof viewFrom>[0], view: ListView]>([
  ["nothing", {}, USUAL],
  ["everything", { q: "coffee", status: "off", sort: "name", order: "ascending" }, { search: "coffee", status: "off", sort: "name", direction: "ascending" }], // oxfmt-ignore
  ["nonsense", { q: ["a", "b"], status: "gone", sort: "colour", order: "up" }, USUAL],
  ["too much", { q: "a".repeat(300) }, { ...USUAL, search: "a".repeat(200) }],
])("an address that says %s makes a list that can be shown", (_, parameters, view) => expect(viewFrom(parameters)).toEqual(view));

it.each<[view: Partial<ListView>, query: string]>([
  [{}, ""],
  [{ search: "a b&c" }, "?q=a+b%26c"],
  [{ status: "off", sort: "name", direction: "ascending" }, "?status=off&sort=name&order=ascending"],
])("the address of %j says no more than is unusual", (changes, query) => {
  const view = { ...USUAL, ...changes };
  expect(queryOf(view)).toBe(query);
  expect(viewFrom(Object.fromEntries(new URLSearchParams(query)))).toEqual(view);
});

it("a page is read with the view, and from where the one before it ended", () =>
  expect(listInput({ project: "acme", environment: "live" }, "missions", USUAL, "cursor")).toEqual({
    project: "acme",
    environment: "live",
    kind: "missions",
    ...USUAL,
    cursor: "cursor",
    limit: 50,
  }));
