import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hasKey, type Kind, KINDS, SHAPES } from "#server/model/definitions/contract.ts";
import { definitionOf } from "../document/draft.ts";
import { blankDraft, DRAFTS } from "./drafts.ts";
import { ALL_KINDS, definitionPath, isKind, isTried, kindAt, nameOfKey, titleOfKey } from "./index.ts";

describe("each kind", () => {
  it.each(ALL_KINDS)("%s: a new document has no members of another kind", (kind) => {
    const issues = SHAPES[kind].safeParse(definitionOf(blankDraft(kind, "en"))).error?.issues ?? [];
    expect(issues.map(({ code }) => code)).not.toContain("unrecognized_keys");
  });

  it.each(ALL_KINDS)("%s is keyless if the file has no key for it", (kind, { isKeyless }) =>
    expect(isKeyless ?? false).toBe(!hasKey(kind)),
  );

  it("has an address of its own, which no other page of an environment has", () => {
    const paths = ALL_KINDS.map(([, { path }]) => path);
    expect(new Set(paths).size).toBe(KINDS.length);
    const pages = new URL("../../../app/dashboard/[project]/[environment]/", import.meta.url);
    expect(existsSync(new URL("[kind]/page.tsx", pages))).toBe(true);
    expect(paths.filter((path) => existsSync(new URL(`${path}/page.tsx`, pages)))).toEqual([]);
  });

  it("has columns with distinct headings", () => {
    for (const [, { columns }] of ALL_KINDS) expect(new Set(columns.map(({ id }) => id)).size).toBe(columns.length);
  });
});

it.each<[path: string, kind: Kind | null]>([
  ["missions", "missions"],
  ["listings", "marketplaceItems"],
  ["marketplaceItems", null],
  ["players", null],
  ["toString", null],
  ["", null],
])("the address %j is of the kind %j", (path, kind) => expect(kindAt(path)).toBe(kind));

it.each([
  ["missions", true],
  ["apiKey", false],
  ["toString", false],
])("%j is a kind: %j", (name, is) => expect(isKind(name)).toBe(is));

it("a key is one segment of an address", () =>
  expect(definitionPath("pointsValuations", "2026-01-01T00:00:00.000Z")).toBe("/valuations/2026-01-01T00%3A00%3A00.000Z"));

it("a valuation is named by its start instant, other definitions and an invalid instant by their key", () => {
  const day = "2026-03-29T07:30:00.000Z";
  expect(nameOfKey("pointsValuations", day, "Europe/Brussels")).toBe("from 29 Mar 2026, 09:30");
  expect(titleOfKey("pointsValuations", day, "Europe/Brussels")).toBe("From 29 Mar 2026, 09:30");
  expect(titleOfKey("pointsValuations", "soon", "UTC")).toBe("soon");
  expect(titleOfKey("missions", "first_order", "UTC")).toBe("first_order");
});

it("kinds that players take part in or buy can be tried", () =>
  expect(KINDS.filter(isTried)).toEqual(["missions", "streaks", "leaderboards", "marketplaceItems"]));

it("a new leaderboard has no score source", () => {
  const missing = (changes: object) =>
    DRAFTS.leaderboards.missingChoices?.({ ...blankDraft("leaderboards", "en"), ...changes }).map(({ pointer }) => pointer);
  expect(missing({})).toEqual(["/event"]);
  expect(missing({ event: "order_placed", measure: { kind: "Sum", property: null } })).toEqual(["/measure/property"]);
  expect(missing({ scoreSource: "Points" })).toEqual([]);
});
