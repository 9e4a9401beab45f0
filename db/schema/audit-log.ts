import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";
import { projects } from "./projects.ts";

/**
 * Changes by people and the service, in real time. `actor` is the person's address at that time, or the name of another actor, so that
 * entries outlive user accounts. `token` is the name of the personal token used, null for a signed-in session. `environmentId` is null for
 * changes to the whole project. `difference` is the output of `microdiff`, or null. `requestId` is the idempotency key of a change made by
 * the press of a button. A promotion or an import is one entry, and each of its changes is an entry that is `part_of` it; `parts` counts
 * those by action.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id),
    environmentId: integer("environment_id"),
    userId: uuid("user_id"),
    actor: text("actor").notNull(),
    token: text("token"),
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
    action: text("action").notNull(),
    subjectKind: text("subject_kind").notNull(),
    subjectKey: text("subject_key"),
    difference: jsonb("difference"),
    requestId: uuid("request_id"),
    parts: jsonb("parts"),
    partOf: bigint("part_of", { mode: "number" }).references((): AnyPgColumn => auditLog.id),
  },
  (table) => [
    index().on(table.projectId, table.id),
    uniqueIndex("audit_log_request")
      .on(table.environmentId, table.requestId)
      .where(sql`request_id is not null`),
    index()
      .on(table.partOf, table.id)
      .where(sql`part_of is not null`),
    /** The changes to one subject, for its page. */
    index("audit_log_of_a_subject").on(table.projectId, table.subjectKind, table.subjectKey, table.id),
  ],
);
