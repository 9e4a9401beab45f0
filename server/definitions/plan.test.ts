import { describe, expect, it, test } from "vitest";
import { parseJson } from "../kernel/json.ts";
import { DefinitionsInMemory, fileOf } from "./testing.ts";

const EVENTS = [
  {
    key: "order_placed",
    name: "Order placed",
    properties: [
      { key: "amount", type: "Number", required: true },
      { key: "drink", type: "String" },
      { key: "takeaway", type: "Boolean" },
      { key: "pickup_at", type: "DateTime" },
    ],
  },
  { key: "order_returned", name: "Order returned" },
];
const ITEMS = [
  { key: "coffee", name: "Coffee", valueType: "Number" },
  { key: "badge", name: "Badge", valueType: "String" },
  { key: "colours", name: "Colours", valueType: "Collection" },
  { key: "valid_until", name: "Valid until", valueType: "DateTime" },
];

const order = { event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 };
const points = [{ kind: "Points", points: 5 }];
const mission = (more: object = {}) => ({ key: "m", name: "M", objectives: [order], rewards: points, ...more });
const withMissions = (...missions: object[]) => fileOf({ events: EVENTS, catalogItems: ITEMS, missions });
const withMission = (more: object = {}) => withMissions(mission(more));
const withObjective = (more: object) => withMission({ objectives: [order, { ...order, ...more }] });
const withWhere = (where: object) => withObjective({ where });
const withReward = (catalogItem: string, value: unknown) => withMission({ rewards: [{ kind: "CatalogItem", catalogItem, value }] });

type Options = Parameters<DefinitionsInMemory["import"]>[1];

function problemsIn(definitions: DefinitionsInMemory, document: unknown, options?: Options): string[] {
  const result = definitions.import(document, options);
  return "problems" in result ? result.problems.map(({ pointer, message }) => `${pointer}: ${message}`) : [];
}
const problemsOf = (document: unknown): string[] => problemsIn(new DefinitionsInMemory(), document);

function changesIn(definitions: DefinitionsInMemory, document: unknown, options?: Options): string[] {
  const result = definitions.import(document, options);
  if ("problems" in result) throw new Error(result.problems.map(({ pointer, message }) => `${pointer}: ${message}`).join("\n"));
  return result.changes.map(({ sign, kind, key, fields }) => [sign, kind, key, ...(fields ?? [])].join(" "));
}

/** An environment that has imported a file. */
function after(document: unknown): DefinitionsInMemory {
  const definitions = new DefinitionsInMemory();
  changesIn(definitions, document);
  return definitions;
}

const OBJECTIVE = "/missions/0/objectives/1";

describe("every reference must resolve", () => {
  test.each<[what: string, document: unknown, problem: string]>([
    ["an event", withObjective({ event: "order_placd" }), `${OBJECTIVE}/event: there is no event "order_placd"; did you mean "order_placed"?`],
    ["an event far from all", withObjective({ event: "login" }), `${OBJECTIVE}/event: there is no event "login"`],
    ["an event deep in compounds", withMission({ objectives: [{ all: [order, { not: { any: [{ ...order, event: "ordr_placed" }] } }] }] }), '/missions/0/objectives/0/all/1/not/any/0/event: there is no event "ordr_placed"; did you mean "order_placed"?'],
    ["a measured property", withObjective({ measure: { kind: "Sum", property: "amont" } }), `${OBJECTIVE}/measure/property: the event "order_placed" has no property "amont"; did you mean "amount"?`],
    ["a filtered property", withWhere({ all: [{ property: "x", operator: "EqualTo", value: 1 }] }), `${OBJECTIVE}/where/all/0/property: the event "order_placed" has no property "x"`],
    ["a property of another event", withObjective({ event: "order_returned", measure: { kind: "Sum", property: "amount" } }), `${OBJECTIVE}/measure/property: the event "order_returned" has no property "amount"`],
    ["a catalog item", withReward("cofee", 1), '/missions/0/rewards/0/catalogItem: there is no catalog item "cofee"; did you mean "coffee"?'],
    ["a name of every object", withReward("constructor", 1), '/missions/0/rewards/0/catalogItem: there is no catalog item "constructor"'],
  ])("%s", (_, document, problem) => expect(problemsOf(document)).toEqual([problem]));

  it("and may be in the file, stored already, or come later in the file", () => {
    const definitions = after(fileOf({ events: EVENTS }));
    expect(problemsIn(definitions, fileOf({ missions: [mission({ rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }] })], catalogItems: ITEMS }))).toEqual([]);
  });

  it("also in a mission that is switched off", () => {
    expect(problemsOf(withMission({ active: false, objectives: [{ ...order, event: "login" }] }))).toEqual(['/missions/0/objectives/0/event: there is no event "login"']);
  });
});

