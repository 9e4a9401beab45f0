import { sql } from "drizzle-orm";
import { boolean, integer, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { instant, jsonText } from "./columns.ts";

/** The processes that serve the public API, each with its last heartbeat: they split the limits among them. */
export const processes = pgTable("processes", {
  id: uuid("id").primaryKey(),
  /** The concurrent requests that the process reserves for each organization; the whole limit by default. */
  inFlight: smallint("in_flight").notNull().default(16),
  beatAt: instant("beat_at")
    .notNull()
    .default(sql`clock_timestamp()`),
});

/**
 * The processes of the installation as they report themselves, for the status page. Limits are divided by `processes`, which only has
 * serving processes.
 */
export const instances = pgTable("instances", {
  id: uuid("id").primaryKey(),
  host: text("host").notNull(),
  pid: integer("pid").notNull(),
  version: text("version").notNull(),
  node: text("node").notNull(),
  isServing: boolean("is_serving").notNull(),
  isWorking: boolean("is_working").notNull(),
  startedAt: instant("started_at").notNull(),
  beatAt: instant("beat_at")
    .notNull()
    .default(sql`clock_timestamp()`),
  /** Memory and pools at the last heartbeat. */
  state: jsonText("state").notNull(),
});
