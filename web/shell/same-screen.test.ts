import { expect, it } from "vitest";
import { sameScreen } from "./same-screen.ts";

it.each<[screen: string, query: string, there: string]>([
  ["", "", ""],
  ["missions", "?status=off", "/missions"],
  ["missions/coffee_lover", "", "/missions"],
  ["analytics/points", "?range=90d&by=Week&segment=vip&sort=points", "/analytics/points?range=90d&by=Week"],
  ["analytics/missions/coffee_lover", "?from=2026-01-01&to=2026-01-31", "/analytics/missions?from=2026-01-01&to=2026-01-31"],
  ["analytics", "", "/analytics"],
])("from %j with %j one comes to %j", (screen, query, there) => expect(sameScreen(screen, new URLSearchParams(query))).toBe(there));
