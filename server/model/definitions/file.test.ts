import { describe, expect, it, test } from "vitest";
import { parseJson } from "../kernel/json.ts";
import { fileOf, problemsOf } from "./testing/in-memory.ts";

const KEY = 'must be a lowercase letter followed by at most 99 lowercase letters, digits and "_"';
const OPERATORS = '"EqualTo", "NotEqualTo", "GreaterThan", "GreaterThanOrEqualTo", "LessThan", "LessThanOrEqualTo", "In", "NotIn"';
const INSTANT = "must be an RFC 3339 timestamp with an offset or Z, such as 2026-01-31T09:00:00Z";
const URL = "must be an absolute URL with http or https and at most 2048 characters, or the id of an uploaded image";
const CONDITION = 'must be a condition such as { "attribute": "tier", "operator": "EqualTo", "value": "gold" }';
const FILTER = 'must be a filter such as { "property": "amount", "operator": "GreaterThan", "value": 10 }';
const NUMBER = "must have at most 20 digits before the decimal point and 8 after it";

const done = { event: "done", operator: "GreaterThanOrEqualTo", target: 1 };
const mission = (more: object = {}) => ({ key: "m", name: "M", objectives: [done], rewards: [{ kind: "Points", points: 1 }], ...more });
const withMission = (more: object) =>
  fileOf({ events: [{ key: "done", name: "Done", properties: [{ key: "amount", type: "Number" }] }], missions: [mission(more)] });
const withRule = (rule: object) => withMission({ audience: { rule } });
const withObjective = (more: object) => withMission({ objectives: [{ ...done, ...more }, done] });

