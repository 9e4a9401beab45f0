import type { Leaderboard } from "../definitions/compiled.ts";
import { DAY } from "../kernel/instant.ts";
import { NOON, ORDER } from "../missions/testing.ts";

/** An all-time board that counts orders, except for `parts`. */
export const leaderboard = (parts: Partial<Leaderboard> = {}): Leaderboard => ({
  id: 30,
  key: "orders",
  active: true,
  createdAt: NOON - DAY,
  name: { default: "en", texts: { en: "Orders" } },
  description: null,
  images: {},
  scoreSource: "Event",
  definitionId: ORDER,
  where: null,
  measure: { kind: "Count" },
  rankOrder: "HighestFirst",
  period: { kind: "AllTime" },
  begun: null,
  firstZone: null,
  settleAfterMs: 600_000,
  topSize: 100,
  audience: { rule: null, otherwise: "Locked" },
  teamAttributeId: null,
  league: null,
  prizes: [],
  ...parts,
});
