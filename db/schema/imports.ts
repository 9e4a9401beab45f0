import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytewiseText, createdAt, instant, jsonText } from "./columns.ts";

/**
 * A file of players, attributes, events or points that people bring in (`operations/imports/README.md`). A step of work takes the row for a while
 * (`leasedUntil`), and only who still has that lease writes its outcome.
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
    /** Why the file could not be read; set with `Failed`. */
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
    /** Whether what follows from the lines is told to webhook endpoints. */
    notifies: boolean("notifies").notNull().default(false),
    /** Whether it runs as soon as it is checked. */
    isUnattended: boolean("is_unattended").notNull().default(false),
    /** The reason of points, for the ledger. */
    reason: text("reason"),
    /** The pieces of the file that have arrived, and those that were read. */
    pieces: integer("pieces").notNull().default(0),
    piecesRead: integer("pieces_read").notNull().default(0),
    /** Where reading goes on in the file; null before the first piece and after the last one. */
    reading: jsonb("reading"),
    /** Lines with data: those that were read, refused, there before this import, and applied. */
    lines: integer("lines").notNull().default(0),
    refused: integer("refused").notNull().default(0),
    repeated: integer("repeated").notNull().default(0),
    applied: integer("applied").notNull().default(0),
    lease: uuid("lease"),
    leasedUntil: instant("leased_until"),
    /** The last step, in real time: imports take turns. */
    steppedAt: instant("stepped_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [index().on(table.environmentId, table.createdAt), index().on(table.status, table.steppedAt)],
);

/** The pieces of a file that were not read yet. */
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

/** The lines of a file that wait to be applied, and for thirty days those that were refused. Applied ones are deleted. */
export const importLines = pgTable(
  "import_lines",
  {
    importId: uuid("import_id").notNull(),
    line: integer("line").notNull(),
    environmentId: integer("environment_id").notNull(),
    /** Whom it is about; empty where the line does not say. */
    externalId: bytewiseText("external_id").notNull(),
    /** Events are applied in the order in which they happened; everything else as it stands in the file. */
    occurredAt: instant("occurred_at").notNull(),
    /** The hash of what it says, and the how manieth line of the file to say it: together what makes it happen once. */
    fingerprint: uuid("fingerprint").notNull(),
    ordinal: integer("ordinal").notNull(),
    /** What is applied; of a refused line as it was read. */
    item: jsonText("item").notNull(),
    /** Null: it waits. */
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
