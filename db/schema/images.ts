import { integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt } from "./columns.ts";

/**
 * Uploaded images; SVGs are sanitized. `id` is the SHA-256 of the bytes: the same image in two projects is two identical rows, so a lookup
 * by id alone may return either.
 */
export const images = pgTable(
  "images",
  {
    id: text("id").notNull(),
    projectId: uuid("project_id").notNull(),
    type: text("type").notNull(),
    width: integer("width"),
    height: integer("height"),
    bytes: bytes("bytes").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.id, table.projectId] })],
);
