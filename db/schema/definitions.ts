import { sql } from "drizzle-orm";
import { boolean, integer, jsonb, pgTable, text, unique } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/**
 * Everything people author, one row a definition; `body` is the form of the definitions file without `key` and `active`,
 * with defaults written out. The small `id` is how player states and facts name a definition. Creation order is id order.
 * `createdAt` is on the environment's clock: recurring missions count their periods from it.
 * `discovered` and, of an event, `discoveredProperties` tell what nobody authored: people may edit it later, but it counts
 * against the limits of discovery for good.
 */
export const definitions = pgTable(
  "definitions",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    environmentId: integer("environment_id").notNull(),
    kind: text("kind").notNull(),
    key: text("key").notNull(),
    active: boolean("active").notNull(),
    body: jsonb("body").notNull(),
    discovered: boolean("discovered").notNull().default(false),
    discoveredProperties: text("discovered_properties")
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /** When people last changed it, in real time; the two above are on the environment's clock. */
    changedAt: instant("changed_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [unique().on(table.environmentId, table.kind, table.key)],
);
