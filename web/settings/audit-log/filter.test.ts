import { expect, it } from "vitest";
import type { Parameters } from "../../client/address.ts";
import { AUDIT_LOG, exportFilters, type Filter } from "./filter.ts";

it.each<[parameters: Parameters, filter: Partial<Filter>]>([
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
  const filter = AUDIT_LOG.from(parameters);
  expect(filter).toEqual({ ...AUDIT_LOG.none, ...changes });
  expect(AUDIT_LOG.from(Object.fromEntries(new URLSearchParams(AUDIT_LOG.queryOf(filter))))).toEqual(filter);
  expect(AUDIT_LOG.isFiltered(filter)).toBe(Object.keys(changes).length > 0);
});

it("an export has the filter's parameters, with the environment under its own name", () =>
  expect(exportFilters({ ...AUDIT_LOG.none, actor: "ann@acme.test", environment: "live" })).toEqual({
    actor: "ann@acme.test",
    of: "live",
  }));
