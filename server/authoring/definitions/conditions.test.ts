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
  withRule,
  withWhere,
} from "../../model/definitions/testing/in-memory.ts";

const OBJECTIVE = "/missions/0/objectives/1";
const RULE = "/missions/0/audience/rule";

test.each<[what: string, rule: object, problems: string[]]>([
  ["too much", { share: 100.01 }, [`${RULE}/share: must be a number from 0 to 100 with at most two decimals`]],
  ["too exact", { share: 0.125 }, [`${RULE}/share: must be a number from 0 to 100 with at most two decimals`]],
  ["a salt with a line break", { share: 5, salt: "a\nb" }, [`${RULE}/salt: must have no control characters, such as a line break`]],
  ["a misspelt member", { share: 5, sallt: "a" }, [`${RULE}/sallt: there is no member "sallt" here; did you mean "salt"?`]],
])("a share: %s", (_, rule, problems) => expect(problemsOf(withRule(rule))).toEqual(problems));

test.each<[what: string, when: object, pointer: string, message: string]>([
  ["nothing", {}, "", 'must have at least one of "weekdays", "from" and "until"'],
  ["no weekday", { weekdays: [] }, "/weekdays", "must have at least one entry"],
  ["a misspelt weekday", { weekdays: ["Frday"] }, "/weekdays/0", 'did you mean "Friday"?'],
  [
    "equal times",
    { from: "17:00", until: "17:00" },
    "/until",
    "must differ from the time from which it holds; leave both out for the whole day",
  ],
  ["a time that there is not", { from: "25:00" }, "/from", 'must be a time of day from "00:00" to "23:59", such as "17:30"'],
])("a time: %s", (_, when, pointer, message) => {
  const problems = problemsOf(withWhere({ when }));
  expect(problems).toEqual([expect.stringContaining(message)]);
  expect(problems[0]).toContain(`${OBJECTIVE}/where/when${pointer}: `);
});

describe("every reference must resolve", () => {
  test.each<[what: string, document: unknown, problems: string | string[]]>([
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
    [
      "an attribute of an objective",
      withMission({ objectives: [order, { attribute: "teir", operator: "EqualTo", target: "gold" }] }),
      `${OBJECTIVE}/attribute: there is no attribute "teir"; did you mean "tier"?`,
    ],
    [
      "an attribute of a rule",
      withRule({ attribute: "tir", operator: "EqualTo", value: "gold" }),
      `${RULE}/attribute: there is no attribute "tir"; did you mean "tier"?`,
    ],
    ["a segment", withRule({ not: { segment: "vip" } }), `${RULE}/not/segment: there is no segment "vip"`],
    [
      "an event of a rule, deep in it",
      withRule({ all: [{ any: [{ event: "ordr_placed", operator: "EqualTo", value: 1 }] }] }),
      `${RULE}/all/0/any/0/event: there is no event "ordr_placed"; did you mean "order_placed"?`,
    ],
    [
      "a property that a rule measures",
      withRule({ event: "order_placed", measure: { kind: "Sum", property: "amont" }, operator: "EqualTo", value: 1 }),
      `${RULE}/measure/property: the event "order_placed" has no property "amont"; did you mean "amount"?`,
    ],
    [
      "a property that a rule filters by",
      withRule({ event: "order_placed", where: { property: "x", operator: "EqualTo", value: 1 }, operator: "EqualTo", value: 1 }),
      `${RULE}/where/property: the event "order_placed" has no property "x"`,
    ],
    ["a mission that has to be completed", withRule({ missionCompleted: "n" }), `${RULE}/missionCompleted: there is no mission "n"`],
    [
      "whatever a segment names",
      fileOf({ segments: [{ key: "s", name: "S", rule: { any: [{ segment: "z" }, { attribute: "a", operator: "EqualTo", value: 1 }] } }] }),
      ['/segments/0/rule/any/0/segment: there is no segment "z"', '/segments/0/rule/any/1/attribute: there is no attribute "a"'],
    ],
    [
      "a mission of a collection",
      { ...(withMission() as object), missionCollections: [{ key: "c", name: "C", missions: ["m", "n"] }] },
      '/missionCollections/0/missions/1: there is no mission "n"',
    ],
    ["a name of every object", withReward("constructor", 1), '/missions/0/rewards/0/catalogItem: there is no catalog item "constructor"'],
  ])("%s", (_, document, problems) => expect(problemsOf(document)).toEqual([problems].flat()));

  it("a reference may resolve to a stored definition, or to one anywhere in the file", () => {
    const definitions = DefinitionsInMemory.after(fileOf({ events: EVENTS }));
    expect(
      definitions.problems(
        fileOf({ missions: [mission({ rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }] })], catalogItems: ITEMS }),
      ),
    ).toEqual([]);
  });

  it("references in a switched-off segment must resolve too", () => {
    expect(problemsOf(fileOf({ segments: [{ key: "s", name: "S", active: false, rule: { segment: "t" } }] }))).toEqual([
      '/segments/0/rule/segment: there is no segment "t"',
    ]);
  });

  it("references in a switched-off mission must resolve too", () => {
    expect(problemsOf(withMission({ active: false, objectives: [{ ...order, event: "login" }] }))).toEqual([
      '/missions/0/objectives/0/event: there is no event "login"',
    ]);
  });
});

