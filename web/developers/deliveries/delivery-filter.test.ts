import { expect, it } from "vitest";
import type { Parameters } from "../../client/address.ts";
import { DELIVERIES, type DeliveryFilter } from "./delivery-filter.ts";

const ID = "0b6f8f0e-0000-4000-8000-000000000001";

it.each<[parameters: Parameters, filter: Partial<DeliveryFilter>]>([
  [{}, {}],
  [
    { status: "Failed", event: "mission.completed", endpoint: ID, player: "ann" },
    { status: "Failed", event: "mission.completed", endpoint: ID, player: "ann" },
  ],
  [{ status: "failed", endpoint: "1", player: "", event: ["a"], delivery: ID }, {}],
  [{ from: "2026-01-01T00:00:00Z", until: "soon" }, { from: "2026-01-01T00:00:00Z" }],
  [{ from: "2026-02-30T00:00:00Z", until: "2028-02-29T00:00:00Z" }, { until: "2028-02-29T00:00:00Z" }],
])("an address with %j filters by %j", (parameters, changes) => {
  const filter = DELIVERIES.from(parameters);
  expect(filter).toEqual({ ...DELIVERIES.none, ...changes });
  expect(DELIVERIES.from(Object.fromEntries(new URLSearchParams(DELIVERIES.queryOf(filter))))).toEqual(filter);
  expect(DELIVERIES.isFiltered(filter)).toBe(Object.keys(changes).length > 0);
});

it("an open delivery is in the address, and is no filter", () => {
  const filter = DELIVERIES.from({ delivery: `${ID}.${ID}` });
  expect(DELIVERIES.queryOf(filter)).toBe(`?delivery=${ID}.${ID}`);
  expect(DELIVERIES.isFiltered(filter)).toBe(false);
});
