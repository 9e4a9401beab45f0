import { expect, it } from "vitest";
import { lastEnvironmentFrom, sameScreen } from "./last-environment.ts";

it.each([
  ["acme/live", { project: "acme", environment: "live" }],
  ["acme/sandbox", { project: "acme", environment: "sandbox" }],
  ["acme/production", null],
  ["acme", null],
  ["/live", null],
  ["", null],
  [undefined, null],
])("the cookie %j leads to %j", (text, place) => expect(lastEnvironmentFrom(text)).toEqual(place));

it.each<[screen: string, query: string, there: string]>([
  ["", "", ""],
  ["missions", "?status=off", "/missions"],
  ["missions/coffee_lover", "", "/missions"],
  ["analytics/points", "?range=90d&by=Week&segment=vip&sort=points", "/analytics/points?range=90d&by=Week"],
  ["analytics/missions/coffee_lover", "?from=2026-01-01&to=2026-01-31", "/analytics/missions?from=2026-01-01&to=2026-01-31"],
  ["analytics", "", "/analytics"],
  ["requests", "?state=closed", ""],
])("from %j with %j the switch leads to %j", (screen, query, there) => expect(sameScreen(screen, new URLSearchParams(query))).toBe(there));
