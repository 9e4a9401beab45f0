import { expect, it } from "vitest";
import { actionWords, changeWords, subjectWords } from "../../client/subjects.ts";
import { doneWords, partsWords, subjectHref, subjectName } from "./subject.ts";

it.each([
  ["marketplaceItems", "listing"],
  ["webhookEndpoint", "webhook endpoint"],
  ["personal_token", "personal token"],
  ["apiKey", "API key"],
])("a subject %j is a %s", (kind, words) => expect(subjectWords(kind)).toBe(words));

it.each([
  ["switch_off", "switched off"],
  ["some_new_thing", "some new thing"],
])("%j was %s", (action, words) => expect(actionWords(action)).toBe(words));

it("the words for a moved clock name the clock once", () => {
  expect(changeWords("advance", "clock")).toEqual({ action: "moved the clock forward", subject: "" });
  expect(changeWords("update", "missions")).toEqual({ action: "changed", subject: "mission" });
});

it("a subject is named by its key, or by its date", () => {
  expect(subjectName("missions", "first_order", "UTC")).toBe("first_order");
  expect(subjectName("pointsValuations", "2026-01-01T00:00:00.000Z", "UTC")).toBe("from 1 Jan 2026, 00:00");
  expect(subjectName("webhookEndpoint", "https://acme.test", "UTC")).toBe("https://acme.test");
});

const ENTRY = { environment: "live", subjectKind: "missions", subjectKey: "a b", action: "update" } as Parameters<typeof subjectHref>[1];

it.each<[changes: object, place: string | null]>([
  [{}, "/dashboard/acme/live/missions/a%20b"],
  // A deleted definition links to its history.
  [{ action: "delete" }, "/dashboard/acme/live/missions/a%20b"],
  [{ environment: null }, null],
  [{ subjectKey: null }, null],
  [{ subjectKind: "apiKey" }, null],
])("a change of %j leads to %j", (changes, place) => expect(subjectHref("acme", { ...ENTRY, ...changes })).toBe(place));

it.each([
  ["promote", { create: 3, update: 1 }, "promoted 4 definitions to Live"],
  ["import", { create: 1 }, "imported 1 definition into Live"],
  ["update", null, "changed mission"],
])("%s with parts %j reads as %s", (action, parts, words) =>
  expect(Object.values(doneWords({ environment: "live", subjectKind: parts ? "definitions" : "missions", action, parts })).join(" ")).toBe(
    words,
  ),
);

it("the changes of a promotion are counted by action", () =>
  expect(partsWords({ create: 3, switch_off: 1 })).toBe("3 created, 1 switched off"));
