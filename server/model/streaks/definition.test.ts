import { describe, expect, it, test } from "vitest";
import {
  ATTRIBUTES,
  DefinitionsInMemory,
  EVENTS,
  ITEMS,
  fileOf,
  mission,
  order,
  points,
  problemsOf,
} from "../definitions/testing/in-memory.ts";

const METRICS = [
  {
    key: "steps",
    name: "Steps",
    kind: "Number",
    properties: [
      { key: "device", type: "String" },
      { key: "height", type: "Number" },
    ],
  },
];
const streak = (more: object = {}) => ({ key: "daily", name: "Daily", event: "order_placed", cadence: "Day", ...more });
const ofSteps = (more: object = {}) => streak({ event: undefined, metric: "steps", ...more });
const withStreaks = (...streaks: object[]) =>
  fileOf({ events: EVENTS, metrics: METRICS, attributes: ATTRIBUTES, catalogItems: ITEMS, streaks });
const milestone = (length: unknown, rewards: unknown = points(5)) => ({ length, rewards });
const coffee = (value: unknown) => ({ kind: "CatalogItem", catalogItem: "coffee", value });

describe("a streak", () => {
  it("has its defaults written out, members in the order of the specification", () => {
    const { streaks } = DefinitionsInMemory.after(withStreaks(streak({ milestones: [milestone(7)] }))).export();
    expect(JSON.stringify(streaks)).toBe(
      JSON.stringify([
        {
          key: "daily",
          name: { default: "en", texts: { en: "Daily" } },
          active: true,
          description: null,
          images: {},
          event: "order_placed",
          metric: null,
          where: null,
          measure: { kind: "Count" },
          operator: "GreaterThanOrEqualTo",
          target: 1,
          cadence: "Day",
          freezes: null,
          milestones: [{ length: 7, rewards: [{ kind: "Points", points: 5 }] }],
        },
      ]),
    );
  });

  it("is compiled with its milestones by length, shortest first", () => {
    const definitions = DefinitionsInMemory.after(
      withStreaks(streak({ milestones: [milestone(30), milestone(7)] }), ofSteps({ key: "walk" })),
    );
    const [daily, walk] = definitions.compile().streaks;
    expect(daily?.milestones.map(({ length }) => length)).toEqual([7, 30]);
    expect(walk?.criterion).toMatchObject({ source: "Metric", measure: { kind: "Count" }, type: "Number" });
    expect(JSON.stringify(definitions.export().streaks)).toContain('"milestones":[{"length":30');
  });

  test.each<[what: string, more: object, problems: string[]]>([
    ["nothing to count", { event: null }, ["/streaks/0: needs what it counts: either an event or a metric"]],
    ["two things to count", { metric: "steps" }, ["/streaks/0: needs what it counts: either an event or a metric"]],
    ["no cadence", { cadence: undefined }, ['/streaks/0/cadence: is missing; it must be one of "Day", "Week", "Month"']],
    ["a misspelt event", { event: "order_placd" }, ['/streaks/0/event: there is no event "order_placd"; did you mean "order_placed"?']],
    ["a misspelt member", { milestone: [] }, ['/streaks/0/milestone: there is no member "milestone" here; did you mean "milestones"?']],
    [
      "a measure of an event without a property",
      { measure: { kind: "Sum" } },
      ["/streaks/0/measure/property: is missing; Sum needs the property of the event that it is taken of"],
    ],
    [
      "a sum of strings",
      { measure: { kind: "Sum", property: "drink" } },
      ["/streaks/0/measure/property: Sum needs a property of type Number, and this is a String"],
    ],
    [
      "a reading without an order, against the default",
      { measure: { kind: "Latest", property: "drink" } },
      [
        "/streaks/0/operator: GreaterThanOrEqualTo does not fit a String; use EqualTo, NotEqualTo, In or NotIn",
        "/streaks/0/target: must be a string, as the type is String",
      ],
    ],
    [
      "a filter of another type",
      { where: { property: "amount", operator: "EqualTo", value: "5" } },
      ["/streaks/0/where/value: must be a number, as the type is Number"],
    ],
    ["no freezes", { freezes: { max: 0, earnEvery: 1 } }, ["/streaks/0/freezes/max: must be a whole number from 1 to 1000"]],
    [
      "freezes for nothing",
      { freezes: { max: 1 } },
      ["/streaks/0/freezes/earnEvery: is missing; it must be a whole number from 1 to 10000"],
    ],
    [
      "a milestone of length 0",
      { milestones: [milestone(0)] },
      ["/streaks/0/milestones/0/length: must be a whole number from 1 to 1000000"],
    ],
    ["a milestone without rewards", { milestones: [milestone(1, [])] }, ["/streaks/0/milestones/0/rewards: must have at least one entry"]],
    [
      "a milestone twice, and a reward of another type",
      { milestones: [milestone(7), milestone(3, [coffee("two")]), milestone(7)] },
      [
        "/streaks/0/milestones/2/length: there is a milestone of length 7 already; leave one of the two out",
        "/streaks/0/milestones/1/rewards/0/value: must be a number, as the type is Number",
      ],
    ],
    [
      "a reward that there is not",
      { milestones: [milestone(7, [{ ...coffee(1), catalogItem: "cofee" }])] },
      ['/streaks/0/milestones/0/rewards/0/catalogItem: there is no catalog item "cofee"; did you mean "coffee"?'],
    ],
  ])("with %s is refused", (_, more, problems) => expect(problemsOf(withStreaks(streak(more)))).toEqual(problems));

  test.each<[what: string, more: object, problems: string[]]>([
    ["a misspelt metric", { metric: "stesp" }, ['/streaks/0/metric: there is no metric "stesp"; did you mean "steps"?']],
    [
      "a property that the metric does not have",
      { measure: { kind: "Sum", property: "heigth" } },
      ['/streaks/0/measure/property: the metric "steps" has no property "heigth"; did you mean "height"?'],
    ],
    [
      "the metric's value against a string",
      { measure: { kind: "Latest" }, operator: "EqualTo", target: "5" },
      ["/streaks/0/target: must be a number, as the type is Number"],
    ],
    [
      "a property by order",
      { measure: { kind: "Latest", property: "device" }, operator: "LessThan", target: "a" },
      ["/streaks/0/operator: LessThan does not fit a String; use EqualTo, NotEqualTo, In or NotIn"],
    ],
  ])("of a metric with %s is refused", (_, more, problems) => expect(problemsOf(withStreaks(ofSteps(more)))).toEqual(problems));

  it("over a metric allows every measure, of its value and of a property", () => {
    const measures = ["Sum", "Max", "Min", "Latest", "DistinctCount"].flatMap((kind) => [{ kind }, { kind, property: "height" }]);
    const streaks = [{ kind: "Count" }, { kind: "DistinctDays" }, ...measures].map((measure, at) => ofSteps({ key: `s${at}`, measure }));
    expect(problemsOf(withStreaks(...streaks))).toEqual([]);
  });

  it("only its cadence is immutable", () => {
    const definitions = DefinitionsInMemory.after(withStreaks(streak({ milestones: [milestone(7)] })));
    expect(definitions.problems(fileOf({ streaks: [streak({ cadence: "Week" })] }))).toEqual([
      '/streaks/0/cadence: the cadence of a streak cannot change; define a new one under a new key; it is "Day"',
    ]);
    const edited = ofSteps({
      name: "D",
      measure: { kind: "Sum" },
      target: 5,
      freezes: { max: 1, earnEvery: 7 },
      milestones: [milestone(8)],
    });
    expect(definitions.changes(fileOf({ streaks: [edited] }))).toEqual([
      "~ streaks daily name event metric measure target freezes milestones",
    ]);
    expect(definitions.changes(fileOf({ streaks: [] }), { prune: true })).toEqual(["- streaks daily"]);
  });

  it("a different spelling of the same streak changes nothing", () => {
    const value = (text: string) => ({ where: { property: "pickup_at", operator: "LessThan", value: text } });
    const definitions = DefinitionsInMemory.after(withStreaks(streak(value("2026-01-01T00:00:00Z"))));
    const again = {
      target: 1,
      operator: "GreaterThanOrEqualTo",
      metric: null,
      milestones: null,
      freezes: null,
      measure: { kind: "Count" },
    };
    expect(definitions.changes(withStreaks(streak({ ...value("2026-01-01T01:00:00+01:00"), ...again })))).toEqual([]);
  });
});

