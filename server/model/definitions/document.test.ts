import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../kernel/json.ts";
import { writeFile } from "./document.ts";
import { soundFiles } from "./testing/files.ts";
import { DefinitionsInMemory, fileOf, withMission } from "./testing/in-memory.ts";

const written = (definitions: DefinitionsInMemory): string => JSON.stringify(definitions.export(), null, 2);

/** Imports the export of an environment into an empty one, whose project speaks another language. */
function copyOf(definitions: DefinitionsInMemory): DefinitionsInMemory {
  const copy = new DefinitionsInMemory();
  copy.changes(parseJson(written(definitions)), { language: "nl" });
  return copy;
}

it("export, import into an empty environment, export again: the same bytes; and importing either again changes nothing", () => {
  fc.assert(
    fc.property(soundFiles(), (document) => {
      const first = DefinitionsInMemory.after(document);
      first.compile();
      expect([...writeFile(first.export())].join("")).toBe(`${written(first)}\n`);
      const second = copyOf(first);
      expect(written(second)).toBe(written(first));
      for (const definitions of [first, second]) expect(definitions.changes(parseJson(written(first)))).toEqual([]);
      expect(first.changes(document)).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

it("writes the defaults out, members in the order of the specification, lists in the order of creation", () => {
  const definitions = DefinitionsInMemory.after(fileOf({ events: [{ key: "z", name: "Z" }], baseCurrency: "EUR" }));
  definitions.changes(withMission({ images: { z: "https://example.com", a: "https://example.com" } }));
  const exported = definitions.export() as { events: { key: string }[]; missions: object[] };
  expect(Object.keys(exported)).toEqual([
    "version",
    "discovery",
    "baseCurrency",
    "events",
    "metrics",
    "exchangeRates",
    "attributes",
    "segments",
    "catalogItems",
    "missions",
    "missionCollections",
    "streaks",
    "leaderboards",
    "marketplaceItems",
    "marketplaceCollections",
    "pointsValuations",
  ]);
  expect(exported.events.map(({ key }) => key)).toEqual(["z", "order_placed", "order_returned"]);
  expect(JSON.stringify(exported.missions[0])).toBe(
    JSON.stringify({
      key: "m",
      name: { default: "en", texts: { en: "M" } },
      active: true,
      description: null,
      images: { a: "https://example.com", z: "https://example.com" },
      optIn: "Automatic",
      objectiveOrder: "AnyOrder",
      appearsIn: "Feed",
      recurrence: { kind: "None" },
      audience: { rule: null, otherwise: "Locked" },
      window: { startsAt: null, endsAt: null },
      objectives: [
        { description: null, event: "order_placed", where: null, measure: { kind: "Count" }, operator: "GreaterThanOrEqualTo", target: 1 },
      ],
      rewards: [{ kind: "Points", points: 5 }],
    }),
  );
});

describe("the specification's example", () => {
  const example = () => parseJson(readFileSync(new URL("example.json", import.meta.url), "utf8")) as Record<string, object[]>;

  it("compiles, and is exported as it was imported", () => {
    const definitions = DefinitionsInMemory.after(example());
    expect(definitions.compile().missions.map(({ key }) => key)).toEqual([
      "first_order",
      "coffee_lover",
      "daily_cup",
      "every_tenth",
      "explorer",
    ]);
    expect(definitions.compile().streaks.map(({ key }) => key)).toEqual(["daily_coffee", "weekly_walk"]);
    expect(written(copyOf(definitions))).toBe(written(definitions));
    expect(definitions.changes(example())).toEqual([]);
  });
});