describe("a file is refused with a pointer and a remedy for each part of the wrong shape", () => {
  test.each<[what: string, document: unknown, problems: string[]]>([
    ["no object", [], [": must be an object"]],
    ["nothing", null, [": is missing; it must be an object"]],
    ["no version", {}, ["/version: is missing; it must be 1, the only version of the file there is"]],
    ["another version", { version: 2 }, ["/version: must be 1, the only version of the file there is"]],
    ["a misspelt list", fileOf({ mission: [] }), ['/mission: there is no member "mission" here; did you mean "missions"?']],
    ["a schema that is no address", fileOf({ $schema: {} }), ["/$schema: must be a string"]],
    ["a list that is none", fileOf({ events: {} }), ["/events: must be a list"]],
    [
      "a streak of nothing",
      fileOf({ streaks: [{ key: "daily", name: "Daily", cadence: "Year" }] }),
      ['/streaks/0/cadence: must be one of "Day", "Week", "Month"', "/streaks/0: needs what it counts: either an event or a metric"],
    ],
    [
      "discovery of something else",
      fileOf({ discovery: { event: true, attributes: "yes" } }),
      ["/discovery/attributes: must be true or false", '/discovery/event: there is no member "event" here; did you mean "events"?'],
    ],
    ["no discovery", fileOf({ discovery: true }), ['/discovery: must be an object such as { "events": false, "attributes": false }']],
    ["no currency", fileOf({ baseCurrency: "euro" }), ['/baseCurrency: must be three capital letters, such as "EUR"']],
    ["no definition", fileOf({ events: ["done"] }), ["/events/0: must be an object"]],
    ["no key", fileOf({ events: [{ name: "Done" }] }), ["/events/0/key: is missing; it must be a string"]],
    ["a null key", fileOf({ events: [{ key: null, name: "Done" }] }), ["/events/0/key: is missing; it must be a string"]],
    ["an upper case key", fileOf({ events: [{ key: "Done", name: "Done" }] }), [`/events/0/key: ${KEY}`]],
    ["a key of 101 characters", fileOf({ events: [{ key: "a".repeat(101), name: "Done" }] }), [`/events/0/key: ${KEY}`]],
    ["no name", fileOf({ events: [{ key: "done" }] }), ["/events/0/name: is missing; it must be a text"]],
    ["a blank name", fileOf({ events: [{ key: "done", name: " " }] }), ["/events/0/name: must not be empty"]],
    [
      "a name that is too long",
      fileOf({ events: [{ key: "done", name: "😀".repeat(201) }] }),
      ["/events/0/name: must have at most 200 characters"],
    ],
    [
      "an unknown type",
      fileOf({ attributes: [{ key: "a", name: "A", type: "Numbr" }] }),
      ['/attributes/0/type: must be one of "String", "Number", "Boolean", "DateTime"; did you mean "Number"?'],
    ],
    [
      "a flag that is none",
      fileOf({ attributes: [{ key: "a", name: "A", type: "Number", active: 1 }] }),
      ["/attributes/0/active: must be true or false"],
    ],
    [
      "a text without its default",
      withMission({ description: { default: "en", texts: { nl: "Hallo" } } }),
      ['/missions/0/description/texts: must have a text in "en", which "default" names'],
    ],
    [
      "a language twice",
      withMission({ description: { default: "en", texts: { en: "a", EN: "b" } } }),
      ["/missions/0/description/texts/en: is listed twice; leave one out"],
    ],
    [
      "no language",
      withMission({ name: { default: "en", texts: { en: "a", e_n: "b" } } }),
      ['/missions/0/name/texts/e_n: the name must be a language tag such as "en" or "nl-BE"'],
    ],
    ["an image without a scheme", withMission({ images: { icon: "//images.example.com/a.png" } }), [`/missions/0/images/icon: ${URL}`]],
    ["a pointer with a slash", withMission({ images: { "a/b~c": "ftp://example.com" } }), [`/missions/0/images/a~1b~0c: ${URL}`]],
    ["a misspelt member", withMission({ optin: "Manual" }), ['/missions/0/optin: there is no member "optin" here; did you mean "optIn"?']],
    [
      "an unknown opt-in",
      withMission({ optIn: "manual" }),
      ['/missions/0/optIn: must be one of "Automatic", "Manual"; did you mean "Manual"?'],
    ],
    [
      "an unknown recurrence",
      withMission({ recurrence: { kind: "Daily" } }),
      ['/missions/0/recurrence/kind: must be one of "None", "Calendar", "AfterCompletion"'],
    ],
    [
      "a recurrence without a period",
      withMission({ recurrence: { kind: "Calendar" } }),
      ['/missions/0/recurrence/every: is missing; it must be one of "Day", "Week", "Month"'],
    ],
    [
      "no occurrences",
      withMission({ recurrence: { kind: "AfterCompletion", maxOccurrences: 0 } }),
      ["/missions/0/recurrence/maxOccurrences: must be a whole number from 1 to 2147483647"],
    ],
    [
      "a negative cooldown",
      withMission({ recurrence: { kind: "AfterCompletion", cooldownHours: -1 } }),
      ["/missions/0/recurrence/cooldownHours: must be a number of hours from 0 to 1000000"],
    ],
    [
      "an audience without a rule",
      withMission({ audience: { segment: "vip" } }),
      ['/missions/0/audience/segment: there is no member "segment" here; there are "rule", "otherwise"'],
    ],
    [
      "a rule over a metric",
      withRule({ metric: "steps", measure: { kind: "Sum" }, operator: "GreaterThan", value: 5 }),
      ['/missions/0/audience/rule/metric: there is no metric "steps"'],
    ],
    [
      "a rule over a streak",
      withRule({ all: [{ streak: "daily", operator: "GreaterThan", value: 5 }] }),
      ['/missions/0/audience/rule/all/0/streak: there is no streak "daily"'],
    ],
    [
      "a rule that is none",
      withRule({ attributes: "tier", operator: "EqualTo", value: "gold" }),
      [
        "/missions/0/audience/rule/attribute: is missing; it must be the key of a definition",
        '/missions/0/audience/rule/attributes: there is no member "attributes" here; did you mean "attribute"?',
      ],
    ],
    ["an empty rule", withRule({ all: [{}] }), [`/missions/0/audience/rule/all/0: ${CONDITION}`]],
    ["a rule of another time", withRule({ country: "nl" }), [`/missions/0/audience/rule: ${CONDITION}`]],
    [
      "two conditions in one",
      withRule({ all: [{ event: "done", operator: "EqualTo", value: 1 }], any: [] }),
      ['/missions/0/audience/rule/any: there is no member "any" here; there is "all"'],
    ],
    [
      "a kind that is an object",
      withRule({ event: "done", measure: { kind: { of: "Sum" }, property: "amount" }, operator: "EqualTo", value: 1 }),
      ['/missions/0/audience/rule/measure/kind: must be one of "Count", "DistinctDays", "Sum", "Max", "Min", "Latest", "DistinctCount"'],
    ],
    [
      "an objective over a segment",
      withMission({ objectives: [done, { segment: "vip" }] }),
      [
        '/missions/0/objectives/1: must be an objective such as { "event": "order_placed", "operator": "GreaterThanOrEqualTo", "target": 5 }',
      ],
    ],
    ["an empty filter", withObjective({ where: {} }), [`/missions/0/objectives/0/where: ${FILTER}`]],
    [
      "a rule without its value",
      withRule({ not: { points: "Balance", operator: "EqualTo" } }),
      ["/missions/0/audience/rule/not/value: is missing; it must be a string, a number, true or false"],
    ],
    [
      "points of another kind",
      withRule({ points: "Spent", operator: "EqualTo", value: 1 }),
      ['/missions/0/audience/rule/points: must be "Balance"'],
    ],
    [
      "no days",
      withRule({ event: "done", operator: "EqualTo", value: 1, lastDays: 0 }),
      ["/missions/0/audience/rule/lastDays: must be a whole number from 1 to 3650"],
    ],
    [
      "a misspelt part of a rule",
      withRule({ event: "done", mesure: { kind: "Count" }, operator: "EqualTo", value: 1 }),
      ['/missions/0/audience/rule/mesure: there is no member "mesure" here; did you mean "measure"?'],
    ],
    [
      "a segment without a rule",
      fileOf({ segments: [{ key: "vip", name: "VIP" }] }),
      ['/segments/0/rule: is missing; it must be a condition such as { "attribute": "tier", "operator": "EqualTo", "value": "gold" }'],
    ],
    [
      "a collection without its missions",
      fileOf({ missionCollections: [{ key: "c", name: "C" }] }),
      ["/missionCollections/0/missions: is missing; it must be a list"],
    ],
    [
      "a collection of other things",
      fileOf({ missionCollections: [{ key: "c", name: "C", missions: [{ key: "m" }] }] }),
      ["/missionCollections/0/missions/0: must be the key of a definition"],
    ],
    ["a local time", withMission({ window: { startsAt: "2026-01-01T00:00:00" } }), [`/missions/0/window/startsAt: ${INSTANT}`]],
    [
      "a window that ends first",
      withMission({ window: { startsAt: "2026-01-01T00:00:00Z", endsAt: "2026-01-01T00:00:00Z" } }),
      ["/missions/0/window/endsAt: must be later than startsAt"],
    ],
    ["no objectives", withMission({ objectives: [] }), ["/missions/0/objectives: must have at least one entry"]],
    ["no rewards", withMission({ rewards: null }), ["/missions/0/rewards: is missing; it must be a list"]],
    [
      "no points",
      withMission({ rewards: [{ kind: "Points", points: 0 }] }),
      ["/missions/0/rewards/0/points: must be a whole number from 1 to 9007199254740991"],
    ],
    [
      "half a point",
      withMission({ rewards: [{ kind: "Points", points: 0.5 }] }),
      ["/missions/0/rewards/0/points: must be a whole number from 1 to 9007199254740991"],
    ],
    [
      "an attribute with a measure",
      withMission({ objectives: [done, { attribute: "tier", measure: { kind: "Count" }, operator: "EqualTo", target: "gold" }] }),
      [
        '/missions/0/objectives/1/measure: there is no member "measure" here; there are "description", "attribute", "operator", "target"',
        '/missions/0/objectives/1/attribute: there is no attribute "tier"',
      ],
    ],
    [
      "a metric",
      withMission({ objectives: [done, { any: [done, { metric: "steps", measure: { kind: "Sum" }, operator: "EqualTo", target: 1 }] }] }),
      ['/missions/0/objectives/1/any/1/metric: there is no metric "steps"'],
    ],
    ["an empty compound", withMission({ objectives: [done, { all: [] }] }), ["/missions/0/objectives/1/all: must have at least one entry"]],
    [
      "an objective that is neither",
      withMission({ objectives: [done, { events: "done", operator: "EqualTo", target: 1 }] }),
      [
        "/missions/0/objectives/1/event: is missing; it must be the key of a definition",
        '/missions/0/objectives/1/events: there is no member "events" here; did you mean "event"?',
      ],
    ],
    [
      "an unknown operator",
      withObjective({ operator: "GreaterThanOrEqual" }),
      [`/missions/0/objectives/0/operator: must be one of ${OPERATORS}; did you mean "GreaterThanOrEqualTo"?`],
    ],
    [
      "an unknown measure",
      withObjective({ measure: { kind: "Summ", property: "amount" } }),
      [
        '/missions/0/objectives/0/measure/kind: must be one of "Count", "DistinctDays", "Sum", "Max", "Min", "Latest", "DistinctCount"; did you mean "Sum"?',
      ],
    ],
    [
      "a measure without its property",
      withObjective({ measure: { kind: "Sum" } }),
      ["/missions/0/objectives/0/measure/property: is missing; it must be the key of a definition"],
    ],
    [
      "a count of a property",
      withObjective({ measure: { kind: "Count", property: "amount" } }),
      ['/missions/0/objectives/0/measure/property: there is no member "property" here; there is "kind"'],
    ],
    [
      "an object as target",
      withObjective({ target: { value: 1 } }),
      ["/missions/0/objectives/0/target: must be a string, a number, true or false"],
    ],
    [
      "no target",
      withObjective({ target: undefined }),
      ["/missions/0/objectives/0/target: is missing; it must be a string, a number, true or false"],
    ],
    [
      "a list in a list",
      withObjective({ operator: "In", target: [1, [2]] }),
      ["/missions/0/objectives/0/target/1: must be a string, a number, true or false"],
    ],
    [
      "a filter of the wrong form",
      withObjective({ where: { not: { property: "amount", operator: "EqualTo" } } }),
      ["/missions/0/objectives/0/where/not/value: is missing; it must be a string, a number, true or false"],
    ],
    ["a NUL", withMission({ description: "a\0" }), ["/missions/0/description: has a NUL character or a lone surrogate; leave it out"]],
    [
      "a lone surrogate",
      withMission({ images: { "\ud800": "https://example.com" } }),
      ["/missions/0/images/\ud800: the name has a NUL character or a lone surrogate; leave it out"],
    ],
    [
      "a prototype",
      parseJson('{"version":1,"events":[{"key":"done","name":"Done","__proto__":{}}]}'),
      ['/events/0/__proto__: there is no member "__proto__" here; leave it out'],
    ],
    [
      "a number that is too wide",
      parseJson(
        '{"version":1,"events":[{"key":"done","name":"Done"}],"missions":[{"key":"m","name":"M","objectives":[{"event":"done","operator":"GreaterThan","target":123456789012345678901}],"rewards":[{"kind":"Points","points":1}]}]}',
      ),
      [`/missions/0/objectives/0/target: ${NUMBER}`],
    ],
    [
      "a number beyond measure",
      parseJson(
        '{"version":1,"events":[{"key":"done","name":"Done"}],"missions":[{"key":"m","name":"M","objectives":[{"event":"done","operator":"GreaterThan","target":1e99999}],"rewards":[{"kind":"Points","points":1}]}]}',
      ),
      [`/missions/0/objectives/0/target: ${NUMBER}`],
    ],
  ])("%s", (_, document, problems) => {
    expect(problemsOf(document)).toEqual(problems);
  });
});

