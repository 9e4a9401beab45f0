import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, primaryKey, real, smallint, text, uuid } from "drizzle-orm/pg-core";
import { insertedAt, instant, playerColumns } from "./columns.ts";

/**
 * Requests to the public API, for debugging; kept for days and within bounds, never a source of truth. `id` is a UUIDv7, so it sorts by
 * time. `at` is real time. `problem` is the answer of a refused request. `target` and `body` are null if the environment keeps no
 * bodies.
 */
export const requestLog = pgTable(
  "request_log",
  {
    environmentId: integer("environment_id").notNull(),
    id: uuid("id").notNull(),
    at: instant("at").notNull(),
    keyId: uuid("key_id").notNull(),
    method: text("method").notNull(),
    /** The contract's path; null if none matched. */
    route: text("route"),
    status: smallint("status").notNull(),
    code: text("code"),
    durationMs: real("duration_ms").notNull(),
    traceId: text("trace_id").notNull(),
    /** Items of a batch; null for requests without items. */
    accepted: integer("accepted"),
    refused: integer("refused"),
    target: text("target"),
    body: text("body"),
    /** The size of the body as it was sent, in characters. */
    bodyLength: integer("body_length").notNull(),
    problem: text("problem"),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    index("request_log_codes")
      .on(table.environmentId, table.code, table.id)
      .where(sql`code is not null`),
  ],
);

/**
 * The latest items that were sent, accepted and rejected. They belong to an environment, not to a player: a rejected one may have no
 * player, so the key is that of the request. `at` is real time, `receivedAt` the environment's clock.
 */
export const eventTail = pgTable(
  "event_tail",
  {
    environmentId: integer("environment_id").notNull(),
    requestId: uuid("request_id").notNull(),
    /** The index of the item in its request, from 0. */
    position: smallint("position").notNull(),
    at: instant("at").notNull(),
    receivedAt: instant("received_at").notNull(),
    keyId: uuid("key_id").notNull(),
    traceId: text("trace_id").notNull(),
    isMetric: boolean("is_metric").notNull(),
    /** The player's external id as it was sent, and the key of the event or metric; null if there was none. */
    player: text("player"),
    event: text("event"),
    /** The keys of the player and of the event; all three are null in a rejected item. */
    part: smallint("part"),
    playerId: uuid("player_id"),
    eventId: uuid("event_id"),
    /** The first error code; null if it was accepted. */
    code: text("code"),
    /** JSON: the problems of a refused item. */
    errors: text("errors"),
    /** The item as it was sent; null if the environment keeps no bodies. */
    payload: text("payload"),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.requestId, table.position] })],
);

/**
 * The effects of the tail's accepted items, written by the transaction that applied them, and kept as long as the tail. They belong to an
 * environment, in the order of facts: the oldest are purged first. `at` is real time.
 */
export const eventEffects = pgTable(
  "event_effects",
  {
    environmentId: integer("environment_id").notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    ...playerColumns(),
    at: insertedAt("at"),
    /** The version of the definitions that applied it. */
    definitionsVersion: integer("definitions_version").notNull(),
    /** `Moved`, encoded (server/engine/moved.ts). */
    moved: text("moved").notNull(),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.seq] })],
);

/** The number of requests and items missing from a minute's log: sampled out at a high rate, or dropped by a process with a full buffer. */
export const requestLogOmissions = pgTable(
  "request_log_omissions",
  {
    environmentId: integer("environment_id").notNull(),
    minute: instant("minute").notNull(),
    successes: bigint("successes", { mode: "number" }).notNull(),
    errors: bigint("errors", { mode: "number" }).notNull(),
    acceptedItems: bigint("accepted_items", { mode: "number" }).notNull(),
    refusedItems: bigint("refused_items", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.minute] })],
);
