import { describe, expect, it, test } from "vitest";
import {
  DefinitionsInMemory,
  EVENTS,
  ITEMS,
  fileOf,
  mission,
  order,
  problemsOf,
  withMission,
  withObjective,
  withReward,
  withWhere,
} from "./testing.ts";

const OBJECTIVE = "/missions/0/objectives/1";

describe("every reference must resolve", () => {
  test.each<[what: string, document: unknown, problem: string]>([
    [
      "an event",
      withObjective({ event: "order_placd" }),
      `${OBJECTIVE}/event: there is no event "order_placd"; did you mean "order_placed"?`,
    ],
    ["an event far from all", withObjective({ event: "login" }), `${OBJECTIVE}/event: there is no event "login"`],
    [
      "an event deep in compounds",
      withMission({ objectives: [{ all: [order, { not: { any: [{ ...order, event: "ordr_placed" }] } }] }] }),
      '/missions/0/objectives/0/all/1/not/any/0/event: there is no event "ordr_placed"; did you mean "order_placed"?',
    ],
    [
      "a measured property",
      withObjective({ measure: { kind: "Sum", property: "amont" } }),
      `${OBJECTIVE}/measure/property: the event "order_placed" has no property "amont"; did you mean "amount"?`,
    ],
    [
      "a filtered property",
      withWhere({ all: [{ property: "x", operator: "EqualTo", value: 1 }] }),
      `${OBJECTIVE}/where/all/0/property: the event "order_placed" has no property "x"`,
    ],
    [
      "a property of another event",
      withObjective({ event: "order_returned", measure: { kind: "Sum", property: "amount" } }),
      `${OBJECTIVE}/measure/property: the event "order_returned" has no property "amount"`,
    ],
    [
      "a catalog item",
      withReward("cofee", 1),
      '/missions/0/rewards/0/catalogItem: there is no catalog item "cofee"; did you mean "coffee"?',
    ],
    ["a name of every object", withReward("constructor", 1), '/missions/0/rewards/0/catalogItem: there is no catalog item "constructor"'],
  ])("%s", (_, document, problem) => expect(problemsOf(document)).toEqual([problem]));

  it("and may be in the file, stored already, or come later in the file", () => {
    const definitions = DefinitionsInMemory.after(fileOf({ events: EVENTS }));
    expect(
      definitions.problems(
        fileOf({ missions: [mission({ rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }] })], catalogItems: ITEMS }),
      ),
    ).toEqual([]);
  });

  it("also in a mission that is switched off", () => {
    expect(problemsOf(withMission({ active: false, objectives: [{ ...order, event: "login" }] }))).toEqual([
      '/missions/0/objectives/0/event: there is no event "login"',
    ]);
  });
});

const VALUE = "/where/value";
const ORDERED = "use EqualTo, NotEqualTo, In or NotIn";
const INSTANT = "must be an RFC 3339 timestamp with an offset or Z, as it stands for a DateTime";

