import { expect, it } from "vitest";
import { exportFilters, type Filter, filterFrom, isFiltered, queryOf } from "./filter.ts";

const NOTHING: Filter = { actor: null, action: null, subjectKind: null, subjectKey: null, environment: null, from: null, until: null };

it.each<[parameters: Parameters<typeof filterFrom>[0], filter: Partial<Filter>]>([
  [{}, {}],
  [
    { actor: "ann@acme.test", environment: "project" },
    { actor: "ann@acme.test", environment: "project" },
  ],
  [{ actor: "", action: ["a", "b"], environment: "production" }, {}],
  [{ from: "2026-01-01T00:00:00Z", until: "soon" }, { from: "2026-01-01T00:00:00Z" }],
  [{ from: "2026-02-30T00:00:00Z", until: "2028-02-29T00:00:00Z" }, { until: "2028-02-29T00:00:00Z" }],
  [{ subjectKey: "k".repeat(400) }, { subjectKey: "k".repeat(300) }],
])("an address with %j filters by %j", (parameters, changes) => {
  const filter = filterFrom(parameters);
  expect(filter).toEqual({ ...NOTHING, ...changes });
  expect(filterFrom(Object.fromEntries(new URLSearchParams(queryOf(filter))))).toEqual(filter);
  expect(isFiltered(filter)).toBe(Object.keys(changes).length > 0);
});

it("an export takes the filter, with the environment under a name of its own", () =>
  expect(exportFilters({ ...NOTHING, actor: "ann@acme.test", environment: "live" })).toEqual({ actor: "ann@acme.test", of: "live" }));
