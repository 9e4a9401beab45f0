import { Box } from "lucide-react";
import { describe, expect, it, test } from "vitest";
import { type PaletteEntry, rankedGroups, scoreOf, searchWords } from "./palette-search.ts";

const entry = (label: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({ label, icon: Box, href: `/${label}`, ...more });

test.each<[query: string, label: string, more: Partial<PaletteEntry>, score: number]>([
  ["audit", "Audit log", {}, 5],
  ["AUDIT  Lo", "Audit log", {}, 5],
  ["log", "Audit log", {}, 4],
  ["log aud", "Audit log", {}, 4],
  ["webhooks", "Developers", { keywords: "api keys webhooks" }, 3.5],
  ["webh", "Developers", { keywords: "api keys webhooks" }, 3],
  ["lover", "Coffee", { keywords: "coffee_lover mission" }, 3],
  ["ffee", "Coffee lover", {}, 2],
  ["adlg", "Audit log", {}, 1],
  ["nothing", "Audit log", {}, 0],
  ["sofi", "player-17", { isFound: true }, 1],
])("%j fits %j", (query, label, more, score) => expect(scoreOf(entry(label, more), searchWords(query))).toBe(score));

describe("the groups of the palette", () => {
  const groups = [
    { heading: "Go to", items: [entry("Home"), entry("Missions")] },
    { heading: "Create", items: [entry("New mission", { keywords: "create" })] },
    { heading: "Definitions", items: [] },
  ];
  const shown = (query: string) => rankedGroups(groups, query).map(({ heading, items }) => [heading, items.map(({ label }) => label)]);

  it("are all listed for an empty query, but none without an entry", () =>
    expect(shown("  ")).toEqual([
      ["Go to", ["Home", "Missions"]],
      ["Create", ["New mission"]],
    ]));

  it("are ordered by their best entry", () => expect(shown("new mi")).toEqual([["Create", ["New mission"]]]));

  it("keep their order at equal scores", () => expect(shown("mission").map(([heading]) => heading)).toEqual(["Go to", "Create"]));

  it("are empty without a match", () => expect(shown("xyz")).toEqual([]));
});
