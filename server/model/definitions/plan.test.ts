import { describe, expect, it } from "vitest";
import { ATTRIBUTES, DefinitionsInMemory, EVENTS, ITEMS, fileOf, mission, withMission, withMissions } from "./testing/in-memory.ts";

describe("the difference", () => {
  it("lists additions in the order of the file, and nothing when the file is imported again", () => {
    const definitions = new DefinitionsInMemory();
    const document = { ...(withMission() as object), baseCurrency: "EUR" };
    expect(definitions.changes(document)).toEqual([
      "+ settings environment",
      "+ events order_placed",
      "+ events order_returned",
      ...ATTRIBUTES.map(({ key }) => `+ attributes ${key}`),
      ...ITEMS.map(({ key }) => `+ catalogItems ${key}`),
      "+ missions m",
    ]);
    expect(definitions.changes(document)).toEqual([]);
    expect(definitions.changes({ version: 1, baseCurrency: "USD" })).toEqual(["~ settings environment baseCurrency"]);
  });

  it("of the settings lists only those that differ from the defaults", () => {
    const definitions = new DefinitionsInMemory();
    expect(definitions.changes(fileOf({ discovery: { events: false, attributes: false } }))).toEqual([]);
    expect(definitions.changes(fileOf({ discovery: { events: true } }))).toEqual(["+ settings environment"]);
    expect(definitions.export().discovery).toEqual({ events: true, attributes: false });
    expect(definitions.changes(fileOf({ baseCurrency: "EUR" }))).toEqual(["~ settings environment baseCurrency"]);
    expect(definitions.changes(fileOf({ discovery: null }))).toEqual([]);
    expect(definitions.export()).toMatchObject({ discovery: { events: true, attributes: false }, baseCurrency: "EUR" });
    expect(definitions.changes(fileOf({ discovery: { attributes: true } }))).toEqual(["~ settings environment discovery"]);
    expect(definitions.export().discovery).toEqual({ events: false, attributes: true });
  });

  it("ignores lists that the file leaves out", () =>
    expect(DefinitionsInMemory.after(withMission()).changes(fileOf({ events: [] }))).toEqual([]));

  it("with prune, switches off what the file's lists leave out, and only of those lists", () => {
    const definitions = DefinitionsInMemory.after(withMissions(mission(), mission({ key: "other" })));
    expect(definitions.changes(fileOf({ missions: [mission()] }), { prune: true })).toEqual(["- missions other"]);
    expect(definitions.changes(fileOf({ missions: [mission()] }), { prune: true })).toEqual([]);
    expect(definitions.changes(fileOf({ missions: [mission(), mission({ key: "other" })] }))).toEqual(["~ missions other active"]);
  });

  it("with prune, refuses to switch off definitions that are still used", () => {
    const PROBLEM =
      'leaving the event "order_placed" out would switch it off while the mission "m" uses it; put it into the list, or switch that off';
    expect(DefinitionsInMemory.after(withMission()).problems(fileOf({ events: [EVENTS[1]] }), { prune: true })).toEqual([
      `/events: ${PROBLEM}`,
    ]);
    expect(DefinitionsInMemory.after(withMission()).changes(fileOf({ events: [EVENTS[1]], missions: [] }), { prune: true })).toEqual([
      "- events order_placed",
      "- missions m",
    ]);
  });
});
