import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { createdAt, instant, jsonText, randomId } from "./columns.ts";

/**
 * A backtest of a draft over an environment's past (`authoring/backtests/README.md`): one at a time waits or runs. `document` and `along`
 * are emptied when it ends; `fingerprint`, of the text, still identifies the draft. The process that runs it leases the row (`leasedUntil`,
 * real time).
 */
export const backtests = pgTable(
  "backtests",
  {
    id: randomId(),
    environmentId: integer("environment_id").notNull(),
    kind: text("kind").notNull(),
    key: text("key").notNull(),
    document: text("document").notNull(),
    along: text("along").notNull(),
    fingerprint: text("fingerprint").notNull(),
    /** Equal for drafts that mean the same (`draftFingerprint`); null for rows older than this column. */
    draftFingerprint: text("draft_fingerprint"),
    days: integer("days").notNull(),
    entry: text("entry").notNull(),
    sample: integer("sample").notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: createdAt(),
    status: text("status", { enum: ["Waiting", "Running", "Done", "Failed", "Cancelled"] })
      .notNull()
      .default("Waiting"),
    /** Set when a running backtest is cancelled: its process then stops it. */
    isCancelled: boolean("is_cancelled").notNull().default(false),
    attempts: integer("attempts").notNull().default(0),
    lease: uuid("lease"),
    leasedUntil: instant("leased_until"),
    /** Players simulated so far, and in all. */
    done: integer("done").notNull().default(0),
    planned: integer("planned").notNull().default(0),
    finishedAt: instant("finished_at"),
    result: jsonText("result"),
    /** Why it failed. */
    error: text("error"),
  },
  (table) => [
    index().on(table.environmentId, table.kind, table.key, table.createdAt),
    uniqueIndex("backtests_one_at_a_time")
      .on(table.environmentId)
      .where(sql`status in ('Waiting', 'Running')`),
  ],
);