const VALUE = "/where/value";
const ORDERED = "use EqualTo, NotEqualTo, In or NotIn";
const INSTANT = "must be an RFC 3339 timestamp with an offset or Z, as it stands for a DateTime";

describe("operators and values have the type of what they are compared with", () => {
  const where = (property: string, operator: string, value: unknown) => withWhere({ property, operator, value });
  const reading = (kind: string, property: string, operator: string, target: unknown) => withObjective({ measure: { kind, property }, operator, target });

  test.each<[what: string, document: unknown, problem: string]>([
    ["order of strings", where("drink", "GreaterThan", "tea"), `${OBJECTIVE}/where/operator: GreaterThan does not fit a String; ${ORDERED}`],
    ["order of booleans", where("takeaway", "LessThanOrEqualTo", true), `${OBJECTIVE}/where/operator: LessThanOrEqualTo does not fit a Boolean; ${ORDERED}`],
    ["a string for a number", where("amount", "EqualTo", "10"), `${OBJECTIVE}${VALUE}: must be a number, as it stands for a Number`],
    ["a number for a string", where("drink", "EqualTo", 10), `${OBJECTIVE}${VALUE}: must be a string, as it stands for a String`],
    ["a string for a boolean", where("takeaway", "EqualTo", "true"), `${OBJECTIVE}${VALUE}: must be true or false, as it stands for a Boolean`],
    ["no instant", where("pickup_at", "EqualTo", "2026-02-30T00:00:00Z"), `${OBJECTIVE}${VALUE}: ${INSTANT}`],
    ["one of several", where("amount", "In", [1, "2"]), `${OBJECTIVE}${VALUE}/1: must be a number, as it stands for a Number`],
    ["a list for one", where("amount", "EqualTo", [1]), `${OBJECTIVE}${VALUE}: must be a single value for EqualTo; a list is for In and NotIn`],
    ["one for a list", where("amount", "In", 1), `${OBJECTIVE}${VALUE}: must be a list of at least one value for In`],
    ["an empty list", where("amount", "NotIn", []), `${OBJECTIVE}${VALUE}: must be a list of at least one value for NotIn`],
    ["a count against a string", withObjective({ target: "5" }), `${OBJECTIVE}/target: must be a number, as it stands for a Number`],
    ["a sum of strings", reading("Sum", "drink", "GreaterThan", 1), `${OBJECTIVE}/measure/property: Sum needs a property of type Number, and this is a String`],
    ["a maximum of booleans", reading("Max", "takeaway", "EqualTo", true), `${OBJECTIVE}/measure/property: Max needs a property of type Number or DateTime, and this is a Boolean`],
    ["a minimum of strings", reading("Min", "drink", "EqualTo", "tea"), `${OBJECTIVE}/measure/property: Min needs a property of type Number or DateTime, and this is a String`],
    ["a distinct count against what it counts", reading("DistinctCount", "drink", "EqualTo", "tea"), `${OBJECTIVE}/target: must be a number, as it stands for a Number`],
    ["the latest string by order", reading("Latest", "drink", "GreaterThan", "tea"), `${OBJECTIVE}/operator: GreaterThan does not fit a String; ${ORDERED}`],
    ["a maximal instant against a number", reading("Max", "pickup_at", "GreaterThan", 5), `${OBJECTIVE}/target: ${INSTANT}`],
    ["a string for the number of an item", withReward("coffee", "two"), "/missions/0/rewards/0/value: must be a number, as it stands for a Number"],
    ["a list for a single value of an item", withReward("badge", ["a"]), "/missions/0/rewards/0/value: must be a single value, as the catalog item is a String"],
    ["a single value for a collection", withReward("colours", "red"), "/missions/0/rewards/0/value: must be a list, as the catalog item is a Collection"],
    ["no instant for an item", withReward("valid_until", "tomorrow"), `/missions/0/rewards/0/value: ${INSTANT}`],
  ])("%s is refused", (_, document, problem) => expect(problemsOf(document)).toEqual([problem]));

  test.each<[what: string, document: unknown]>([
    ["every operator on numbers and instants", withMission({ objectives: [order, ...["EqualTo", "NotEqualTo", "GreaterThan", "GreaterThanOrEqualTo", "LessThan", "LessThanOrEqualTo"].flatMap((operator) => [{ ...order, where: { property: "amount", operator, value: 1 } }, { ...order, where: { property: "pickup_at", operator, value: "2026-01-01T00:00:00Z" } }])] })],
    ["lists for In and NotIn", withMission({ objectives: [{ ...order, where: { any: [{ property: "drink", operator: "In", value: ["tea"] }, { property: "takeaway", operator: "NotIn", value: [true] }] } }, { ...order, operator: "In", target: [1, 2] }] })],
    ["every measure of what it measures", withMission({ objectives: [order, ...[["Sum", "amount", 1], ["Max", "pickup_at", "2026-01-01T00:00:00Z"], ["Min", "amount", 1], ["Latest", "takeaway", true], ["DistinctCount", "takeaway", 2]].map(([kind, property, target]) => ({ event: "order_placed", measure: { kind, property }, operator: "EqualTo", target })), { ...order, measure: { kind: "DistinctDays" } }] })],
    ["a collection of anything", withReward("colours", ["red", 2, true])],
  ])("%s are taken", (_, document) => expect(problemsOf(document)).toEqual([]));
});

