import type { TimelineEntry } from "../../server/game/players/contract.dashboard.ts";
import type { Scope } from "../client/scope.ts";

type Type = TimelineEntry["type"];

/** Timeline filters. */
export const TIMELINE_GROUPS: readonly { label: string; types: readonly Type[] }[] = [
  { label: "Events", types: ["Event", "Metric"] },
  { label: "Missions", types: ["Completion"] },
  { label: "Points", types: ["Points"] },
  { label: "Purchases and items", types: ["Purchase", "Item"] },
  { label: "Leaderboards", types: ["Rank"] },
  { label: "Attributes", types: ["Attribute"] },
  { label: "Staff", types: ["Staff"] },
];

/** The entry types of the selected groups; none means all. */
export const typesOf = (chosen: readonly string[]): Type[] =>
  TIMELINE_GROUPS.filter(({ label }) => chosen.includes(label)).flatMap(({ types }) => types);

/** The input of the call that reads a page; the server asks for the first one with the same. */
export const timelineInput = (scope: Scope, externalId: string, types: Type[], cursor: string | null) => ({
  ...scope,
  externalId,
  types,
  cursor,
  limit: 25,
});
