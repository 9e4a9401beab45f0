import { sql } from "drizzle-orm";
import { boolean, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
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

/**
 * What a definition said after each change, from version 1 on; kept when the definition is deleted, and continued when its key is
 * used again. `active` and `body` are as in `definitions`, null where the definition was deleted. `at` is real time. `actor` and
 * `token` are as in the audit log; `actor` is null where nobody knows. `via` is the way the change came (`server/model/definitions/versions.ts`).
 */
export const definitionVersions = pgTable(
  "definition_versions",
  {
    environmentId: integer("environment_id").notNull(),
    kind: text("kind").notNull(),
    key: text("key").notNull(),
    version: integer("version").notNull(),
    active: boolean("active"),
    body: jsonb("body"),
    userId: uuid("user_id"),
    actor: text("actor"),
    token: text("token"),
    via: text("via").notNull(),
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.kind, table.key, table.version] })],
);
