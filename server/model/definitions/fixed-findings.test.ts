import { describe, expect, test } from "vitest";
import { parseJson } from "../kernel/json.ts";
import {
  DefinitionsInMemory,
  EVENTS,
  ITEMS,
  fileOf,
  mission,
  order,
  withMission,
  withMissions,
  withObjective,
  withRule,
} from "./testing/in-memory.ts";

describe("immutable members of created definitions", () => {
  const HOW = "define a new one under a new key and switch this one off";
  const NOW = Date.UTC(2026, 5, 1);
  const started = withMission({ window: { startsAt: "2026-01-01T00:00:00Z" } });
  const WINDOW =
    "/missions/0/window/startsAt: the start of a window cannot change once it is reached; leave it at 2026-01-01T00:00:00.000Z, or define a new mission under a new key";

  test.each<[what: string, before: unknown, changed: unknown, problems: string[]]>([
    [
      "objectives",
      withMission(),
      withMission({ objectives: [{ ...order, target: 2 }] }),
      [`/missions/0/objectives: the objectives of a mission cannot change; ${HOW}; it has 1 at /missions/0/objectives/0/target`],
    ],
    [
      "number of objectives",
      withMission(),
      withMission({ objectives: [order, { attribute: "tier", operator: "EqualTo", target: "gold" }] }),
      [`/missions/0/objectives: the objectives of a mission cannot change; ${HOW}; it has nothing at /missions/0/objectives/1`],
    ],
    [
      "order",
      withMission(),
      withMission({ objectiveOrder: "InOrder" }),
      [`/missions/0/objectiveOrder: the objectiveOrder of a mission cannot change; ${HOW}; it is "AnyOrder"`],
    ],
    [
      "opt-in",
      withMission({ optIn: "Manual" }),
      withMission(),
      [`/missions/0/optIn: the optIn of a mission cannot change; ${HOW}; it is "Manual"`],
    ],
    [
      "recurrence",
      withMission(),
      withMission({ recurrence: { kind: "Calendar", every: "Day" } }),
      [`/missions/0/recurrence: the recurrence of a mission cannot change; ${HOW}; it is {"kind":"None"}`],
    ],
    [
      "whatever else is wrong",
      withMission(),
      withMission({ optIn: "Manual", name: null }),
      [
        "/missions/0/name: is missing; it must be a text",
        `/missions/0/optIn: the optIn of a mission cannot change; ${HOW}; it is "Automatic"`,
      ],
    ],
    ["start of a window that was reached", started, withMission({ window: { startsAt: "2026-01-02T00:00:00Z" } }), [WINDOW]],
    ["start of a window that was reached, left out", started, withMission(), [WINDOW]],
    [
      "type of a property",
      fileOf({ events: EVENTS }),
      fileOf({ events: [{ ...EVENTS[0], properties: [{ key: "amount", type: "String" }] }] }),
      ['/events/0/properties/0/type: the type of a property cannot change; add a property under a new key; "amount" is a Number'],
    ],
    [
      "type of an attribute",
      fileOf({ attributes: [{ key: "a", name: "A", type: "String" }] }),
      fileOf({ attributes: [{ key: "a", name: "A", type: "Number" }] }),
      ['/attributes/0/type: the type of an attribute cannot change; define a new one under a new key; it is "String"'],
    ],
    [
      "type of a catalog item",
      fileOf({ catalogItems: ITEMS }),
      fileOf({ catalogItems: [{ ...ITEMS[0], valueType: "String" }] }),
      ['/catalogItems/0/valueType: the valueType of a catalog item cannot change; define a new one under a new key; it is "Number"'],
    ],
  ])("%s", (_, before, changed, problems) => expect(DefinitionsInMemory.after(before).problems(changed, { now: NOW })).toEqual(problems));

  test.each<[what: string, before: unknown, changed: unknown, changes: string[]]>([
    [
      "texts, images, rewards and place",
      withMission(),
      withMission({
        name: "N",
        images: { icon: "https://example.com/i.png" },
        rewards: [{ kind: "Points", points: 6 }],
        appearsIn: "CollectionOnly",
      }),
      ["~ missions m name images appearsIn rewards"],
    ],
    [
      "who takes part, and the rule of a segment",
      withRule({ segment: "s" }, { key: "s", name: "S", rule: { attribute: "tier", operator: "EqualTo", value: "gold" } }),
      withRule({ not: { segment: "s" } }, { key: "s", name: "S", rule: { attribute: "age", operator: "In", value: [1] } }),
      ["~ segments s rule", "~ missions m audience"],
    ],
    [
      "the missions of a collection and their order",
      {
        ...(withMissions(mission(), mission({ key: "n" })) as object),
        missionCollections: [{ key: "c", name: "C", missions: ["m", "n"] }],
      },
      fileOf({ missionCollections: [{ key: "c", name: "C", missions: ["n", "m"] }] }),
      ["~ missionCollections c missions"],
    ],
    [
      "the end of a window, and its start written otherwise",
      started,
      withMission({ window: { startsAt: "2026-01-01T01:00:00+01:00", endsAt: "2026-07-01T00:00:00Z" } }),
      ["~ missions m window"],
    ],
    [
      "the start of a window that is not reached",
      withMission({ window: { startsAt: "2026-06-01T00:00:00.001Z" } }),
      withMission(),
      ["~ missions m window"],
    ],
    [
      "properties added, and which are required",
      fileOf({ events: [{ key: "e", name: "E", properties: [{ key: "a", type: "String" }] }] }),
      fileOf({
        events: [
          {
            key: "e",
            name: "E",
            properties: [
              { key: "b", type: "String" },
              { key: "a", type: "String", required: true },
            ],
          },
        ],
      }),
      ["~ events e properties"],
    ],
    [
      "nothing, where an attribute's instant is written otherwise",
      withMission({ objectives: [order, { attribute: "joined_at", operator: "In", target: ["2026-01-01T00:00:00Z"] }] }),
      withMission({
        objectives: [order, { description: null, attribute: "joined_at", operator: "In", target: ["2026-01-01T02:00:00.000+02:00"] }],
      }),
      [],
    ],
    [
      "nothing, where a rule is written otherwise",
      withRule({
        all: [
          { attribute: "joined_at", operator: "LessThan", value: "2026-01-01T00:00:00Z" },
          { event: "order_placed", measure: { kind: "Max", property: "pickup_at" }, operator: "In", value: ["2026-01-01T00:00:00Z"] },
          { event: "order_placed", operator: "EqualTo", value: parseJson("1e1") },
        ],
      }),
      withRule({
        all: [
          { value: "2026-01-01T01:00:00+01:00", attribute: "joined_at", operator: "LessThan" },
          {
            event: "order_placed",
            measure: { kind: "Max", property: "pickup_at" },
            operator: "In",
            value: ["2026-01-01T01:00:00.000+01:00"],
          },
          { event: "order_placed", where: null, measure: { kind: "Count" }, lastDays: null, operator: "EqualTo", value: 10 },
        ],
      }),
      [],
    ],
    [
      "nothing, written otherwise",
      withObjective({ where: { property: "pickup_at", operator: "LessThan", value: "2026-01-01T00:00:00Z" }, target: parseJson("1e0") }),
      withObjective({
        where: { operator: "LessThan", value: "2026-01-01T01:00:00.000+01:00", property: "pickup_at" },
        measure: { kind: "Count" },
        description: null,
      }),
      [],
    ],
  ])("but not %s", (_, before, changed, changes) =>
    expect(DefinitionsInMemory.after(before).changes(changed, { now: NOW })).toEqual(changes),
  );
});
