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
  withMission,
  withMissions,
  withRule,
} from "./testing/in-memory.ts";

const gold = { attribute: "tier", operator: "EqualTo", value: "gold" };
const spent = { event: "order_placed", measure: { kind: "Sum", property: "amount" }, operator: "GreaterThan", value: 5, lastDays: 7 };
const segment = (key: string, rule: object, more: object = {}) => ({ key, name: key, rule, ...more });

describe("a definition that an active one uses cannot be switched off", () => {
  const USED = {
    ...(withMissions(
      mission({
        key: "first",
        rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }],
        audience: { rule: { segment: "vip" } },
      }),
      mission({ key: "second", objectives: [{ ...order, measure: { kind: "Sum", property: "amount" } }] }),
      mission({ key: "third", objectives: [order, { attribute: "age", operator: "GreaterThan", target: 18 }] }),
      mission({ key: "fourth", audience: { rule: { any: [{ not: { event: "order_returned", operator: "EqualTo", value: 1 } }, gold] } } }),
    ) as object),
    segments: [
      segment("golden", { all: [gold] }),
      segment("spender", { not: { ...spent, where: { property: "drink", operator: "EqualTo", value: "tea" } } }),
      segment("vip", { any: [{ segment: "golden" }, { segment: "spender" }] }),
    ],
  };
  const off = (list: "events" | "attributes" | "catalogItems", at = 0) =>
    fileOf({ [list]: [{ ...{ events: EVENTS, attributes: ATTRIBUTES, catalogItems: ITEMS }[list][at], active: false }] });
  const without = (property: string) =>
    fileOf({ events: [{ ...EVENTS[0], properties: EVENTS[0]?.properties?.filter(({ key }) => key !== property) }] });

  test.each<[what: string, document: unknown, problem: string]>([
    [
      "an event of objectives and a segment switched off",
      off("events"),
      '/events/0/active: the event "order_placed" cannot be switched off while the segment "spender" and the missions "first", "second", "third", "fourth" use it; switch those off first',
    ],
    [
      "an event of an audience switched off",
      off("events", 1),
      '/events/0/active: the event "order_returned" cannot be switched off while the mission "fourth" uses it; switch that off first',
    ],
    [
      "an attribute of a segment and an audience switched off",
      off("attributes"),
      '/attributes/0/active: the attribute "tier" cannot be switched off while the segment "golden" and the mission "fourth" use it; switch those off first',
    ],
    [
      "an attribute of an objective switched off",
      off("attributes", 1),
      '/attributes/0/active: the attribute "age" cannot be switched off while the mission "third" uses it; switch that off first',
    ],
    [
      "a catalog item switched off",
      off("catalogItems"),
      '/catalogItems/0/active: the catalog item "coffee" cannot be switched off while the mission "first" uses it; switch that off first',
    ],
    [
      "a segment of an audience switched off",
      fileOf({ segments: [segment("vip", gold, { active: false })] }),
      '/segments/0/active: the segment "vip" cannot be switched off while the mission "first" uses it; switch that off first',
    ],
    [
      "a segment of a segment switched off",
      fileOf({ segments: [segment("golden", gold, { active: false })] }),
      '/segments/0/active: the segment "golden" cannot be switched off while the segment "vip" uses it; switch that off first',
    ],
    [
      "a property that an objective measures removed",
      without("amount"),
      '/events/0/properties: the property "amount" cannot be removed while the segment "spender" and the mission "second" use it',
    ],
    [
      "a property that a segment filters by removed",
      without("drink"),
      '/events/0/properties: the property "drink" cannot be removed while the segment "spender" uses it',
    ],
  ])("%s is refused with its users", (_, document, problem) =>
    expect(DefinitionsInMemory.after(USED).problems(document)).toEqual([problem]),
  );

  it("nor by --prune, when a list leaves it out", () => {
    expect(DefinitionsInMemory.after(USED).problems(fileOf({ segments: [], attributes: ATTRIBUTES }), { prune: true })).toEqual([
      '/segments: leaving the segment "vip" out would switch it off while the mission "first" uses it; put it into the list, or switch that off',
    ]);
  });

  it("but can be once its users are, in the same file or before", () => {
    const definitions = DefinitionsInMemory.after(withMission());
    expect(definitions.changes(fileOf({ events: [{ ...EVENTS[0], active: false }], missions: [mission({ active: false })] }))).toEqual([
      "~ events order_placed active",
      "~ missions m active",
    ]);
    expect(definitions.problems(fileOf({ missions: [mission()] }))).toEqual([
      '/missions/0/objectives/0/event: the event "order_placed" is switched off; switch it on, or switch this mission off',
    ]);
    expect(definitions.problems(fileOf({ segments: [segment("s", { any: [gold, spent] })] }))).toEqual([
      '/segments/0/rule/any/1/event: the event "order_placed" is switched off; switch it on, or switch this segment off',
    ]);
    expect(definitions.problems(fileOf({ segments: [segment("s", { any: [gold, spent] }, { active: false })] }))).toEqual([]);
  });

  it("an unread property may be removed; one that only an inactive mission reads may not", () => {
    expect(DefinitionsInMemory.after(USED).changes(without("pickup_at"))).toEqual(["~ events order_placed properties"]);
    expect(DefinitionsInMemory.after(withMission({ active: false, audience: { rule: spent } })).problems(without("amount"))).toEqual([
      '/events/0/properties: the property "amount" cannot be removed while the mission "m" uses it',
    ]);
  });

  it("neither a collection nor an audience of completions counts as a use of a mission", () => {
    const definitions = DefinitionsInMemory.after({
      ...withRule({ missionCompleted: "other" }),
      missions: [mission({ audience: { rule: { missionCompleted: "other" } } }), mission({ key: "other" })],
      missionCollections: [{ key: "c", name: "C", missions: ["other"] }],
    });
    expect(definitions.changes(fileOf({ missions: [mission({ key: "other", active: false })] }))).toEqual(["~ missions other active"]);
  });

  it("names ten users of a kind and counts the others", () => {
    const missions = Array.from({ length: 12 }, (_, at) => mission({ key: `m${at}`, rewards: points(1) }));
    const [problem] = DefinitionsInMemory.after(withMissions(...missions)).problems(off("events"));
    expect(problem).toContain('while the missions "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9" and 2 more use it');
  });
});