const LIMIT = { event: "order_placed", operator: "LessThanOrEqualTo", target: 3 };
const highest = (operator: string, target: unknown) => ({ event: "order_placed", measure: { kind: "Max", property: "amount" }, operator, target });

describe("a mission needs an objective that is not a limit", () => {
  const PROBLEM = "/missions/0/objectives: needs an objective that is not a limit: limits are satisfied from the start, so the mission would be completed at once";
  const lateIs = (operator: string) => ({ event: "order_placed", measure: { kind: "Latest", property: "pickup_at" }, operator, target: "2026-01-01T00:00:00Z" });

  test.each<[what: string, objectives: object[], problems: string[]]>([
    ["limits alone", [LIMIT, highest("LessThan", 5)], [PROBLEM]],
    ["a limit and a count", [LIMIT, order], []],
    ["a limit in a compound, which is none", [{ all: [LIMIT] }], []],
    ["an instant below, which is none", [lateIs("LessThan")], []],
  ])("%s", (_, objectives, problems) => expect(problemsOf(withMission({ objectives }))).toEqual(problems));
});

describe("a mission that repeats after completion needs an objective that entry cannot satisfy", () => {
  const PROBLEM = "/missions/0/recurrence: AfterCompletion needs an objective over events that is not satisfied at entry already, or the mission would complete again and again";
  test.each<[what: string, objectives: object[], isRefused: boolean]>([
    ["a count from 1", [order], false],
    ["a count from 0", [{ ...order, target: 0 }], true],
    ["a sum other than 5", [{ ...order, measure: { kind: "Sum", property: "amount" }, operator: "NotEqualTo", target: 5 }], true],
    ["a maximum above nothing", [highest("GreaterThanOrEqualTo", -5)], false],
    ["no such maximum", [highest("NotIn", [1])], true],
    ["a limit besides what entry satisfies", [LIMIT, highest("NotEqualTo", 1)], true],
    ["a limit besides a count", [LIMIT, order], false],
    ["not yet an order", [{ not: order }], true],
    ["any of which one is satisfied", [{ any: [order, LIMIT] }], true],
    ["all of which one is not", [{ all: [order, LIMIT] }], false],
  ])("%s", (_, objectives, isRefused) => {
    const document = withMission({ objectives, recurrence: { kind: "AfterCompletion", cooldownHours: 1 } });
    expect(problemsOf(document)).toEqual(isRefused ? [PROBLEM] : []);
    expect(problemsOf(withMission({ objectives, recurrence: { kind: "Calendar", every: "Day" } }))).toEqual([]);
  });
});

describe("keys are used once", () => {
  test.each<[what: string, document: unknown, problem: string]>([
    ["of a kind", withMissions(mission(), mission({ key: "other" }), mission()), '/missions/2/key: the mission "m" is in the list already, at /missions/0; use another key'],
    ["of a property", fileOf({ events: [{ key: "e", name: "E", properties: [{ key: "p", type: "String" }, { key: "p", type: "Number" }] }] }), '/events/0/properties/1/key: the event has a property "p" already; use another key'],
  ])("%s", (_, document, problem) => expect(problemsOf(document)).toEqual([problem]));

  it("but may be shared by kinds", () => {
    expect(problemsOf(fileOf({ events: [{ key: "same", name: "E" }], attributes: [{ key: "same", name: "A", type: "String" }] }))).toEqual([]);
  });
});

