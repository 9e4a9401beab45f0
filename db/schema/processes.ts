import { sql } from "drizzle-orm";
import { pgTable, smallint, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** The processes that serve the public API, each with its last heartbeat: they split the limits among them. */
export const processes = pgTable("processes", {
  id: uuid("id").primaryKey(),
  /** The concurrent requests that the process reserves for each organization; null: the whole limit. */
  inFlight: smallint("in_flight").notNull().default(16),
  beatAt: instant("beat_at")
    .notNull()
    .default(sql`clock_timestamp()`),
});
