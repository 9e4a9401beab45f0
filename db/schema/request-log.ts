import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, primaryKey, real, smallint, text, uuid } from "drizzle-orm/pg-core";
import { instant, playerColumns } from "./columns.ts";

/**
 * Requests to the public API, for people to look into; kept for days and within bounds, never a source of truth. `id` is a UUIDv7, so
 * its order is that of time. `at` is real time. `problem` is the answer of a refused request. `target` and `body` are null where the
 * environment keeps no bodies.
 */
export const requestLog = pgTable(
  "request_log",
  {
    environmentId: integer("environment_id").notNull(),
    id: uuid("id").notNull(),
    at: instant("at").notNull(),
    keyId: uuid("key_id").notNull(),
    method: text("method").notNull(),
    /** The path as the contract has it; null where none matched. */
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
 * The latest items that were sent, accepted and refused. They are of an environment, not of a player: refused ones may name nobody, so
 * the key is that of their request. `at` is real time, `receivedAt` the environment's clock.
 */
export const eventTail = pgTable(
  "event_tail",
  {
    environmentId: integer("environment_id").notNull(),
    requestId: uuid("request_id").notNull(),
    /** The place of the item in its request, from 0. */
    position: smallint("position").notNull(),
    at: instant("at").notNull(),
    receivedAt: instant("received_at").notNull(),
    keyId: uuid("key_id").notNull(),
    traceId: text("trace_id").notNull(),
    isMetric: boolean("is_metric").notNull(),
    /** The player's external id as it was sent, and the key of the event or metric; null where there was none. */
    player: text("player"),
    event: text("event"),
    /** The address of the player, where one was named; the three are null in a refused item. */
    part: smallint("part"),
    playerId: uuid("player_id"),
    eventId: uuid("event_id"),
    /** The first code that it was refused with; null where it was accepted. */
    code: text("code"),
    /** JSON: the problems of a refused item. */
    errors: text("errors"),
    /** The item as it was sent; null where the environment keeps no bodies. */
    payload: text("payload"),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.requestId, table.position] })],
);

/**
 * What the accepted items of the tail moved, written with the moves themselves by the transaction that applied them, and kept as long as
 * the tail. It is of an environment, in the order of facts: the oldest go first. `at` is real time.
 */
export const eventEffects = pgTable(
  "event_effects",
  {
    environmentId: integer("environment_id").notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    ...playerColumns(),
    at: instant("at")
      .notNull()
      .default(sql`now()`),
    /** The version of the definitions that it was applied by. */
    definitionsVersion: integer("definitions_version").notNull(),
    /** `Moved`, encoded (server/engine/stored-moves.ts). */
    moved: text("moved").notNull(),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.seq] })],
);

/** The number of requests and items that a minute's log lacks: sampled at a high rate, or dropped by a process that was full. */
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