it("tells what is wrong with every part of a definition, whatever else is wrong with it", () => {
  const document = withMission({ nam: "M", name: undefined, objectives: [{ event: "order_placd", operator: "Is", target: 1 }, { ...order, where: { property: "drink", operator: "In", value: "tea" } }], rewards: [{ kind: "Points" }, { kind: "CatalogItem", catalogItem: "tea", value: {} }] });
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

it("does not hold a mistake in one definition against those that name it", () => {
  const events = [{ key: "order_placed", name: 5, properties: [{ key: "amount", type: "Numbr" }] }];
  const missions = [mission({ objectives: [{ ...order, measure: { kind: "Sum", property: "amount" } }] })];
  expect(problemsOf(fileOf({ events, missions })).map((problem) => problem.split(":")[0])).toEqual(["/events/0/name", "/events/0/properties/0/type"]);
});

describe("what has been created keeps what cannot change", () => {
  const HOW = "define a new one under a new key and switch this one off";
  const NOW = Date.UTC(2026, 5, 1);
  const started = withMission({ window: { startsAt: "2026-01-01T00:00:00Z" } });
  const WINDOW = "/missions/0/window/startsAt: the start of a window cannot change once it is reached; leave it at 2026-01-01T00:00:00.000Z, or define a new mission under a new key";

  test.each<[what: string, before: unknown, changed: unknown, problems: string[]]>([
    ["objectives", withMission(), withMission({ objectives: [{ ...order, target: 2 }] }), [`/missions/0/objectives: the objectives of a mission cannot change; ${HOW}`]],
    ["order", withMission(), withMission({ objectiveOrder: "InOrder" }), [`/missions/0/objectiveOrder: the objectiveOrder of a mission cannot change; ${HOW}; it is "AnyOrder"`]],
    ["opt-in", withMission({ optIn: "Manual" }), withMission(), [`/missions/0/optIn: the optIn of a mission cannot change; ${HOW}; it is "Manual"`]],
    ["recurrence", withMission(), withMission({ recurrence: { kind: "Calendar", every: "Day" } }), [`/missions/0/recurrence: the recurrence of a mission cannot change; ${HOW}; it is {"kind":"None"}`]],
    ["whatever else is wrong", withMission(), withMission({ optIn: "Manual", name: null }), ["/missions/0/name: is missing; it must be a text", `/missions/0/optIn: the optIn of a mission cannot change; ${HOW}; it is "Automatic"`]],
    ["start of a window that was reached", started, withMission({ window: { startsAt: "2026-01-02T00:00:00Z" } }), [WINDOW]],
    ["start of a window that was reached, left out", started, withMission(), [WINDOW]],
    ["type of a property", fileOf({ events: EVENTS }), fileOf({ events: [{ ...EVENTS[0], properties: [{ key: "amount", type: "String" }] }] }), ['/events/0/properties/0/type: the type of a property cannot change; add a property under a new key; "amount" is a Number']],
    ["type of an attribute", fileOf({ attributes: [{ key: "a", name: "A", type: "String" }] }), fileOf({ attributes: [{ key: "a", name: "A", type: "Number" }] }), ['/attributes/0/type: the type of an attribute cannot change; define a new one under a new key; it is "String"']],
    ["type of a catalog item", fileOf({ catalogItems: ITEMS }), fileOf({ catalogItems: [{ ...ITEMS[0], valueType: "String" }] }), ['/catalogItems/0/valueType: the valueType of a catalog item cannot change; define a new one under a new key; it is "Number"']],
  ])("%s", (_, before, changed, problems) => expect(problemsIn(after(before), changed, { now: NOW })).toEqual(problems));

  test.each<[what: string, before: unknown, changed: unknown, changes: string[]]>([
    ["texts, images, rewards and place", withMission(), withMission({ name: "N", images: { icon: "https://example.com/i.png" }, rewards: [{ kind: "Points", points: 6 }], appearsIn: "CollectionOnly" }), ["~ missions m name images appearsIn rewards"]],
    ["the end of a window, and its start written otherwise", started, withMission({ window: { startsAt: "2026-01-01T01:00:00+01:00", endsAt: "2026-07-01T00:00:00Z" } }), ["~ missions m window"]],
    ["the start of a window that is not reached", withMission({ window: { startsAt: "2026-06-01T00:00:00.001Z" } }), withMission(), ["~ missions m window"]],
    ["properties added, and which are required", fileOf({ events: [{ key: "e", name: "E", properties: [{ key: "a", type: "String" }] }] }), fileOf({ events: [{ key: "e", name: "E", properties: [{ key: "b", type: "String" }, { key: "a", type: "String", required: true }] }] }), ["~ events e properties"]],
    ["nothing, written otherwise", withObjective({ where: { property: "pickup_at", operator: "LessThan", value: "2026-01-01T00:00:00Z" }, target: parseJson("1e0") }), withObjective({ where: { operator: "LessThan", value: "2026-01-01T01:00:00.000+01:00", property: "pickup_at" }, measure: { kind: "Count" }, description: null }), []],
  ])("but not %s", (_, before, changed, changes) => expect(changesIn(after(before), changed, { now: NOW })).toEqual(changes));
});

describe("what an active definition uses stays", () => {
  const USED = withMissions(mission({ key: "first", rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }] }), mission({ key: "second", objectives: [{ ...order, measure: { kind: "Sum", property: "amount" } }] }));
  const off = (list: "events" | "catalogItems") => fileOf({ [list]: [{ ...(list === "events" ? EVENTS : ITEMS)[0], active: false }] });

  test.each<[what: string, document: unknown, problem: string]>([
    ["an event switched off", off("events"), '/events/0/active: the event "order_placed" cannot be switched off while each of the missions "first", "second" uses it; switch that off first'],
    ["a catalog item switched off", off("catalogItems"), '/catalogItems/0/active: the catalog item "coffee" cannot be switched off while the mission "first" uses it; switch that off first'],
    ["a property removed", fileOf({ events: [{ ...EVENTS[0], properties: [] }] }), '/events/0/properties: the property "amount" cannot be removed while the mission "second" uses it'],
  ])("%s is refused with its users", (_, document, problem) => expect(problemsIn(after(USED), document)).toEqual([problem]));

  it("until its users are switched off, in the same file or before", () => {
    const definitions = after(withMission());
    expect(changesIn(definitions, fileOf({ events: [{ ...EVENTS[0], active: false }], missions: [mission({ active: false })] }))).toEqual(["~ events order_placed active", "~ missions m active"]);
    expect(problemsIn(definitions, fileOf({ missions: [mission()] }))).toEqual(['/missions/0/objectives/0/event: the event "order_placed" is switched off; switch it on, or switch this mission off']);
  });

  it("a property that nothing reads may go", () => {
    expect(changesIn(after(USED), fileOf({ events: [{ ...EVENTS[0], properties: EVENTS[0]?.properties?.slice(0, 1) }] }))).toEqual(["~ events order_placed properties"]);
  });
});