describe("conditions over metrics, streaks, points and missions", () => {
  const withRule = (rule: object) => ({
    ...(withStreaks(streak()) as object),
    missions: [mission(), mission({ key: "n", audience: { rule } })],
  });
  const RULE = "/missions/1/audience/rule";

  test.each<[what: string, rule: object, problems: string[]]>([
    [
      "a misspelt metric",
      { metric: "stpes", operator: "EqualTo", value: 1 },
      [`${RULE}/metric: there is no metric "stpes"; did you mean "steps"?`],
    ],
    [
      "a misspelt streak",
      { streak: "dialy", operator: "EqualTo", value: 1 },
      [`${RULE}/streak: there is no streak "dialy"; did you mean "daily"?`],
    ],
    ["a streak by name", { streak: "daily", operator: "EqualTo", value: "7" }, [`${RULE}/value: must be a number, as the type is Number`]],
    [
      "a sum of strings of a metric",
      { metric: "steps", measure: { kind: "Sum", property: "device" }, operator: "EqualTo", value: 1 },
      [`${RULE}/measure/property: Sum needs a property of type Number, and this is a String`],
    ],
    [
      "a filter over what the metric does not have",
      { metric: "steps", where: { property: "amount", operator: "EqualTo", value: 1 }, operator: "EqualTo", value: 1 },
      [`${RULE}/where/property: the metric "steps" has no property "amount"`],
    ],
    [
      "an event and a metric",
      { event: "order_placed", metric: "steps", operator: "EqualTo", value: 1 },
      [`${RULE}/metric: there is no member "metric" here; there are "event", "where", "measure", "operator", "value", "lastDays"`],
    ],
  ])("with %s are refused", (_, rule, problems) => expect(problemsOf(withRule(rule))).toEqual(problems));

  it("are accepted with every measure", () => {
    const rules = [
      { metric: "steps", operator: "GreaterThan", value: 5, lastDays: 7 },
      { metric: "steps", measure: { kind: "Sum" }, operator: "GreaterThan", value: 5 },
      { metric: "steps", measure: { kind: "Latest", property: "device" }, operator: "In", value: ["watch"] },
      { metric: "steps", measure: { kind: "DistinctCount", property: null }, operator: "NotIn", value: [1] },
      { streak: "daily", operator: "GreaterThanOrEqualTo", value: 7 },
      { points: "Balance", operator: "LessThan", value: 500 },
      { missionCompleted: "m" },
    ];
    expect(problemsOf(withRule({ all: rules }))).toEqual([]);
    const definitions = DefinitionsInMemory.after(withRule({ all: rules }));
    expect(definitions.changes(withRule({ all: rules }))).toEqual([]);
    expect(definitions.compile().rollupsByEvent.size).toBe(1);
  });
});

