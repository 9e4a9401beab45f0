import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, boolean, check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, instant, randomId } from "./columns.ts";

/** Owns projects and people. */
export const organizations = pgTable("organizations", {
  id: randomId(),
  slug: text("slug").notNull().unique(),
  name: text("name").notNull(),
  /** Whose sign-in by password requires a second factor: `live`, those who may change anything in Live, or `everybody`; null: none. */
  secondFactor: text("second_factor", { enum: ["live", "everybody"] }),
  createdAt: createdAt(),
});

/**
 * A product with its two environments; they share only language and time zone. `testOf` is set for a test project: the project it was
 * created for. It is archived at `expiresAt` at the latest, and removed with all its data soon after it was archived.
 */
export const projects = pgTable(
  "projects",
  {
    id: randomId(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    slug: text("slug").notNull().unique(),
    name: text("name").notNull(),
    defaultLanguage: text("default_language").notNull(),
    timeZone: text("time_zone").notNull(),
    createdAt: createdAt(),
    archivedAt: instant("archived_at"),
    testOf: uuid("test_of").references((): AnyPgColumn => projects.id),
    expiresAt: instant("expires_at"),
    /** Whether a change to Live's definitions needs a second person. */
    isLiveGuarded: boolean("is_live_guarded").notNull().default(false),
  },
  (table) => [
    index()
      .on(table.testOf)
      .where(sql`test_of is not null`),
    check("a_test_project_expires", sql`(${table.testOf} is null) = (${table.expiresAt} is null)`),
  ],
);

/**
 * Sandbox or Live of a project. `definitionsVersion` rises with every change of a definition, so that a process knows whether its compiled
 * definitions are current. `clockOffsetMs` is how far the clock is ahead of real time; it is negative, behind real time, only while the
 * demo's past is simulated. `resets` counts how often players were deleted, all of a Sandbox or one that was erased: processes key their
 * caches of players by it, and ids of deliveries include it.
 */
export const environments = pgTable(
  "environments",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id),
    kind: text("kind", { enum: ["sandbox", "live"] }).notNull(),
    definitionsVersion: bigint("definitions_version", { mode: "number" }).notNull().default(0),
    clockOffsetMs: bigint("clock_offset_ms", { mode: "number" }).notNull().default(0),
    resets: integer("resets").notNull().default(0),
    /**
     * Rises when the project's zone changes (a trigger in db/functions/analytics-recounts.sql): days differ then, and all history must be
     * recounted.
     */
    analyticsEpoch: integer("analytics_epoch").notNull().default(1),
    /** Entries before this instant are not in funnels (`server/insight/analytics/README.md`); null: all are. */
    funnelsSince: instant("funnels_since"),
    /** Whether the request log keeps bodies; null: in the Sandbox yes, in Live no. */
    keepsBodies: boolean("keeps_bodies"),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.projectId, table.kind),
    check("only_a_sandbox_clock_moves", sql`${table.clockOffsetMs} = 0 or ${table.kind} = 'sandbox'`),
  ],
);