describe("the difference", () => {
  it("names what is added in the order of the file, and nothing the second time", () => {
    const definitions = new DefinitionsInMemory();
    const document = { ...(withMission() as object), baseCurrency: "EUR" };
    expect(changesIn(definitions, document)).toEqual(["+ settings environment", "+ events order_placed", "+ events order_returned", ...ITEMS.map(({ key }) => `+ catalogItems ${key}`), "+ missions m"]);
    expect(changesIn(definitions, document)).toEqual([]);
    expect(changesIn(definitions, { version: 1, baseCurrency: "USD" })).toEqual(["~ settings environment baseCurrency"]);
  });

  it("leaves alone what the file leaves out", () => expect(changesIn(after(withMission()), fileOf({ events: [] }))).toEqual([]));

  it("with prune, switches off what the file's lists leave out, and only of those lists", () => {
    const definitions = after(withMissions(mission(), mission({ key: "other" })));
    expect(changesIn(definitions, fileOf({ missions: [mission()] }), { prune: true })).toEqual(["- missions other"]);
    expect(changesIn(definitions, fileOf({ missions: [mission()] }), { prune: true })).toEqual([]);
    expect(changesIn(definitions, fileOf({ missions: [mission(), mission({ key: "other" })] }))).toEqual(["~ missions other active"]);
  });

  it("with prune, refuses to switch off what is used by what stays", () => {
    const PROBLEM = 'leaving the event "order_placed" out would switch it off while the mission "m" uses it; put it into the list, or switch that off';
    expect(problemsIn(after(withMission()), fileOf({ events: [EVENTS[1]] }), { prune: true })).toEqual([`/events: ${PROBLEM}`]);
    expect(changesIn(after(withMission()), fileOf({ events: [EVENTS[1]], missions: [] }), { prune: true })).toEqual(["- events order_placed", "- missions m"]);
  });
});
