import { type Calendar, CALENDAR_PERIODS } from "../kernel/calendar.ts";
import { formatInstant, periodAt } from "../kernel/time.ts";
import type { Kind } from "./contract.ts";
import { type Overview, titleOf } from "./overview.ts";
import { nameOf } from "./references.ts";
import type { SORTED_FIELDS, Summary } from "../rules/summary.ts";
import { moduleOf } from "./kinds.ts";
import type { Stored } from "./stored.ts";

/** A query for definitions of a kind: filter, order and cursor. */
export interface ListQuery {
  kind: Kind;
  search: string;
  status: "active" | "off" | "all";
  sort: "created" | "updated" | "name" | "key" | "usedBy" | "completions" | (typeof SORTED_FIELDS)[number];
  direction: "ascending" | "descending";
  /** `next` of the previous page. */
  cursor: string | null;
  limit: number;
}

/** A definition as a row of its list. `createdAt` is on the environment's clock, `changedAt` in real time. */
export interface ListRow {
  id: number;
  key: string;
  name: string;
  active: boolean;
  createdAt: string;
  changedAt: string;
  /** How many definitions name it. */
  usedBy: number;
  summary: Summary;
}

export interface ListPage {
  rows: ListRow[];
  next: string | null;
  /** Totals: of the query, and of the whole kind by status. */
  total: number;
  counts: { active: number; off: number };
}

/** A position in the order: the sort value, then the id as a tie-breaker. */
type Position = [value: string | number | null, id: number];

/** The present on the environment's clock, and the project's zone. */
interface ListClock {
  now: number;
  timeZone: string;
}

/** What a list shows that is not in the definitions. */
export interface ListContext extends ListClock {
  /** Recent completions of missions, by id; zeros are left out. Needed to sort by them: counts may rise between two pages. */
  completions?: ReadonlyMap<number, number>;
}

export function listPage(overview: Overview, query: ListQuery, language: string, context: ListContext): ListPage {
  const all = overview.stored.lists[query.kind] as readonly Stored[];
  const isWanted = matcher(query, language);
  const found = all.filter(isWanted).map((stored) => ({ stored, position: positionOf(overview, stored, query.sort, language, context) }));
  const sign = query.direction === "descending" ? -1 : 1;
  found.sort((a, b) => sign * compare(a.position, b.position));
  const after = query.cursor === null ? null : readCursor(query.cursor);
  const from = after === null ? 0 : found.findIndex(({ position }) => sign * compare(position, after) > 0);
  const page = from < 0 ? [] : found.slice(from, from + query.limit);
  const last = page.at(-1);
  const active = all.filter(({ shaped }) => shaped.active).length;
  return {
    rows: page.map(({ stored }) => rowOf(overview, stored, language, context)),
    next: last === undefined || from + page.length >= found.length ? null : writeCursor(last.position),
    total: found.length,
    counts: { active, off: all.length - active },
  };
}

/** Every word of the search is in the key or in a name of any language; case and accents do not matter. */
function matcher({ search, status }: ListQuery, language: string): (stored: Stored) => boolean {
  const words = withoutAccents(search)
    .split(/\s+/)
    .filter((word) => word !== "");
  return ({ shaped }) => {
    if (status !== "all" && shaped.active !== (status === "active")) return false;
    if (words.length === 0) return true;
    const texts = "name" in shaped ? Object.values(shaped.name.texts) : [titleOf(shaped, language)];
    const text = withoutAccents([shaped.key, ...texts].join("\n"));
    return words.every((word) => text.includes(word));
  };
}

/** Normalizes a text for searching: without case and accents. */
export const withoutAccents = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

function positionOf(overview: Overview, stored: Stored, sort: ListQuery["sort"], language: string, context: ListContext): Position {
  const { id, changedAt, shaped } = stored;
  switch (sort) {
    // The order of creation is that of the ids.
    case "created":
      return [id, id];
    case "updated":
      return [changedAt, id];
    case "name":
      return [withoutAccents(titleOf(shaped, language)), id];
    case "key":
      return [shaped.key, id];
    case "usedBy":
      return [useCount(overview, stored), id];
    case "completions":
      return [context.completions?.get(id) ?? 0, id];
    default: {
      const value = summaryOf(stored, context)[sort];
      return [typeof value === "boolean" ? Number(value) : (value ?? null), id];
    }
  }
}

/** A missing value is the largest: no end, no limit. */
const compare = ([a, first]: Position, [b, second]: Position): number => {
  if (a === b) return first - second;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
};

const writeCursor = (position: Position): string => JSON.stringify(position);

/** An invalid cursor starts at the first page. */
function readCursor(cursor: string): Position | null {
  try {
    const position = JSON.parse(cursor) as unknown;
    return Array.isArray(position) && position.length === 2 && typeof position[1] === "number" ? (position as Position) : null;
  } catch {
    return null;
  }
}

const useCount = ({ usersOf }: Overview, { kind, shaped: { key } }: Stored): number => (usersOf.get(nameOf({ kind, key })) ?? []).length;

/** A board over calendar periods ends with the current one. */
export function summaryOf(stored: Stored, { now, timeZone }: ListClock): Summary {
  const summary = moduleOf(stored.kind).summary(stored.shaped, stored);
  if (stored.kind !== "leaderboards" || !isCalendar(summary.period)) return summary;
  return { ...summary, endsAt: formatInstant(periodAt(now, timeZone, summary.period).endsAt) };
}

const isCalendar = (period: unknown): period is Calendar => CALENDAR_PERIODS.some((every) => every === period);

const rowOf = (overview: Overview, stored: Stored, language: string, clock: ListClock): ListRow => ({
  id: stored.id,
  key: stored.shaped.key,
  name: titleOf(stored.shaped, language),
  active: stored.shaped.active,
  createdAt: formatInstant(stored.createdAt),
  changedAt: formatInstant(stored.changedAt),
  usedBy: useCount(overview, stored),
  summary: summaryOf(stored, clock),
});
