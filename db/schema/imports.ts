import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytewiseText, createdAt, insertedAt, instant, jsonText } from "./columns.ts";

/**
 * An import of players, attributes, events or points (`operations/imports/README.md`). A step of work leases the row (`leasedUntil`), and
 * only the holder of the lease writes its outcome.
 */
export const imports = pgTable(
  "imports",
  {
    id: uuid("id").primaryKey(),
    environmentId: integer("environment_id").notNull(),
    kind: text("kind", { enum: ["players", "attributes", "events", "points"] }).notNull(),
    format: text("format", { enum: ["csv", "jsonl"] }).notNull(),
    fileName: text("file_name").notNull(),
    status: text("status", { enum: ["Uploading", "Checking", "Ready", "Running", "Done", "Cancelled", "Failed"] })
      .notNull()
      .default("Uploading"),
    /** Why the file could not be read; set with the status `Failed`. */
    problem: text("problem"),
    createdBy: text("created_by").notNull(),
    createdAt: createdAt(),
    startedAt: instant("started_at"),
    finishedAt: instant("finished_at"),
    /** Which players are entered into missions; `Segment`: those in `segmentKey`. */
    enters: text("enters", { enum: ["Nobody", "Segment", "Everybody"] })
      .notNull()
      .default("Nobody"),
    segmentKey: text("segment_key"),
    /** Whether the effects of the lines are sent to webhook endpoints. */
    notifies: boolean("notifies").notNull().default(false),
    /** Whether it runs as soon as it is checked. */
    isUnattended: boolean("is_unattended").notNull().default(false),
    /** The reason that an import of points writes to the ledger. */
    reason: text("reason"),
    /** The chunks of the file that were received, and those that were read. */
    pieces: integer("pieces").notNull().default(0),
    piecesRead: integer("pieces_read").notNull().default(0),
    /** The reader's position in the file; null before the first chunk and after the last one. */
    reading: jsonb("reading"),
    /** Lines with data: read, rejected, existing before this import, and applied. */
    lines: integer("lines").notNull().default(0),
    refused: integer("refused").notNull().default(0),
    repeated: integer("repeated").notNull().default(0),
    applied: integer("applied").notNull().default(0),
    lease: uuid("lease"),
    leasedUntil: instant("leased_until"),
    /** The last step, in real time: imports are scheduled round-robin. */
    steppedAt: insertedAt("stepped_at"),
  },
  (table) => [index().on(table.environmentId, table.createdAt), index().on(table.status, table.steppedAt)],
);

/** The chunks of a file that are not read yet. */
export const importPieces = pgTable(
  "import_pieces",
  {
    importId: uuid("import_id").notNull(),
    number: integer("number").notNull(),
    environmentId: integer("environment_id").notNull(),
    text: text("text").notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.number] })],
);

/** The lines of a file that wait to be applied, and rejected ones for thirty days. Applied lines are deleted. */
export const importLines = pgTable(
  "import_lines",
  {
    importId: uuid("import_id").notNull(),
    line: integer("line").notNull(),
    environmentId: integer("environment_id").notNull(),
    /** The player; empty if the line has none. */
    externalId: bytewiseText("external_id").notNull(),
    /** Events are applied in the order in which they happened; everything else in the order of the file. */
    occurredAt: instant("occurred_at").notNull(),
    /** The hash of the line's content, and its ordinal among equal lines: together the idempotency key. */
    fingerprint: uuid("fingerprint").notNull(),
    ordinal: integer("ordinal").notNull(),
    /** The content to apply; of a rejected line, as it was read. */
    item: jsonText("item").notNull(),
    /** Null: pending. */
    problems: text("problems").array(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.line] }),
    index("import_lines_waiting")
      .on(table.importId, table.occurredAt, table.line)
      .where(sql`problems is null`),
    index("import_lines_alike").on(table.importId, table.fingerprint),
    index("import_lines_of_player").on(table.environmentId, table.externalId),
  ],
);
