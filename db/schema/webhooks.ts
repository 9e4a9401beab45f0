import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, smallint, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytes, instant, jsonText } from "./columns.ts";
import { users } from "./identity.ts";

/** All times of deliveries are real time; only `occurredAt` is on the environment's clock. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: uuid("id")
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    environmentId: integer("environment_id").notNull(),
    url: text("url").notNull(),
    events: text("events").array().notNull(),
    /** Both are encrypted for this endpoint (server/model/webhooks/secret-cipher.ts). */
    secret: text("secret").notNull(),
    previousSecret: text("previous_secret"),
    previousSecretExpiresAt: instant("previous_secret_expires_at"),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`now()`),
    /** Since when every attempt has failed; null after a success. */
    failingSince: instant("failing_since"),
    disabledAt: instant("disabled_at"),
    disabledReason: text("disabled_reason"),
  },
  (table) => [
    index().on(table.environmentId),
    /** One receiver alone hands owed items over. */
    uniqueIndex("webhook_endpoints_one_hands_over")
      .on(table.environmentId)
      .where(sql`'catalog_item.fulfillment_requested' = any(events)`),
  ],
);

/**
 * The outbox: written with the fact it tells of. `dueAt` is the next attempt; `leasedUntil` is when the process that has
 * claimed it is taken for dead. That one is in no index, so that a claim stays on its page and costs half as much.
 * What is pending for an endpoint that is switched off is held: switching is a change of the endpoint's row alone.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: uuid("id").primaryKey(),
    endpointId: uuid("endpoint_id").notNull(),
    environmentId: integer("environment_id").notNull(),
    event: text("event").notNull(),
    /** The source (a completion's occurrence, an owed item), for the integrity check and for sending again. */
    sourceId: uuid("source_id").notNull(),
    data: jsonText("data").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`now()`),
    status: text("status", { enum: ["Pending", "Delivered", "Failed"] })
      .notNull()
      .default("Pending"),
    attempts: smallint("attempts").notNull().default(0),
    dueAt: instant("due_at")
      .notNull()
      .default(sql`now()`),
    leasedUntil: instant("leased_until"),
    /** Why a failed one was given up though its receiver had not refused it; null where the receiver or the schedule decided. */
    givenUp: text("given_up", { enum: ["Discarded", "HeldTooLong"] }),
    /** The span that wrote it (W3C); null unless traces are recorded. */
    traceparent: text("traceparent"),
  },
  (table) => [
    index("webhook_deliveries_due")
      .on(table.endpointId, table.dueAt)
      .where(sql`status = 'Pending'`),
    /** For lists of the newest deliveries: one walk for each endpoint and event, so that a rare event is found at once. */
    index("webhook_deliveries_newest").on(table.endpointId, table.event, table.createdAt, table.id),
    /** The same of those that failed, which are few among many. One that was delivered costs nothing here. */
    index("webhook_deliveries_failed")
      .on(table.endpointId, table.event, table.createdAt, table.id)
      .where(sql`status = 'Failed'`),
    /** What is about a player, for people who look for it and for an erasure. */
    index("webhook_deliveries_of_a_player")
      .on(table.environmentId, sql`(${table.data} ->> 'playerExternalId')`, table.createdAt, table.id)
      .where(sql`data ->> 'playerExternalId' is not null`),
  ],
);

export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    deliveryId: uuid("delivery_id").notNull(),
    number: smallint("number").notNull(),
    startedAt: instant("started_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** The answer's status code; null when none came. */
    responseStatus: smallint("response_status"),
    error: text("error"),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);

/**
 * The beginnings of answers, for people who look at an attempt: of a failure with its headers, of a success where it has a body. They go
 * after thirty days; the attempt stays.
 */
export const webhookAnswers = pgTable(
  "webhook_answers",
  {
    deliveryId: uuid("delivery_id").notNull(),
    number: smallint("number").notNull(),
    /** When the attempt began. */
    startedAt: instant("started_at").notNull(),
    /** Name → value, of those that help to understand an answer. */
    headers: jsonText("headers").notNull(),
    body: bytes("body").notNull(),
    /** Whether the receiver had more to say. */
    isCut: boolean("is_cut").notNull(),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] }), index().on(table.startedAt)],
);

/**
 * A person's program that takes signed copies of a Sandbox's webhooks (`engagement listen`). Real time; it is forgotten a day after it was
 * last seen. `session` is the run of the program that reads now: a later one takes over.
 */
export const webhookListeners = pgTable(
  "webhook_listeners",
  {
    id: uuid("id")
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    environmentId: integer("environment_id").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    events: text("events").array().notNull(),
    session: text("session").notNull(),
    seenAt: instant("seen_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [unique().on(table.environmentId, table.userId, table.name)],
);

/** What a listener has not acknowledged yet, written with the fact it tells of. */
export const webhookCopies = pgTable(
  "webhook_copies",
  {
    id: uuid("id").primaryKey(),
    /** No foreign key: a fact whose transaction has seen a listener is not to fail because that has gone meanwhile. */
    listenerId: uuid("listener_id").notNull(),
    environmentId: integer("environment_id").notNull(),
    event: text("event").notNull(),
    data: jsonText("data").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [index().on(table.listenerId, table.createdAt), index().on(table.environmentId)],
);
