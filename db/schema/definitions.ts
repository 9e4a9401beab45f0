import { sql } from "drizzle-orm";
import { boolean, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { insertedAt, instant } from "./columns.ts";

/**
 * Authored definitions, one per row; `body` is the form of the definitions file without `key` and `active`, with defaults written out.
 * Player states and facts refer to a definition by the small `id`. Creation order is id order. `createdAt` is on the environment's clock:
 * recurring missions count their periods from it. `discovered` and, of an event, `discoveredProperties` mark discovered parts: they may be
 * edited later, but always count against the limits of discovery.
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
    changedAt: insertedAt("changed_at"),
  },
  (table) => [unique().on(table.environmentId, table.kind, table.key)],
);

/**
 * The content of a definition after each change, from version 1 on; kept when the definition is deleted, and continued when its key is
 * reused. `active` and `body` are as in `definitions`, null in the version of a deletion. `at` is real time. `actor` and `token` are as in
 * the audit log; `actor` is null if unknown. `via` is the origin of the change (`server/model/definitions/versions.ts`).
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
    /** The change request that it came from, and who approved that; null for any other change. */
    requestId: uuid("request_id"),
    approver: text("approver"),
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.kind, table.key, table.version] })],
);
