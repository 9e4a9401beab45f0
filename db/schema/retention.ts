import { check, integer, pgTable, smallint, uuid } from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";
import { instant } from "./columns.ts";

/**
 * How long an environment keeps its logs, and how far its events are purged. No row: events for ever, requests for a week. Events received
 * before `purgedBefore`, an instant of the environment's clock, may be gone. `afterPart` and `afterPlayerId` are the cursor of a running
 * pass; null between two passes. `passedAt` is real time.
 */
export const retention = pgTable(
  "retention",
  {
    environmentId: integer("environment_id").primaryKey(),
    /** Null: for ever. */
    eventDays: integer("event_days"),
    /** Null: the service's default. */
    requestDays: integer("request_days"),
    purgedBefore: instant("purged_before"),
    afterPart: smallint("after_part"),
    afterPlayerId: uuid("after_player_id"),
    passedAt: instant("passed_at"),
  },
  (table) => [
    check("retention_is_in_days", sql`${table.eventDays} > 0 and ${table.requestDays} > 0`),
    check("a_place_is_whole", sql`(${table.afterPart} is null) = (${table.afterPlayerId} is null)`),
  ],
);
