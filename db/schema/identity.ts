import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, insertedAt, instant, randomId } from "./columns.ts";
import { organizations, projects } from "./projects.ts";

/**
 * A user; the row lives as long as the user has a membership. `email` is in lower case; users who only sign in with a provider have no
 * password. A password is confirmed if the user had proved to own the address when setting it: by a mailed link, or with a provider. An
 * unconfirmed one may be known to others.
 */
export const users = pgTable("users", {
  id: randomId(),
  email: text("email").notNull().unique(),
  passwordHash: text("password_hash"),
  isPasswordConfirmed: boolean("is_password_confirmed").notNull().default(false),
  createdAt: createdAt(),
});

/** The user to whom a row belongs and with whom it is deleted. */
export const userId = () =>
  uuid("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

/** A user's account at a provider, by the provider's id: changing the address there has no effect here. */
export const accounts = pgTable(
  "accounts",
  {
    provider: text("provider").notNull(),
    providerAccountId: text("provider_account_id").notNull(),
    userId: userId(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.providerAccountId] }), index().on(table.userId)],
);

/** A person's role in an organization, or in one project of it when `projectId` is set. */
export const memberships = pgTable(
  "memberships",
  {
    id: randomId(),
    userId: userId(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    projectId: uuid("project_id").references(() => projects.id),
    /** One of `server/model/kernel/environment.ts`. */
    role: text("role").notNull(),
    /** The lower role that holds in Live; null: the same. */
    liveRole: text("live_role"),
    /** Lets an Editor of Live approve change requests there; Admins and Owners may anyway. */
    approves: boolean("approves").notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.userId, table.organizationId, table.projectId).nullsNotDistinct()],
);

/**
 * An invitation to an organization, or to one project of it when `projectId` is set. Only the SHA-256 of the link's token is stored;
 * accepting deletes the row. One for each address and scope: inviting again replaces it and invalidates the previous link. `invitedBy` is
 * the inviter's address at that time, for display; `invitedById` is used to check that they may still invite.
 */
export const invitations = pgTable(
  "invitations",
  {
    id: randomId(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    projectId: uuid("project_id").references(() => projects.id),
    email: text("email").notNull(),
    /** One of `server/model/kernel/environment.ts`. */
    role: text("role").notNull(),
    /** The lower role that holds in Live; null: the same. */
    liveRole: text("live_role"),
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
 * A single-use link to set a new password. Only the SHA-256 of its token is stored. `madeBy` is the member who created it, acting in that
 * organization; both are null for a link that was requested by mail. One per creator, and one requested by mail: a mail requested by a
 * third party does not replace an Admin's link.
 */
export const passwordResets = pgTable(
  "password_resets",
  {
    tokenHash: bytes("token_hash").primaryKey(),
    userId: userId(),
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
 * Failed attempts, by subject (a hashed mail address, with or without an account) and by origin. Until `lockedUntil` further attempts are
 * rejected.
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

/** Sessions with their browsers. The browser's token carries the id; without the row the token is invalid. */
export const sessions = pgTable(
  "sessions",
  {
    id: randomId(),
    userId: userId(),
    createdAt: createdAt(),
    expiresAt: instant("expires_at").notNull(),
    lastSeenAt: insertedAt("last_seen_at"),
    userAgent: text("user_agent"),
    address: text("address"),
    /** When the person last proved their identity in it, by a password, a code or a provider. */
    provedAt: insertedAt("proved_at"),
    /** Whether it was opened by a provider, and so needs no second factor. */
    isByProvider: boolean("is_by_provider").notNull().default(false),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);

/**
 * A person's second factor: the secret of an authenticator app, encrypted. `pendingSecret` was shown and waits for its first code; it
 * replaces `secret` then. Only codes of steps after `lastStep` are accepted, so each works once.
 */
export const secondFactors = pgTable(
  "second_factors",
  {
    userId: uuid("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    secret: text("secret"),
    pendingSecret: text("pending_secret"),
    /** Half minutes since 1970. */
    lastStep: integer("last_step").notNull().default(0),
    confirmedAt: instant("confirmed_at"),
  },
  (table) => [check("a_confirmed_factor_has_a_secret", sql`(${table.secret} is null) = (${table.confirmedAt} is null)`)],
);

/** The unused recovery codes of a second factor, as SHA-256. Using one deletes its row. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => secondFactors.userId, { onDelete: "cascade" }),
    hash: bytes("hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** A browser in which a person signs in without a code until `expiresAt`. Only the SHA-256 of its cookie's token is stored. */
export const rememberedDevices = pgTable(
  "remembered_devices",
  {
    id: randomId(),
    userId: userId(),
    tokenHash: bytes("token_hash").notNull().unique(),
    createdAt: createdAt(),
    lastUsedAt: insertedAt("last_used_at"),
    expiresAt: instant("expires_at").notNull(),
    userAgent: text("user_agent"),
    address: text("address"),
  },
  (table) => [index().on(table.userId)],
);
