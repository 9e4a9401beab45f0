import { addressOf, type Scope, textUpTo } from "../client/address.ts";

/** The tabs of a player's page; the address names the current one: `?tab=missions`. */
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

/** Purchases, or completed missions, per page. */
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

export const TIMELINE_GROUPS = ["Events", "Missions", "Points", "Purchases and items", "Leaderboards", "Attributes", "Staff"] as const;
export type TimelineGroup = (typeof TIMELINE_GROUPS)[number];

/** The input of the call that reads a page; the server asks for the first one with the same. */
export const timelineInput = (scope: Scope, externalId: string, groups: TimelineGroup[], cursor: string | null) => ({
  ...scope,
  externalId,
  groups,
  cursor,
  limit: 25,
});