const VALUE = "/where/value";
const ORDERED = "use EqualTo, NotEqualTo, In or NotIn";
const INSTANT = "must be an RFC 3339 timestamp with an offset or Z, as the type is DateTime";

describe("operators and values match the type they are compared with", () => {
  const where = (property: string, operator: string, value: unknown) => withWhere({ property, operator, value });
  const attribute = (attribute: string, operator: string, target: unknown) =>
    withMission({ objectives: [order, { attribute, operator, target }] });
  const history = (more: object) => withRule({ event: "order_placed", operator: "GreaterThan", value: 1, ...more });
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
    ["a string for a number", where("amount", "EqualTo", "10"), `${OBJECTIVE}${VALUE}: must be a number, as the type is Number`],
    ["a number for a string", where("drink", "EqualTo", 10), `${OBJECTIVE}${VALUE}: must be a string, as the type is String`],
    ["a string for a boolean", where("takeaway", "EqualTo", "true"), `${OBJECTIVE}${VALUE}: must be true or false, as the type is Boolean`],
    ["no instant", where("pickup_at", "EqualTo", "2026-02-30T00:00:00Z"), `${OBJECTIVE}${VALUE}: ${INSTANT}`],
    ["one of several", where("amount", "In", [1, "2"]), `${OBJECTIVE}${VALUE}/1: must be a number, as the type is Number`],
    [
      "a list for one",
      where("amount", "EqualTo", [1]),
      `${OBJECTIVE}${VALUE}: must be a single value for EqualTo; a list is for In and NotIn`,
    ],
    ["one for a list", where("amount", "In", 1), `${OBJECTIVE}${VALUE}: must be a list of at least one value for In`],
    ["an empty list", where("amount", "NotIn", []), `${OBJECTIVE}${VALUE}: must be a list of at least one value for NotIn`],
    ["a count against a string", withObjective({ target: "5" }), `${OBJECTIVE}/target: must be a number, as the type is Number`],
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
      `${OBJECTIVE}/target: must be a number, as the type is Number`,
    ],
    [
      "the latest string by order",
      reading("Latest", "drink", "GreaterThan", "tea"),
      `${OBJECTIVE}/operator: GreaterThan does not fit a String; ${ORDERED}`,
    ],
    ["a maximal instant against a number", reading("Max", "pickup_at", "GreaterThan", 5), `${OBJECTIVE}/target: ${INSTANT}`],
    ["an attribute by order", attribute("tier", "LessThan", "gold"), `${OBJECTIVE}/operator: LessThan does not fit a String; ${ORDERED}`],
    ["a number for an attribute", attribute("tier", "In", ["gold", 5]), `${OBJECTIVE}/target/1: must be a string, as the type is String`],
    ["a date for an attribute", attribute("joined_at", "GreaterThan", "2026-01-01"), `${OBJECTIVE}/target: ${INSTANT}`],
    [
      "a string for an attribute of a rule",
      withRule({ attribute: "age", operator: "GreaterThan", value: "18" }),
      `${RULE}/value: must be a number, as the type is Number`,
    ],
    [
      "order of an attribute of a rule",
      withRule({ attribute: "subscribed", operator: "GreaterThan", value: true }),
      `${RULE}/operator: GreaterThan does not fit a Boolean; ${ORDERED}`,
    ],
    ["a string for a count of a rule", history({ value: "1" }), `${RULE}/value: must be a number, as the type is Number`],
    [
      "a sum of strings in a rule",
      history({ measure: { kind: "Sum", property: "drink" } }),
      `${RULE}/measure/property: Sum needs a property of type Number, and this is a String`,
    ],
    [
      "a number for the latest string in a rule",
      history({ measure: { kind: "Latest", property: "drink" }, operator: "In", value: ["tea", 1] }),
      `${RULE}/value/1: must be a string, as the type is String`,
    ],
    ["a number for a maximal instant in a rule", history({ measure: { kind: "Max", property: "pickup_at" } }), `${RULE}/value: ${INSTANT}`],
    [
      "a filter of a rule",
      history({ where: { not: { property: "amount", operator: "EqualTo", value: "5" } } }),
      `${RULE}/where/not/value: must be a number, as the type is Number`,
    ],
    [
      "a string for a balance",
      withRule({ points: "Balance", operator: "GreaterThan", value: "500" }),
      `${RULE}/value: must be a number, as the type is Number`,
    ],
    [
      "one balance of a list",
      withRule({ points: "Balance", operator: "NotIn", value: 500 }),
      `${RULE}/value: must be a list of at least one value for NotIn`,
    ],
    [
      "a value of a segment",
      {
        ...(withMission() as object),
        segments: [{ key: "s", name: "S", rule: { not: { attribute: "age", operator: "EqualTo", value: false } } }],
      },
      "/segments/0/rule/not/value: must be a number, as the type is Number",
    ],
    [
      "a string for the number of an item",
      withReward("coffee", "two"),
      "/missions/0/rewards/0/value: must be a number, as the type is Number",
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
    [
      "every condition",
      withRule(
        {
          all: [
            { attribute: "tier", operator: "In", value: ["gold", "platinum"] },
            { attribute: "joined_at", operator: "LessThan", value: "2026-01-01T00:00:00+01:00" },
            { any: [{ segment: "vip" }, { not: { missionCompleted: "m" } }] },
            { points: "Balance", operator: "GreaterThanOrEqualTo", value: 500 },
            { points: "Balance", operator: "In", value: [1, 2] },
            { event: "order_returned", operator: "LessThan", value: 3 },
            { event: "order_placed", measure: { kind: "Latest", property: "takeaway" }, operator: "EqualTo", value: true, lastDays: 30 },
            {
              event: "order_placed",
              measure: { kind: "Max", property: "pickup_at" },
              operator: "GreaterThan",
              value: "2026-01-01T00:00:00Z",
            },
          ],
        },
        { key: "vip", name: "VIP", rule: { attribute: "subscribed", operator: "EqualTo", value: true } },
      ),
    ],
    [
      "attributes of every type",
      withMission({
        objectives: [
          { attribute: "tier", operator: "NotIn", target: ["gold"] },
          { attribute: "age", operator: "GreaterThanOrEqualTo", target: 18 },
          { attribute: "subscribed", operator: "EqualTo", target: true },
          { all: [order, { not: { attribute: "joined_at", operator: "LessThan", target: "2026-01-01T00:00:00Z" } }] },
        ],
      }),
    ],
    ["a collection of anything", withReward("colours", ["red", 2, true])],
  ])("%s are taken", (_, document) => expect(problemsOf(document)).toEqual([]));
});
