import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, instant, jsonText, randomId } from "./columns.ts";

/**
 * A save of a definition that is due at an instant of the environment's clock: `document` is the new content, in the form of the
 * definitions file. The row is deleted by the transaction that saves it. `baseVersion` is the version that its author saw: if it has
 * changed by then, that is a conflict. A change that could not be saved stays, with `failedAt` (real time) and the reason, until it is
 * applied or discarded. `userId`, `actor` and `token` are the author, as in `definition_versions`.
 */
export const scheduledChanges = pgTable(
  "scheduled_changes",
  {
    id: randomId(),
    environmentId: integer("environment_id").notNull(),
    kind: text("kind").notNull(),
    key: text("key").notNull(),
    document: text("document").notNull(),
    baseVersion: integer("base_version").notNull(),
    dueAt: instant("due_at").notNull(),
    createdAt: createdAt(),
    userId: uuid("user_id"),
    actor: text("actor").notNull(),
    token: text("token"),
    failedAt: instant("failed_at"),
    failure: jsonText("failure"),
  },
  (table) => [
    index().on(table.environmentId, table.kind, table.key),
    index()
      .on(table.environmentId, table.dueAt)
      .where(sql`failed_at is null`),
  ],
);
