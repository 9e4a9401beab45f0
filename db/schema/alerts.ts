import { bigint, boolean, doublePrecision, index, integer, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, instant } from "./columns.ts";

/**
 * Alerts on figures of an environment. `breaches` counts the times that the figure went past its bound: with the id it is the cause of a
 * notice, so that each breach has one notice.
 */
export const alerts = pgTable(
  "alerts",
  {
    id: uuid("id").primaryKey(),
    environmentId: integer("environment_id").notNull(),
    name: text("name").notNull(),
    figure: text("figure").notNull(),
    /** The kind and id of the definition; null for all. */
    kind: text("kind"),
    subject: integer("subject"),
    comparison: text("comparison", { enum: ["Above", "Below"] }).notNull(),
    basis: text("basis", { enum: ["Bound", "Usual"] }).notNull(),
    threshold: doublePrecision("threshold").notNull(),
    hours: smallint("hours").notNull(),
    isOn: boolean("is_on").notNull().default(true),
    createdAt: createdAt(),
    /** Real time. Setting it claims the alert until the next check; a change or a switch unsets it, which voids the running check. */
    checkedAt: instant("checked_at"),
    /** Incremented by every change of the settings: a save over a change that its author has not seen is refused. */
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

/**
 * Budgets of missions and listings. `used_for`, `told80_for` and `told100_for` name a period by its first day ("All" without periods): that
 * of the last check, and those of the last notices. With the id and the revision, the period is the cause of a notice, so that each is sent
 * once.
 */
export const budgets = pgTable(
  "budgets",
  {
    id: uuid("id").primaryKey(),
    environmentId: integer("environment_id").notNull(),
    kind: text("kind", { enum: ["missions", "marketplaceItems"] }).notNull(),
    subject: integer("subject").notNull(),
    measure: text("measure", { enum: ["Points", "Items"] }).notNull(),
    period: text("period", { enum: ["Day", "Week", "All"] }).notNull(),
    amount: bigint("amount", { mode: "number" }).notNull(),
    /** Whether the definition is switched off when the budget is used up. */
    switchesOff: boolean("switches_off").notNull(),
    createdAt: createdAt(),
    /** Incremented by every change of the budget, which then notifies again. */
    revision: integer("revision").notNull().default(0),
    told80For: text("told80_for"),
    told100For: text("told100_for"),
    /** Real time. Setting it claims the budget until the next check. */
    checkedAt: instant("checked_at"),
    /** As of the last check, in the period `used_for`. */
    used: bigint("used", { mode: "number" }),
    usedFor: text("used_for"),
  },
  (table) => [
    unique("budgets_key").on(table.environmentId, table.kind, table.subject, table.measure, table.period),
    index().on(table.checkedAt),
  ],
);
