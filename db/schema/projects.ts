import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, instant } from "./columns.ts";

const createdAt = () =>
  instant("created_at")
    .notNull()
    .default(sql`now()`);

/** Owns projects and people. */
export const organizations = pgTable("organizations", {
  id: uuid("id")
    .primaryKey()
    .default(sql`gen_random_uuid()`),
  slug: text("slug").notNull().unique(),
  name: text("name").notNull(),
  createdAt: createdAt(),
});

/** A product with its two environments; language and time zone are all that the two share. */
export const projects = pgTable("projects", {
  id: uuid("id")
    .primaryKey()
    .default(sql`gen_random_uuid()`),
  organizationId: uuid("organization_id")
    .notNull()
    .references(() => organizations.id),
  slug: text("slug").notNull().unique(),
  name: text("name").notNull(),
  defaultLanguage: text("default_language").notNull(),
  timeZone: text("time_zone").notNull(),
  createdAt: createdAt(),
  archivedAt: instant("archived_at"),
});

/**
 * Sandbox or Live of a project. `definitionsVersion` rises with every change of a definition, so that any process knows
 * whether the definitions it compiled are still the ones in force. `clockOffsetMs` is how far the clock is ahead of real time;
 * it is behind, negative, only while the demo lives through its past.
 * `resets` counts how often a Sandbox was emptied: what a process knows of its players is kept by it.
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
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.projectId, table.kind),
    check("only_a_sandbox_is_reset", sql`${table.resets} = 0 or ${table.kind} = 'sandbox'`),
    check("only_a_sandbox_clock_moves", sql`${table.clockOffsetMs} = 0 or ${table.kind} = 'sandbox'`),
  ],
);

/** Only the SHA-256 of a key is kept; `hint` is its prefix and last four characters, to recognise it by. */
export const apiKeys = pgTable("api_keys", {
  id: uuid("id")
    .primaryKey()
    .default(sql`gen_random_uuid()`),
  environmentId: integer("environment_id")
    .notNull()
    .references(() => environments.id),
  name: text("name").notNull(),
  hash: bytes("hash").notNull().unique(),
  hint: text("hint").notNull(),
  createdAt: createdAt(),
  lastUsedAt: instant("last_used_at"),
  revokedAt: instant("revoked_at"),
});

export const users = pgTable("users", {
  id: uuid("id")
    .primaryKey()
    .default(sql`gen_random_uuid()`),
  email: text("email").notNull().unique(),
  passwordHash: text("password_hash").notNull(),
  createdAt: createdAt(),
});

/** What a person may do in an organization, or in one project of it when `projectId` is set. */
export const memberships = pgTable(
  "memberships",
  {
    id: uuid("id")
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    projectId: uuid("project_id").references(() => projects.id),
    role: text("role", { enum: ["Owner", "Admin", "Editor", "Viewer"] }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.userId, table.organizationId, table.projectId).nullsNotDistinct()],
);

/** Who is signed in. The token in the browser carries the id; without its row the token is worth nothing. */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id")
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index().on(table.userId)],
);

/**
 * Who changed what, and when, in real time. `actor` is the person's address as it was then, or what else acted, so that the log
 * outlives its people. `environmentId` is null for what belongs to the whole project. `difference` is what `microdiff` gives, or null.
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
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
    action: text("action").notNull(),
    subjectKind: text("subject_kind").notNull(),
    subjectKey: text("subject_key"),
    difference: jsonb("difference"),
  },
  (table) => [index().on(table.projectId, table.id)],
);
