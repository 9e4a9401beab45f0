import { addressOf, type Scope, textUpTo } from "../client/address.ts";
import type { TimelineEntry } from "../client/answers.ts";

/** The parts of a player's page, each with an address of its own: `?tab=missions`. */
export const TABS = [
  { value: "timeline", label: "Timeline" },
  { value: "missions", label: "Missions" },
  { value: "points", label: "Points" },
  { value: "boards", label: "Streaks and boards" },
  { value: "purchases", label: "Purchases" },
  { value: "events", label: "Events" },
  { value: "attributes", label: "Attributes and segments" },
] as const;

export type Tab = (typeof TABS)[number]["value"];

/** The tab of an address; the first one where it names none. */
export const tabFrom = (asked: string | string[] | null | undefined): Tab => TABS.find(({ value }) => value === asked)?.value ?? "timeline";

/** How many purchases, and how many completed missions, are shown at a time. */
const ROWS = 10;

/** The input of the queries for a player's lists; the server prefetches the first page with the same. */
export const pageInput = (scope: Scope, externalId: string, cursor: string | null) => ({ ...scope, externalId, cursor, limit: ROWS });

export const PAGE_SIZE = 50;

/** The search in the address: `?q=ann`. */
export const PLAYERS = addressOf({ q: textUpTo(200) });

/** The input of the page query; the server prefetches with the same. */
export const playersInput = (scope: Scope, q: string | null, cursor: string | null) => ({
  ...scope,
  query: q ?? "",
  cursor,
  limit: PAGE_SIZE,
});

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