describe("operators and values have the type of what they are compared with", () => {
  const where = (property: string, operator: string, value: unknown) => withWhere({ property, operator, value });
  const reading = (kind: string, property: string, operator: string, target: unknown) =>
    withObjective({ measure: { kind, property }, operator, target });

  test.each<[what: string, document: unknown, problem: string]>([
    [
      "order of strings",
      where("drink", "GreaterThan", "tea"),
      `${OBJECTIVE}/where/operator: GreaterThan does not fit a String; ${ORDERED}`,
    ],
    [
      "order of booleans",
      where("takeaway", "LessThanOrEqualTo", true),
      `${OBJECTIVE}/where/operator: LessThanOrEqualTo does not fit a Boolean; ${ORDERED}`,
    ],
    ["a string for a number", where("amount", "EqualTo", "10"), `${OBJECTIVE}${VALUE}: must be a number, as it stands for a Number`],
    ["a number for a string", where("drink", "EqualTo", 10), `${OBJECTIVE}${VALUE}: must be a string, as it stands for a String`],
    [
      "a string for a boolean",
      where("takeaway", "EqualTo", "true"),
      `${OBJECTIVE}${VALUE}: must be true or false, as it stands for a Boolean`,
    ],
    ["no instant", where("pickup_at", "EqualTo", "2026-02-30T00:00:00Z"), `${OBJECTIVE}${VALUE}: ${INSTANT}`],
    ["one of several", where("amount", "In", [1, "2"]), `${OBJECTIVE}${VALUE}/1: must be a number, as it stands for a Number`],
    [
      "a list for one",
      where("amount", "EqualTo", [1]),
      `${OBJECTIVE}${VALUE}: must be a single value for EqualTo; a list is for In and NotIn`,
    ],
    ["one for a list", where("amount", "In", 1), `${OBJECTIVE}${VALUE}: must be a list of at least one value for In`],
    ["an empty list", where("amount", "NotIn", []), `${OBJECTIVE}${VALUE}: must be a list of at least one value for NotIn`],
    ["a count against a string", withObjective({ target: "5" }), `${OBJECTIVE}/target: must be a number, as it stands for a Number`],
    [
      "a sum of strings",
      reading("Sum", "drink", "GreaterThan", 1),
      `${OBJECTIVE}/measure/property: Sum needs a property of type Number, and this is a String`,
    ],
    [
      "a maximum of booleans",
      reading("Max", "takeaway", "EqualTo", true),
      `${OBJECTIVE}/measure/property: Max needs a property of type Number or DateTime, and this is a Boolean`,
    ],
    [
      "a minimum of strings",
      reading("Min", "drink", "EqualTo", "tea"),
      `${OBJECTIVE}/measure/property: Min needs a property of type Number or DateTime, and this is a String`,
    ],
    [
      "a distinct count against what it counts",
      reading("DistinctCount", "drink", "EqualTo", "tea"),
      `${OBJECTIVE}/target: must be a number, as it stands for a Number`,
    ],
    [
      "the latest string by order",
      reading("Latest", "drink", "GreaterThan", "tea"),
      `${OBJECTIVE}/operator: GreaterThan does not fit a String; ${ORDERED}`,
    ],
    ["a maximal instant against a number", reading("Max", "pickup_at", "GreaterThan", 5), `${OBJECTIVE}/target: ${INSTANT}`],
    [
      "a string for the number of an item",
      withReward("coffee", "two"),
      "/missions/0/rewards/0/value: must be a number, as it stands for a Number",
    ],
    [
      "a list for a single value of an item",
      withReward("badge", ["a"]),
      "/missions/0/rewards/0/value: must be a single value, as the catalog item is a String",
    ],
    [
      "a single value for a collection",
      withReward("colours", "red"),
      "/missions/0/rewards/0/value: must be a list, as the catalog item is a Collection",
    ],
    ["no instant for an item", withReward("valid_until", "tomorrow"), `/missions/0/rewards/0/value: ${INSTANT}`],
  ])("%s is refused", (_, document, problem) => expect(problemsOf(document)).toEqual([problem]));

  test.each<[what: string, document: unknown]>([
    [
      "every operator on numbers and instants",
      withMission({
        objectives: [
          order,
          ...["EqualTo", "NotEqualTo", "GreaterThan", "GreaterThanOrEqualTo", "LessThan", "LessThanOrEqualTo"].flatMap((operator) => [
            { ...order, where: { property: "amount", operator, value: 1 } },
            { ...order, where: { property: "pickup_at", operator, value: "2026-01-01T00:00:00Z" } },
          ]),
        ],
      }),
    ],
    [
      "lists for In and NotIn",
      withMission({
        objectives: [
          {
            ...order,
            where: {
              any: [
                { property: "drink", operator: "In", value: ["tea"] },
                { property: "takeaway", operator: "NotIn", value: [true] },
              ],
            },
          },
          { ...order, operator: "In", target: [1, 2] },
        ],
      }),
    ],
    [
      "every measure of what it measures",
      withMission({
        objectives: [
          order,
          ...[
            ["Sum", "amount", 1],
            ["Max", "pickup_at", "2026-01-01T00:00:00Z"],
            ["Min", "amount", 1],
            ["Latest", "takeaway", true],
            ["DistinctCount", "takeaway", 2],
          ].map(([kind, property, target]) => ({ event: "order_placed", measure: { kind, property }, operator: "EqualTo", target })),
          { ...order, measure: { kind: "DistinctDays" } },
        ],
      }),
    ],
    ["a collection of anything", withReward("colours", ["red", 2, true])],
  ])("%s are taken", (_, document) => expect(problemsOf(document)).toEqual([]));
});
