import { pageOf } from "#server/model/kernel/page.ts";
import { type Database, readOnly, type Sql } from "#db/client.ts";
import { isTimeout } from "#db/errors.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { type NamedRewardSource, rewardSources } from "./reward-sources.ts";
import { type SourceBelow, TIMELINE_SOURCES, TIMELINE_TYPES, type TimelineRow, type TimelineType } from "./timeline-sources.ts";
import { definitionsOf } from "#server/engine/definitions.ts";

/** The last row of the page before. */
export type TimelineCursor = Pick<TimelineRow, "at" | "type" | "id">;

export interface Timeline {
  rows: TimelineRow[];
  /** What points and items were for, by the id of the source. */
  sources: Map<string, NamedRewardSource>;
  next: TimelineCursor | null;
}

/** After everything that a database can hold an instant of. */
const END: TimelineCursor = { at: Date.UTC(9999, 11, 31), type: TIMELINE_TYPES[0], id: "" };

/**
 * A page of a player's timeline, newest first, of some types or all. Each source is read newest first, so a page costs a page of each
 * source, except for events: all the player's are read. Empty for an unknown player. Throws OperatorError if that takes too long.
 */
export async function readTimeline(
  database: Database,
  environment: Environment,
  externalId: string,
  types: readonly TimelineType[],
  after: TimelineCursor | null,
  limit: number,
): Promise<Timeline> {
  const key = playerKey(environment.id, externalId);
  const definitions = await definitionsOf(database.sql, environment);
  const wanted = types.length === 0 ? TIMELINE_TYPES : [...new Set(types)];
  const read = async (sql: Sql): Promise<Timeline> => {
    const scope = { sql, environment, definitions, key, externalId };
    const pages = await Promise.all(
      wanted.map((type): Promise<TimelineRow[]> => TIMELINE_SOURCES[type](scope, belowIn(type, after), limit + 1)),
    );
    const { page: rows, next } = pageOf(pages.flat().sort(newestFirst), limit);
    const sourced = rows.flatMap((one) => (one.type === "Points" || one.type === "Item" ? [one.row] : []));
    const sources = await rewardSources(sql, definitions, key, sourced);
    return { rows, sources, next };
  };
  try {
    return await readOnly(database, read);
  } catch (error) {
    if (isTimeout(error)) throw new OperatorError("The player has too many events to list them in time. Choose other types.");
    throw error;
  }
}

/** The place of a cursor in one source: rows of one instant are in the order of the types, then of their ids. */
export function belowIn(type: TimelineType, after: TimelineCursor | null): SourceBelow {
  const { at, type: last, id } = after ?? END;
  if (after === null) return { at, id: Infinity };
  const [own, other] = [TIMELINE_TYPES.indexOf(type), TIMELINE_TYPES.indexOf(last)];
  return { at, id: own === other ? id : own > other ? Infinity : null };
}

function newestFirst(a: TimelineRow, b: TimelineRow): number {
  if (a.at !== b.at) return b.at - a.at;
  if (a.type !== b.type) return TIMELINE_TYPES.indexOf(a.type) - TIMELINE_TYPES.indexOf(b.type);
  // UUIDs are all of one length; of the numbers the longer one is larger.
  return b.id.length - a.id.length || (b.id > a.id ? 1 : -1);
}
