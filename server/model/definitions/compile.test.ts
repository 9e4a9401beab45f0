import { describe, expect, it, test } from "vitest";
import type { Decimal } from "../kernel/decimal.ts";
import { parseJson } from "../kernel/json.ts";
import type { Objective } from "../rules/objective.ts";
import type { Mission } from "./compiled.ts";
import { DefinitionsInMemory, fileOf, mission, order, withMission, withMissions, withObjective, withReward } from "./testing/in-memory.ts";

const compiled = (document: unknown) => DefinitionsInMemory.after(document).compile();
const missionOf = (more: object): Mission => compiled(withMission(more)).missions[0]!;
const objectiveOf = (more: object): Objective => compiled(withObjective(more)).missions[0]!.objectives[1]!;

describe("the kind of progress follows from the objective", () => {
  const sum = { measure: { kind: "Sum", property: "amount" } };
  const latest = (property: string) => ({ measure: { kind: "Latest", property } });
  const DATE = "2026-01-01T00:00:00Z";
  test.each<[kind: string, objective: object]>([
    ["TowardTarget", { operator: "GreaterThan" }],
    ["TowardTarget", { operator: "GreaterThanOrEqualTo", ...sum }],
    ["TowardTarget", { operator: "GreaterThan", ...latest("amount") }],
    ["TowardTarget", { operator: "GreaterThan", measure: { kind: "DistinctDays" } }],
    ["WithinLimit", { operator: "LessThan", ...sum }],
    ["WithinLimit", { operator: "LessThan" }],
    ["WithinLimit", { operator: "LessThanOrEqualTo", measure: { kind: "DistinctCount", property: "drink" } }],
    ["WithinLimit", { operator: "LessThanOrEqualTo", measure: { kind: "DistinctDays" } }],
    ["WithinLimit", { operator: "LessThan", measure: { kind: "Max", property: "amount" } }],
    ["Binary", { operator: "LessThan", measure: { kind: "Min", property: "amount" } }],
    ["Binary", { operator: "LessThanOrEqualTo", ...latest("amount") }],
    ["Binary", { operator: "EqualTo" }],
    ["Binary", { operator: "NotEqualTo", target: 0, ...sum }],
    ["Binary", { operator: "In", target: [1, 2] }],
    ["Binary", { operator: "NotIn", target: [0, 2] }],
    ["Binary", { operator: "EqualTo", target: "tea", ...latest("drink") }],
    ["Binary", { operator: "GreaterThan", target: DATE, ...latest("pickup_at") }],
    ["Binary", { operator: "LessThan", target: DATE, measure: { kind: "Max", property: "pickup_at" } }],
  ])("%s: %j", (kind, objective) => expect(objectiveOf(objective).progressKind).toBe(kind));

  test.each(["all", "any"])("NotDisplayable: %s, also of one", (compound) => {
    expect(missionOf({ objectives: [{ [compound]: [order] }] }).objectives[0]?.progressKind).toBe("NotDisplayable");
  });
});

