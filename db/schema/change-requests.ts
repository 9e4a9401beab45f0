import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createdAt, instant, jsonText, randomId } from "./columns.ts";

/**
 * A change to Live's definitions that waits for a second person, or has been decided (`server/authoring/definitions/README.md`). `content`
 * has its definitions, as they would stand and as its author saw them, as JSON; null asks to switch off the approval of Live's changes
 * itself. `subjects` names its definitions as "kind/key". `revision` rises with every edit, and an approval is of one revision. Not rows of
 * `scheduled_changes`: an older version would apply those without an approval. All instants are real time, which is Live's clock.
 */
export const changeRequests = pgTable(
  "change_requests",
  {
    id: randomId(),
    environmentId: integer("environment_id").notNull(),
    title: text("title").notNull(),
    reason: text("reason").notNull(),
    content: text("content"),
    subjects: text("subjects").array().notNull(),
    /** How its author made the change (`WAYS` in server/model/definitions/contract.ts). */
    via: text("via").notNull(),
    revision: integer("revision").notNull().default(1),
    state: text("state", { enum: ["Open", "Approved", "Applied", "Rejected", "Withdrawn"] })
      .notNull()
      .default("Open"),
    /** When it is to be applied; null: as soon as it is approved. */
    dueAt: instant("due_at"),
    createdAt: createdAt(),
    /** Its author. */
    userId: uuid("user_id"),
    actor: text("actor").notNull(),
    token: text("token"),
    /** Its last editor; at first its author. */
    editorId: uuid("editor_id"),
    editor: text("editor").notNull(),
    /** The approver of the present revision; null while open. */
    approverId: uuid("approver_id"),
    approver: text("approver"),
    /** Whether an Owner approved a request of their own. */
    isAlone: boolean("is_alone").notNull().default(false),
    /** Why the last attempt to apply it failed. */
    failure: jsonText("failure"),
    /** When it was applied, rejected or withdrawn. */
    closedAt: instant("closed_at"),
  },
  (table) => [
    index("change_requests_by_environment").on(table.environmentId, table.createdAt),
    index("change_requests_open")
      .on(table.environmentId)
      .where(sql`closed_at is null`),
    uniqueIndex("change_requests_one_to_turn_off")
      .on(table.environmentId)
      .where(sql`content is null and closed_at is null`),
  ],
);

/**
 * The history of a change request, in order. `text` is a comment or a reason. A revision is approved at most once, and a request applied
 * at most once: the two unique indexes decide between people and processes.
 */
export const changeRequestEvents = pgTable(
  "change_request_events",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    environmentId: integer("environment_id").notNull(),
    requestId: uuid("request_id").notNull(),
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
    userId: uuid("user_id"),
    actor: text("actor").notNull(),
    token: text("token"),
    action: text("action", {
      enum: ["Requested", "Edited", "Commented", "Approved", "WentAlone", "Rejected", "Withdrawn", "Failed", "Applied"],
    }).notNull(),
    revision: integer("revision").notNull(),
    text: text("text"),
  },
  (table) => [
    index().on(table.requestId, table.id),
    uniqueIndex("change_request_approved_once")
      .on(table.requestId, table.revision)
      .where(sql`action in ('Approved', 'WentAlone')`),
    uniqueIndex("change_request_applied_once")
      .on(table.requestId)
      .where(sql`action = 'Applied'`),
  ],
);
