import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { Decimal } from "../kernel/decimal.ts";
import { parseJson } from "../kernel/json.ts";
import type { Path } from "../rules/finding.ts";
import { DefinitionsInMemory, fileOf, mission, order, points, problemsOf, withMission, withMissions } from "./testing/in-memory.ts";
import { valueAt } from "./value-at.ts";

const segment = (key: string, rule: object = { points: "Balance", operator: "EqualTo", value: 1 }) => ({ key, name: key, rule });

describe("keys are used once", () => {
  test.each<[what: string, document: unknown, problem: string]>([
    [
      "of a kind",
      withMissions(mission(), mission({ key: "other" }), mission()),
      '/missions/2/key: the mission "m" is in the list already, at /missions/0; use another key',
    ],
    [
      "of a property",
      fileOf({
        events: [
          {
            key: "e",
            name: "E",
            properties: [
              { key: "p", type: "String" },
              { key: "p", type: "Number" },
            ],
          },
        ],
      }),
      '/events/0/properties/1/key: the event has a property "p" already; use another key',
    ],
    [
      "of a mission in a collection",
      {
        ...(withMissions(mission(), mission({ key: "n" })) as object),
        missionCollections: [{ key: "c", name: "C", missions: ["m", "n", "m"] }],
      },
      '/missionCollections/0/missions/2: the collection has the mission "m" already, at /missionCollections/0/missions/0; leave one of the two out',
    ],
    [
      "of a segment",
      fileOf({ segments: [segment("s"), segment("s")] }),
      '/segments/1/key: the segment "s" is in the list already, at /segments/0; use another key',
    ],
  ])("%s", (_, document, problem) => expect(problemsOf(document)).toEqual([problem]));

  it("definitions of different kinds may share a key", () => {
    expect(problemsOf(fileOf({ events: [{ key: "same", name: "E" }], attributes: [{ key: "same", name: "A", type: "String" }] }))).toEqual(
      [],
    );
  });
});

it("reports every mistake of a definition, independently of its others", () => {
  const document = withMission({
    nam: "M",
    name: undefined,
    objectives: [
      { event: "order_placd", operator: "Is", target: 1 },
      { ...order, where: { property: "drink", operator: "In", value: "tea" } },
    ],
    rewards: [{ kind: "Points" }, { kind: "CatalogItem", catalogItem: "tea", value: {} }],
  });
  expect(problemsOf(document)).toEqual([
    "/missions/0/name: is missing; it must be a text",
    expect.stringMatching("^/missions/0/objectives/0/operator: must be one of "),
    "/missions/0/rewards/0/points: is missing; it must be a whole number from 1 to 9007199254740991",
    "/missions/0/rewards/1/value: must be a string, a number, true or false",
    '/missions/0/nam: there is no member "nam" here; did you mean "name"?',
    '/missions/0/objectives/0/event: there is no event "order_placd"; did you mean "order_placed"?',
    "/missions/0/objectives/1/where/value: must be a list of at least one value for In",
    '/missions/0/rewards/1/catalogItem: there is no catalog item "tea"',
  ]);
});

it("reports a mistake in one definition only there, not in those that refer to it", () => {
  const events = [{ key: "order_placed", name: 5, properties: [{ key: "amount", type: "Numbr" }] }];
  const missions = [mission({ objectives: [{ ...order, measure: { kind: "Sum", property: "amount" } }] })];
  expect(problemsOf(fileOf({ events, missions })).map((problem) => problem.split(":")[0])).toEqual([
    "/events/0/name",
    "/events/0/properties/0/type",
  ]);
});

describe("any change of a valid file", () => {
  const compound = {
    all: [order, { not: { ...order, where: { property: "pickup_at", operator: "In", value: ["2026-01-01T00:00:00Z"] } } }],
  };
  const sum = {
    ...order,
    measure: { kind: "Sum", property: "amount" },
    where: { all: [{ property: "drink", operator: "NotEqualTo", value: "tea" }] },
  };
  const rewards = [...points(5), { kind: "CatalogItem", catalogItem: "colours", value: ["red"] }];
  const rule = {
    all: [
      { segment: "vip" },
      { attribute: "joined_at", operator: "LessThan", value: "2026-01-01T00:00:00Z" },
      { not: { event: "order_placed", measure: { kind: "Max", property: "amount" }, operator: "GreaterThan", value: 5, lastDays: 3 } },
    ],
  };
  const missions = withMissions(
    mission({
      objectives: [order, compound, sum, { attribute: "tier", operator: "In", target: ["gold"] }],
      audience: { rule, otherwise: "Hidden" },
      rewards,
      window: { endsAt: "2027-01-01T00:00:00Z" },
      recurrence: { kind: "AfterCompletion" },
    }),
  );
  const sound = {
    ...(missions as object),
    discovery: { events: true, attributes: false },
    segments: [segment("vip", { any: [{ segment: "rich" }, { missionCompleted: "m" }] }), segment("rich")],
    missionCollections: [{ key: "c", name: "C", missions: ["m"] }],
  };
  const places = placesIn(sound);

  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, undefined, -1, 0.5, Infinity, [], {}, [[]], "", "order_placed", "amount", "In", "\ud800"),
    // A copy for each case: its changes must not reach the next.
    fc.constant("12345678901234567890.5").map((text) => Decimal.parse(text)),
    fc.constantFrom(...places.map((place) => valueAt(sound, place))),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const name = fc.constantFrom(
    "key",
    "all",
    "not",
    "event",
    "attribute",
    "segment",
    "metric",
    "where",
    "measure",
    "value",
    "__proto__",
    "constructor",
    "anything",
  );
  const edit = fc.tuple(fc.constantFrom(...places), fc.option(name), junk);

  it("is refused with a reason, or accepted and written back byte for byte", () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), fc.boolean(), (edits, isStored) => {
        const definitions = isStored ? DefinitionsInMemory.after(sound) : new DefinitionsInMemory();
        const changed = edits.reduce<unknown>(
          (file, [place, more, value]) => replaced(file, more === null ? place : [...place, more], value),
          sound,
        );
        if (definitions.problems(changed, { now: Date.UTC(2026, 5), prune: true }).length > 0) return;
        definitions.compile();
        const exported = definitions.export();
        expect(DefinitionsInMemory.after(parseJson(JSON.stringify(exported))).export()).toEqual(exported);
      }),
      { numRuns: 400 },
    );
  });
});

function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [...(path.length > 0 ? [path] : []), ...members.flatMap(([name, one]) => placesIn(one, [...path, name]))];
}

/** A copy with another value at a path; unchanged if the path does not exist. */
function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  if (typeof value !== "object" || value === null) return value;
  const inner = replaced(valueAt(value, [name]), rest, by);
  if (Array.isArray(value)) return typeof name === "number" && value.length > 0 ? value.with(name % value.length, inner) : value;
  return Object.fromEntries([...Object.entries(value), [String(name), inner]]);
}
