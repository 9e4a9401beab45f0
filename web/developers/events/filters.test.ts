import { expect, test } from "vitest";
import { eventFilterFrom, eventQuery, requestFilterFrom, requestQuery, requestsInput } from "./filters.ts";

const parametersOf = (query: string) => Object.fromEntries(new URLSearchParams(query));
const ID = "01990000-0000-7000-8000-000000000000";

test("a filter comes back from its address", () => {
  const requests = { ...requestFilterFrom({}), keyId: ID, endpoint: "GET /v1/points", status: "4xx" as const, code: "a.b" };
  expect(requestFilterFrom(parametersOf(requestQuery(requests)))).toEqual(requests);
  const events = { ...eventFilterFrom({}), player: "ann & bob", event: "order", outcome: "Refused" as const };
  expect(eventFilterFrom(parametersOf(eventQuery(events)))).toEqual(events);
  expect(requestQuery({})).toBe("");
});

test("what an address says wrongly is left out", () => {
  expect(requestFilterFrom({ keyId: "no id", status: "odd", from: "soon", request: "1", code: ["a", "b"] })).toEqual(requestFilterFrom({}));
  expect(eventFilterFrom({ outcome: "odd", player: "" })).toEqual(eventFilterFrom({}));
});

test("an endpoint is asked for by its method and its route", () => {
  const filter = { ...requestFilterFrom({}), endpoint: "POST /v1/events" };
  const scope = { project: "demo", environment: "sandbox" as const };
  expect(requestsInput(scope, filter, null)).toMatchObject({ method: "POST", route: "/v1/events" });
});
