import { expect, test } from "vitest";
import { testDatabase, testProject } from "../../db/testing.ts";
import { loadEnvironment } from "../projects/find-environment.ts";
import { importDefinitions, readMissingTexts } from "./service.ts";

const database = await testDatabase();
const { sql } = database;

const inBoth = { default: "en", texts: { en: "Coffee", NL: "Koffie" } };
const mission = (key: string, name: unknown, more: object = {}) => ({
  ...{ key, name, rewards: [{ kind: "Points", points: 1 }] },
  objectives: [{ event: "order", operator: "GreaterThanOrEqualTo", target: 1, description: "Order" }],
  ...more,
});

test("texts of definitions that are on lack the languages that others have, unless nobody can write them any more", async () => {
  const { sandbox } = await testProject(database);
  const current = async () => (await loadEnvironment(sql, sandbox.id))!;
  const define = async (missions: object[]) => {
    const file = { version: 1, events: [{ key: "order", name: inBoth }], missions };
    expect(await importDefinitions(database, await current(), file)).not.toHaveProperty("problems");
    return readMissingTexts(sql, await current());
  };
  expect(await define([])).toBeNull();
  // An objective's text is made with the mission; tags compare without regard to case.
  expect(await define([mission("both", { default: "nl", texts: { nl: "Een", en: "One" } })])).toBeNull();
  const off = mission("off", "Off", { active: false });
  expect(await define([mission("one", "One"), mission("two", { default: "de", texts: { de: "Zwei" } }), off])).toEqual({
    count: 4,
    languages: ["en", "NL", "de"],
    first: { kind: "events", key: "order" },
  });
});
