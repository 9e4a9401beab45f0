import { describe, expect, it, test } from "vitest";
import { DefinitionsInMemory, EVENTS, ITEMS, fileOf, mission, order, withMission, withMissions } from "./testing.ts";

describe("what an active definition uses stays", () => {
  const USED = withMissions(
    mission({ key: "first", rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }] }),
    mission({ key: "second", objectives: [{ ...order, measure: { kind: "Sum", property: "amount" } }] }),
  );
  const off = (list: "events" | "catalogItems") => fileOf({ [list]: [{ ...(list === "events" ? EVENTS : ITEMS)[0], active: false }] });

  test.each<[what: string, document: unknown, problem: string]>([
    [
      "an event switched off",
      off("events"),
      '/events/0/active: the event "order_placed" cannot be switched off while each of the missions "first", "second" uses it; switch that off first',
    ],
    [
      "a catalog item switched off",
      off("catalogItems"),
      '/catalogItems/0/active: the catalog item "coffee" cannot be switched off while the mission "first" uses it; switch that off first',
    ],
    [
      "a property removed",
      fileOf({ events: [{ ...EVENTS[0], properties: [] }] }),
      '/events/0/properties: the property "amount" cannot be removed while the mission "second" uses it',
    ],
  ])("%s is refused with its users", (_, document, problem) =>
    expect(DefinitionsInMemory.after(USED).problems(document)).toEqual([problem]),
  );

  it("until its users are switched off, in the same file or before", () => {
    const definitions = DefinitionsInMemory.after(withMission());
    expect(definitions.changes(fileOf({ events: [{ ...EVENTS[0], active: false }], missions: [mission({ active: false })] }))).toEqual([
      "~ events order_placed active",
      "~ missions m active",
    ]);
    expect(definitions.problems(fileOf({ missions: [mission()] }))).toEqual([
      '/missions/0/objectives/0/event: the event "order_placed" is switched off; switch it on, or switch this mission off',
    ]);
  });

  it("a property that nothing reads may go", () => {
    expect(
      DefinitionsInMemory.after(USED).changes(fileOf({ events: [{ ...EVENTS[0], properties: EVENTS[0]?.properties?.slice(0, 1) }] })),
    ).toEqual(["~ events order_placed properties"]);
  });
});