describe("an objective", () => {
  it("numbers its criteria as they are written, and combines them by number", () => {
    const at = (target: number) => ({ ...order, target });
    const [objective] = missionOf({ objectives: [{ any: [at(1), { all: [at(2), { not: at(3) }] }, at(4)] }] }).objectives;
    expect(objective?.expression).toEqual({ any: [0, { all: [1, { not: 2 }] }, 3] });
    expect(objective?.criteria.map(({ target }) => target)).toEqual([1, 2, 3, 4]);
  });

  it("counts by default, and reads the property of its measure", () => {
    expect(objectiveOf({}).criteria[0]).toMatchObject({ where: null, measure: { kind: "Count" }, type: "Number" });
    const max = objectiveOf({
      measure: { kind: "Max", property: "pickup_at" },
      operator: "GreaterThan",
      target: "2026-01-01T01:00:00+01:00",
    });
    expect(max.criteria[0]).toMatchObject({ type: "DateTime", target: "2026-01-01T00:00:00.000Z" });
  });

  it("resolves the types in its filter and normalises instants", () => {
    const where = {
      not: {
        any: [
          { property: "pickup_at", operator: "In", value: ["2026-01-01T00:00:00-02:00"] },
          { property: "drink", operator: "EqualTo", value: "tea" },
        ],
      },
    };
    expect(objectiveOf({ where }).criteria[0]).toHaveProperty("where", {
      not: {
        any: [
          { property: "pickup_at", type: "DateTime", operator: "In", value: ["2026-01-01T02:00:00.000Z"] },
          { property: "drink", type: "String", operator: "EqualTo", value: "tea" },
        ],
      },
    });
  });

  it("keeps every digit of its target", () => {
    const target = parseJson("12345678901234567890.12345678");
    expect((objectiveOf({ target }).criteria[0]?.target as Decimal).toString()).toBe("12345678901234567890.12345678");
  });

  it("has its own id, which never changes", () => {
    const definitions = DefinitionsInMemory.after(withMissions(mission({ objectives: [order, order] }), mission({ key: "n" })));
    const ids = () => definitions.compile().missions.flatMap(({ objectives }) => objectives.map(({ id }) => id));
    const before = ids();
    definitions.changes(withMissions(mission({ key: "n", name: "Other" })));
    expect(new Set(before).size).toBe(3);
    expect(ids()).toEqual(before);
    expect(before[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe("a mission", () => {
  it("is partitioned by the event that was created first of those that it names", () => {
    const { missions, eventsByKey } = compiled(
      withMissions(
        mission({ objectives: [{ ...order, event: "order_returned" }, order] }),
        mission({ key: "n", objectives: [{ ...order, event: "order_returned" }] }),
      ),
    );
    expect(missions.map(({ partitionId }) => partitionId)).toEqual([
      eventsByKey.get("order_placed")?.id,
      eventsByKey.get("order_returned")?.id,
    ]);
  });

  it.each<[object, object]>([
    [{ kind: "None" }, { kind: "None" }],
    [
      { kind: "Calendar", every: "Week" },
      { kind: "Calendar", every: "Week" },
    ],
    [{ kind: "AfterCompletion" }, { kind: "AfterCompletion", cooldownMs: 0, maxOccurrences: null }],
    [
      { kind: "AfterCompletion", cooldownHours: 0.25, maxOccurrences: 3 },
      { kind: "AfterCompletion", cooldownMs: 900_000, maxOccurrences: 3 },
    ],
  ])("recurs: %j", (recurrence, expected) => expect(missionOf({ recurrence }).recurrence).toEqual(expected));

  it("has its window as instants, and its texts in their languages", () => {
    const { window, name, description } = missionOf({
      window: { endsAt: "2027-01-01T00:00:00+01:00" },
      description: { default: "nl", texts: { nl: "Hallo" } },
    });
    expect(window).toEqual({ startsAt: null, endsAt: Date.UTC(2026, 11, 31, 23) });
    expect(name).toEqual({ default: "en", texts: { en: "M" } });
    expect(description).toEqual({ default: "nl", texts: { nl: "Hallo" } });
  });

  it.each<[string, unknown, unknown]>([
    ["coffee", 2, { catalogItemKey: "coffee", valueType: "Number", value: 2 }],
    ["colours", ["red", 1], { catalogItemKey: "colours", valueType: "Collection", value: ["red", 1] }],
    [
      "valid_until",
      "2026-01-01T01:00:00+01:00",
      { catalogItemKey: "valid_until", valueType: "DateTime", value: "2026-01-01T00:00:00.000Z" },
    ],
  ])("pays a catalog item: %s", (item, value, reward) => {
    const { rewards } = compiled(withReward(item, value)).missions[0]!;
    expect(rewards).toEqual([{ kind: "CatalogItem", catalogItemId: expect.any(Number), ...(reward as object) }]);
  });
});

it("finds the active missions that an event moves, in creation order, and their partitions", () => {
  const returned = { ...order, event: "order_returned" };
  const { missionsByEvent, partitionsByEvent, missions, missionsByKey, eventsByKey } = compiled(
    withMissions(
      mission({ key: "both", objectives: [{ any: [returned, order, order] }] }),
      mission({ key: "off", active: false }),
      mission({ key: "returned", objectives: [returned] }),
      mission({ key: "placed", objectives: [order, order] }),
    ),
  );
  const [placedId, returnedId] = ["order_placed", "order_returned"].map((key) => eventsByKey.get(key)?.id ?? 0) as [number, number];
  expect(missionsByEvent.get(placedId)?.map(({ key }) => key)).toEqual(["both", "placed"]);
  expect(missionsByEvent.get(returnedId)?.map(({ key }) => key)).toEqual(["both", "returned"]);
  expect(partitionsByEvent.get(placedId)).toEqual([placedId]);
  expect(partitionsByEvent.get(returnedId)).toEqual([placedId, returnedId]);
  expect(missions).toHaveLength(4);
  expect(missionsByKey.get("off")?.active).toBe(false);
});

it("an event keeps its properties by key, under any name", () => {
  const { eventsByKey } = compiled(
    fileOf({ events: [{ key: "e", name: "E", active: false, properties: [{ key: "constructor", type: "String", required: true }] }] }),
  );
  expect(eventsByKey.get("e")).toMatchObject({ active: false });
  expect(eventsByKey.get("e")?.properties.get("constructor")).toEqual({ key: "constructor", type: "String", required: true });
  expect(eventsByKey.get("e")?.properties.get("toString")).toBeUndefined();
});

it("an environment without definitions has none", () => {
  expect(new DefinitionsInMemory().compile()).toMatchObject({ missions: [], eventsByKey: new Map(), timeZone: "UTC" });
});
