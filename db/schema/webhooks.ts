import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, smallint, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, insertedAt, instant, jsonText, randomId } from "./columns.ts";
import { userId } from "./identity.ts";

/** All times of deliveries are real time; only `occurredAt` is on the environment's clock. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: randomId(),
    environmentId: integer("environment_id").notNull(),
    url: text("url").notNull(),
    events: text("events").array().notNull(),
    /** Incremented by every change of URL or events: a save over a change that its author has not seen is refused. */
    revision: integer("revision").notNull().default(0),
    /** Both are encrypted for this endpoint (server/model/webhooks/secret-cipher.ts). */
    secret: text("secret").notNull(),
    previousSecret: text("previous_secret"),
    previousSecretExpiresAt: instant("previous_secret_expires_at"),
    createdAt: createdAt(),
    /** Since when every attempt has failed; null after a success. */
    failingSince: instant("failing_since"),
    disabledAt: instant("disabled_at"),
    disabledReason: text("disabled_reason"),
  },
  (table) => [
    index().on(table.environmentId),
    /** Only one receiver fulfils owed items. */
    uniqueIndex("webhook_endpoints_one_hands_over")
      .on(table.environmentId)
      .where(sql`'catalog_item.fulfillment_requested' = any(events)`),
  ],
);

/**
 * The outbox: written in the transaction of its fact. `dueAt` is the next attempt; `leasedUntil` is when the claim's lease expires. It is
 * in no index, so that a claim is a heap-only update and costs half as much. Pending deliveries of a disabled endpoint are held: switching
 * changes only the endpoint's row.
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
    createdAt: createdAt(),
    status: text("status", { enum: ["Pending", "Delivered", "Failed"] })
      .notNull()
      .default("Pending"),
    attempts: smallint("attempts").notNull().default(0),
    dueAt: insertedAt("due_at"),
    leasedUntil: instant("leased_until"),
    /** Why a failed one was given up by the service; null if the receiver's answer or the retry schedule decided. */
    givenUp: text("given_up", { enum: ["Discarded", "HeldTooLong"] }),
    /** The span that wrote it (W3C); null unless traces are recorded. */
    traceparent: text("traceparent"),
  },
  (table) => [
    index("webhook_deliveries_due")
      .on(table.endpointId, table.dueAt)
      .where(sql`status = 'Pending'`),
    /** For lists of the newest deliveries: an index scan for each endpoint and event finds rare events as fast as frequent ones. */
    index("webhook_deliveries_newest").on(table.endpointId, table.event, table.createdAt, table.id),
    /** The same for failed deliveries, which are few. Successful ones cost nothing here. */
    index("webhook_deliveries_failed")
      .on(table.endpointId, table.event, table.createdAt, table.id)
      .where(sql`status = 'Failed'`),
    /** The deliveries about a player, for searches and for an erasure. */
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
 * The beginnings of responses, shown with an attempt: of a failure with headers, of a success if it has a body. Deleted after thirty days;
 * the attempt stays.
 */
export const webhookAnswers = pgTable(
  "webhook_answers",
  {
    deliveryId: uuid("delivery_id").notNull(),
    number: smallint("number").notNull(),
    /** When the attempt began. */
    startedAt: instant("started_at").notNull(),
    /** Name → value, of the headers that help to understand a response. */
    headers: jsonText("headers").notNull(),
    body: bytes("body").notNull(),
    /** Whether the response was longer. */
    isCut: boolean("is_cut").notNull(),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] }), index().on(table.startedAt)],
);

/**
 * A user's program that receives signed copies of a Sandbox's webhooks (`engagement listen`). Real time; deleted a day after it was last
 * seen. `session` is the current run of the program: a later one takes over.
 */
export const webhookListeners = pgTable(
  "webhook_listeners",
  {
    id: randomId(),
    environmentId: integer("environment_id").notNull(),
    userId: userId(),
    name: text("name").notNull(),
    events: text("events").array().notNull(),
    session: text("session").notNull(),
    seenAt: insertedAt("seen_at"),
  },
  (table) => [unique().on(table.environmentId, table.userId, table.name)],
);

/** A listener's unacknowledged copies, written in the transaction of their fact. */
export const webhookCopies = pgTable(
  "webhook_copies",
  {
    id: uuid("id").primaryKey(),
    /** No foreign key: a fact's transaction must not fail because a listener was deleted meanwhile. */
    listenerId: uuid("listener_id").notNull(),
    environmentId: integer("environment_id").notNull(),
    event: text("event").notNull(),
    data: jsonText("data").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.listenerId, table.createdAt), index().on(table.environmentId)],
);