describe("definitions that an active streak uses", () => {
  const USED = {
    ...(withStreaks(
      streak({ measure: { kind: "Sum", property: "amount" }, milestones: [milestone(7, [coffee(1)])] }),
      ofSteps({ key: "walk", where: { property: "device", operator: "EqualTo", value: "watch" } }),
    ) as object),
    segments: [
      {
        key: "walkers",
        name: "Walkers",
        rule: { metric: "steps", measure: { kind: "Sum", property: "height" }, operator: "EqualTo", value: 1 },
      },
    ],
    missions: [mission({ objectives: [order, { metric: "steps", operator: "GreaterThan", target: 1 }] })],
  };
  const [STEPS] = METRICS;

  test.each<[what: string, document: object, problem: string]>([
    [
      "its event switched off",
      { events: [{ ...EVENTS[0], active: false }] },
      '/events/0/active: the event "order_placed" cannot be switched off while the mission "m" and the streak "daily" use it; switch those off first',
    ],
    [
      "a metric of a segment, a mission and a streak switched off",
      { metrics: [{ ...STEPS, active: false }] },
      '/metrics/0/active: the metric "steps" cannot be switched off while the segment "walkers" and the mission "m" and the streak "walk" use it; switch those off first',
    ],
    [
      "the item of a milestone switched off",
      { catalogItems: [{ ...ITEMS[0], active: false }] },
      '/catalogItems/0/active: the catalog item "coffee" cannot be switched off while the streak "daily" uses it; switch that off first',
    ],
    [
      "a property that it measures removed",
      { events: [{ ...EVENTS[0], properties: EVENTS[0]?.properties?.slice(1) }] },
      '/events/0/properties: the property "amount" cannot be removed while the streak "daily" uses it',
    ],
    [
      "a property that it filters by removed",
      { metrics: [{ ...STEPS, properties: STEPS?.properties.slice(1) }] },
      '/metrics/0/properties: the property "device" cannot be removed while the streak "walk" uses it',
    ],
    [
      "a property that a condition measures removed",
      { metrics: [{ ...STEPS, properties: STEPS?.properties.slice(0, 1) }] },
      '/metrics/0/properties: the property "height" cannot be removed while the segment "walkers" uses it',
    ],
  ])("%s is refused with its users", (_, document, problem) =>
    expect(DefinitionsInMemory.after(USED).problems(fileOf(document))).toEqual([problem]),
  );

  it("can be switched off together with it; conditions over a streak do not count as its users", () => {
    const definitions = DefinitionsInMemory.after({
      ...(withStreaks(streak()) as object),
      missions: [
        mission({
          audience: { rule: { streak: "daily", operator: "EqualTo", value: 1 } },
          objectives: [{ attribute: "age", operator: "EqualTo", target: 1 }],
        }),
      ],
    });
    expect(definitions.changes(fileOf({ streaks: [streak({ active: false })], events: [{ ...EVENTS[0], active: false }] }))).toEqual([
      "~ events order_placed active",
      "~ streaks daily active",
    ]);
    expect(definitions.problems(fileOf({ streaks: [streak()] }))).toEqual([
      '/streaks/0/event: the event "order_placed" is switched off; switch it on, or switch this streak off',
    ]);
  });

  it("cannot be switched off by --prune either", () => {
    expect(DefinitionsInMemory.after(USED).problems(fileOf({ metrics: [] }), { prune: true })).toEqual([
      '/metrics: leaving the metric "steps" out would switch it off while the segment "walkers" and the mission "m" and the streak "walk" use it; put it into the list, or switch those off',
    ]);
  });
});
