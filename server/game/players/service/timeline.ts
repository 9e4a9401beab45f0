import type { Bounded } from "#db/within-bytes.ts";
import { pageOf } from "#server/model/kernel/page.ts";
import { type Database, inTime, readOnly, type Sql } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { rewardSources, type Sourced } from "./reward-sources.ts";
import {
  EntryNames,
  NOTHING,
  type SourceBelow,
  TIMELINE_SOURCES,
  TIMELINE_TYPES,
  type TimelineEntry,
  type TimelineGroup,
  type TimelineType,
} from "./timeline-sources.ts";
import { definitionsOf } from "#server/engine/definitions.ts";

/** A cursor in a timeline: the instant, type and id of an entry. */
export interface TimelineCursor {
  at: number;
  type: TimelineType;
  id: string;
}

type TimelineRow = TimelineCursor & { row: object };

/** Later than any instant that the database can store. */
const END: TimelineCursor = { at: Date.UTC(9999, 11, 31), type: TIMELINE_TYPES[0], id: "" };

/**
 * A page of a player's timeline, newest first, of some groups or all. Each source is read newest first, so a page costs a page of each
 * source, except for events: all the player's are read. Empty for an unknown player. Throws OperatorError if that takes too long.
 */
export async function readTimeline(
  database: Database,
  environment: Environment,
  externalId: string,
  groups: readonly TimelineGroup[],
  after: TimelineCursor | null,
  limit: number,
): Promise<{ entries: TimelineEntry[]; next: TimelineCursor | null }> {
  const key = playerKey(environment.id, externalId);
  const definitions = await definitionsOf(database.sql, environment);
  const wanted = TIMELINE_TYPES.filter((type) => groups.length === 0 || groups.includes(TIMELINE_SOURCES[type].group));
  const read = async (sql: Sql) => {
    const scope = { sql, environment, definitions, key, externalId };
    const pages = await Promise.all(
      wanted.map(async (type): Promise<TimelineRow[]> => {
        const { read: rowsBelow, place } = TIMELINE_SOURCES[type];
        const rows = await rowsBelow(scope, belowIn(type, after), limit + 1);
        return rows.map((row) => ({ at: place(row).at, type, id: String(place(row).id), row }));
      }),
    );
    const all = pages.flat().sort(newestFirst);
    // If a source of large rows was cut off, the page ends there: everything older, of all sources, is on the next page.
    const full = all.findIndex(({ row }) => (row as Partial<Bounded>).isFull);
    const { page, next } = full === -1 ? pageOf(all, limit) : { page: all.slice(0, full + 1), next: all[full]! };
    const sourced = page.flatMap(({ row }) => ("sourceId" in row ? [row as Sourced] : []));
    const names = new EntryNames(definitions, await rewardSources(sql, definitions, key, sourced));
    const entries = page.map(({ at, type, id, row }) => ({
      ...NOTHING,
      ...TIMELINE_SOURCES[type].shown(row, names),
      id: `${type} ${id}`,
      type,
      at: formatInstant(at),
    }));
    return { entries, next };
  };
  return inTime(readOnly(database, read), "The player has too many events to list them in time. Choose other types.");
}

/** The cursor in one source: rows of the same instant are in the order of their types, then of their ids. */
function belowIn(type: TimelineType, after: TimelineCursor | null): SourceBelow {
  const { at, type: last, id } = after ?? END;
  if (after === null) return { at, id: Infinity };
  const [own, other] = [TIMELINE_TYPES.indexOf(type), TIMELINE_TYPES.indexOf(last)];
  return { at, id: own === other ? id : own > other ? Infinity : null };
}

function newestFirst(a: TimelineCursor, b: TimelineCursor): number {
  if (a.at !== b.at) return b.at - a.at;
  if (a.type !== b.type) return TIMELINE_TYPES.indexOf(a.type) - TIMELINE_TYPES.indexOf(b.type);
  // All UUIDs have the same length; a longer number is larger.
  return b.id.length - a.id.length || (b.id > a.id ? 1 : -1);
}
