import { expect, test } from "vitest";
import { EVENTS, REQUESTS, requestsInput } from "./filters.ts";

const parametersOf = (query: string) => Object.fromEntries(new URLSearchParams(query));
const ID = "01990000-0000-7000-8000-000000000000";

test("a filter is restored from its address", () => {
  const requests = { ...REQUESTS.none, keyId: ID, endpoint: "GET /v1/points", status: "4xx" as const, code: "a.b" };
  expect(REQUESTS.from(parametersOf(REQUESTS.queryOf(requests)))).toEqual(requests);
  const events = { ...EVENTS.none, player: "ann & bob", event: "order", outcome: "Refused" as const };
  expect(EVENTS.from(parametersOf(EVENTS.queryOf(events)))).toEqual(events);
  expect(REQUESTS.queryOf({})).toBe("");
});

test("invalid values of an address are ignored", () => {
  expect(REQUESTS.from({ keyId: "no id", status: "odd", from: "soon", request: "1", code: ["a", "b"] })).toEqual(REQUESTS.none);
  expect(EVENTS.from({ outcome: "odd", player: "" })).toEqual(EVENTS.none);
});

test("an open request is no filter", () => {
  expect(REQUESTS.isFiltered({ ...REQUESTS.none, request: ID })).toBe(false);
  expect(REQUESTS.isFiltered({ ...REQUESTS.none, code: "a.b" })).toBe(true);
});

test("an endpoint is filtered by method and route", () => {
  const filter = { ...REQUESTS.none, endpoint: "POST /v1/events" };
  const scope = { project: "demo", environment: "sandbox" as const };
  expect(requestsInput(scope, filter, null)).toMatchObject({ method: "POST", route: "/v1/events" });
});
