import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, instant } from "./columns.ts";
import { organizations, projects } from "./projects.ts";

/**
 * A person, as long as they have a membership. `email` is in lower case; there is no password where somebody signs in with a provider
 * alone. A password is confirmed when whoever set it had proved that the address is theirs: by a link that went to it alone, or with a
 * provider. Others than its owner may know one that is not.
 */
export const users = pgTable("users", {
  id: uuid("id")
    .primaryKey()
    .default(sql`gen_random_uuid()`),
  email: text("email").notNull().unique(),
  passwordHash: text("password_hash"),
  isPasswordConfirmed: boolean("is_password_confirmed").notNull().default(false),
  createdAt: createdAt(),
});

/** A provider's account of a person, by the provider's id: an address that changes there changes nothing here. */
export const accounts = pgTable(
  "accounts",
  {
    provider: text("provider").notNull(),
    providerAccountId: text("provider_account_id").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.providerAccountId] }), index().on(table.userId)],
);

/** A person's role in an organization, or in one project of it when `projectId` is set. */
export const memberships = pgTable(
  "memberships",
  {
    id: uuid("id")
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    projectId: uuid("project_id").references(() => projects.id),
    /** One of `server/model/kernel/roles.ts`. */
    role: text("role").notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.userId, table.organizationId, table.projectId).nullsNotDistinct()],
);

/**
 * Who is asked to join an organization, or one project of it when `projectId` is set. Only the SHA-256 of the link's token is kept; who
 * accepts takes the row away with it. One for each address and scope: asking again renews it, and the link before is worth nothing.
 * `invitedBy` is the maker's address as it was then, to be shown; whether the maker may still invite is asked of `invitedById`.
 */
export const invitations = pgTable(
  "invitations",
  {
    id: uuid("id")
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    projectId: uuid("project_id").references(() => projects.id),
    email: text("email").notNull(),
    /** One of `server/model/kernel/roles.ts`. */
    role: text("role").notNull(),
    tokenHash: bytes("token_hash").notNull().unique(),
    invitedBy: text("invited_by").notNull(),
    invitedById: uuid("invited_by_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    unique().on(table.organizationId, table.projectId, table.email).nullsNotDistinct(),
    index().on(table.email),
    index().on(table.invitedById),
  ],
);

/**
 * A link by which a person sets a new password, once. Only the SHA-256 of its token is kept. `madeBy` is the member who made it and acts
 * in that organization; both are null for a link that the person asked for, which goes to their address alone. One for each maker, and
 * one of the person's own: a stranger who asks for a mail takes nothing from the link of an Admin.
 */
export const passwordResets = pgTable(
  "password_resets",
  {
    tokenHash: bytes("token_hash").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    madeBy: uuid("made_by").references(() => users.id, { onDelete: "cascade" }),
    organizationId: uuid("organization_id").references(() => organizations.id),
    createdAt: createdAt(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    unique().on(table.userId, table.madeBy).nullsNotDistinct(),
    index().on(table.madeBy),
    check("a_maker_acts_in_an_organization", sql`(${table.madeBy} is null) = (${table.organizationId} is null)`),
  ],
);

/**
 * Failed tries, by subject (a mail address, hashed, whether an account exists or not) and by origin. Until `lockedUntil` nothing more is
 * tried.
 */
export const signInAttempts = pgTable(
  "sign_in_attempts",
  {
    subject: text("subject").primaryKey(),
    failures: integer("failures").notNull().default(0),
    lastAt: instant("last_at").notNull(),
    lockedUntil: instant("locked_until"),
  },
  (table) => [index().on(table.lastAt)],
);

/** Sessions with their browsers. The browser's token carries the id; without its row the token is worth nothing. */
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
    lastSeenAt: instant("last_seen_at")
      .notNull()
      .default(sql`now()`),
    userAgent: text("user_agent"),
    address: text("address"),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);
