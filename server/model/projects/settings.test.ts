import { expect, test } from "vitest";
import { projectProblems } from "./settings.ts";

const acme = { slug: "acme", name: "Acme", defaultLanguage: "en", timeZone: "Europe/Amsterdam" };

test("settings that are in order have no problems", () => {
  expect(projectProblems(acme)).toEqual([]);
  expect(projectProblems({ ...acme, slug: "a" + "-0".repeat(31), defaultLanguage: "nl-BE", timeZone: "UTC" }, "main")).toEqual([]);
});

test.each(["", "Acme", "1acme", "-acme", "ac_me", "ac me", "a".repeat(64), "acme\n"])("a slug %j is refused", (slug) => {
  expect(projectProblems({ ...acme, slug })).toHaveLength(1);
});

test("every problem has a line of its own", () => {
  expect(projectProblems({ slug: "", name: " ", defaultLanguage: "english!", timeZone: "+02:00" }, "Main")).toHaveLength(5);
});

test.each([
  ["german", "de"],
  ["Nederlands", "nl"],
  ["xx", "en or nl-BE"],
])("the unknown language %j is refused, and %s is named", (defaultLanguage, named) => {
  expect(projectProblems({ ...acme, defaultLanguage })).toEqual([expect.stringContaining(`such as ${named}.`)]);
});
