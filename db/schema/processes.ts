import { sql } from "drizzle-orm";
import { pgTable, smallint, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** The processes that serve the public API, each with its last sign of life: they share out the limits between them. */
export const processes = pgTable("processes", {
  id: uuid("id").primaryKey(),
  /** The running requests of each organization that the process reserves; the whole limit where null. */
  inFlight: smallint("in_flight").notNull().default(16),
  beatAt: instant("beat_at")
    .notNull()
    .default(sql`clock_timestamp()`),
});
