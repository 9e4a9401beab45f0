import { expect, it } from "vitest";
import { type DeliveryFilter, deliveryFilterFrom, deliveryQueryOf, EVERYTHING, isDeliveryFilter } from "./delivery-filter.ts";

const ID = "0b6f8f0e-0000-4000-8000-000000000001";

it.each<[parameters: Parameters<typeof deliveryFilterFrom>[0], filter: Partial<DeliveryFilter>]>([
  [{}, {}],
  [
    { status: "Failed", event: "mission.completed", endpoint: ID, player: "ann" },
    { status: "Failed", event: "mission.completed", endpoint: ID, player: "ann" },
  ],
  [{ status: "failed", endpoint: "1", player: "", event: ["a"] }, {}],
  [{ from: "2026-01-01T00:00:00Z", until: "soon" }, { from: "2026-01-01T00:00:00Z" }],
  [{ from: "2026-02-30T00:00:00Z", until: "2028-02-29T00:00:00Z" }, { until: "2028-02-29T00:00:00Z" }],
])("an address with %j filters by %j", (parameters, changes) => {
  const filter = deliveryFilterFrom(parameters);
  expect(filter).toEqual({ ...EVERYTHING, ...changes });
  expect(deliveryFilterFrom(Object.fromEntries(new URLSearchParams(deliveryQueryOf(filter))))).toEqual(filter);
  expect(isDeliveryFilter(filter)).toBe(Object.keys(changes).length > 0);
});