it("refuses an object of hundreds of thousands of members without checking each", () => {
  const members = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, 1]));
  expect(problemsOf({ version: 1, ...members })).toEqual([expect.stringContaining("has more than 1000 members")]);
});

it("lists the first thousand of many problems and counts the others, without computing them all", () => {
  const listing = problemsOf({ version: 1, events: Array.from({ length: 9_000 }, () => 1) });
  expect(listing.length).toBe(1_001);
  expect(listing.at(-1)).toContain("more problems are not listed");
});

it("refuses an oversized list before it looks at an entry", () => {
  expect(problemsOf({ version: 1, events: Array.from({ length: 150_000 }, () => 1) })).toEqual([
    expect.stringContaining("at most 10,000 definitions of all kinds together"),
  ]);
  const where = { property: "amount", operator: "In", value: Array.from({ length: 100_000 }, () => ({})) };
  expect(problemsOf(withObjective({ where }))).toEqual([expect.stringContaining("must have at most 1000 entries")]);
});

it("refuses endless nesting without walking into it", () => {
  let filter: object = { property: "amount", operator: "EqualTo", value: 1 };
  for (let depth = 0; depth < 900; depth++) filter = { not: filter };
  expect(problemsOf(withObjective({ where: filter }))).toEqual([expect.stringContaining("is nested more than 64 levels deep")]);
});

it("accepts an empty list of a later version, and null for an absent member", () => {
  const document = {
    ...(withMission({ description: null, images: { icon: null }, window: null, audience: { rule: null } }) as object),
    streaks: [],
    metrics: null,
    discovery: null,
    baseCurrency: null,
  };
  expect(problemsOf(document)).toEqual([]);
});

it("reports a thousand problems together, in the order of the file", () => {
  const missions = Array.from({ length: 500 }, (_, at) =>
    mission({ key: `m${at}`, objectives: [{ ...done, event: "dnoe" }], rewards: [{ kind: "Points", points: -1 }] }),
  );
  const problems = problemsOf(fileOf({ events: [{ key: "done", name: "Done" }], missions }));
  expect(problems).toHaveLength(1000);
  expect(problems.slice(998)).toEqual([
    "/missions/499/rewards/0/points: must be a whole number from 1 to 9007199254740991",
    '/missions/499/objectives/0/event: there is no event "dnoe"; did you mean "done"?',
  ]);
});
