import { boolean, doublePrecision, index, integer, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, instant } from "./columns.ts";

/**
 * Alerts on figures of an environment. `breaches` counts the times that the figure went past its bound: with the id it is the cause of a
 * notice, so that each breach is told once.
 */
export const alerts = pgTable(
  "alerts",
  {
    id: uuid("id").primaryKey(),
    environmentId: integer("environment_id").notNull(),
    name: text("name").notNull(),
    figure: text("figure").notNull(),
    /** The definition; null for all. */
    kind: text("kind"),
    subject: integer("subject"),
    comparison: text("comparison", { enum: ["Above", "Below"] }).notNull(),
    basis: text("basis", { enum: ["Bound", "Usual"] }).notNull(),
    threshold: doublePrecision("threshold").notNull(),
    hours: smallint("hours").notNull(),
    isOn: boolean("is_on").notNull().default(true),
    createdAt: createdAt(),
    /** Real time. A worker that sets it has the alert until the next look. */
    checkedAt: instant("checked_at"),
    /** Rises with every change of the alert: what was judged by an earlier one is not told. */
    revision: integer("revision").notNull().default(0),
    breaches: integer("breaches").notNull().default(0),
    /** Since when the figure is past its bound; null while it is not. */
    breachedAt: instant("breached_at"),
    /** As of the last check. */
    value: doublePrecision("value"),
    bound: doublePrecision("bound"),
  },
  (table) => [index().on(table.environmentId), index().on(table.checkedAt)],
);
