import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgSequence, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { insertedAt, instant, jsonText, playerColumns } from "./columns.ts";

/** The one order of facts: it decides whether an entry precedes an event, never a comparison of clocks. */
export const factSequence = pgSequence("fact_seq", { cache: 1 });

const fact = () => ({
  environmentId: integer("environment_id").notNull(),
  seq: bigint("seq", { mode: "number" }).notNull(),
  ...playerColumns(),
  kind: text("kind").notNull(),
  /** The id of the fact in its own log: the event's id. */
  sourceId: uuid("source_id").notNull(),
  definitionId: integer("definition_id").notNull(),
  occurredAt: instant("occurred_at").notNull(),
  receivedAt: instant("received_at").notNull(),
  payload: jsonText("payload"),
  /** The amount that a metric event adds; null for an event. */
  value: jsonText("value"),
});

/**
 * Accepted facts that are not applied yet. Workers take slices of a lane by `delete … returning`; a transaction that applies one player's
 * facts directly takes them by the second index, however long the queue is.
 */
export const queuedFacts = pgTable(
  "queued_facts",
  {
    /** The fine lane of the part (server/model/kernel/lanes.ts). */
    lane: smallint("lane").notNull(),
    ...fact(),
    /** The span of the request that sent it (W3C); null unless traces are recorded. */
    traceparent: text("traceparent"),
  },
  (table) => [primaryKey({ columns: [table.lane, table.environmentId, table.seq] }), index().on(table.part, table.playerId)],
);

/**
 * One row: no fact at or below the position `floor` is in the queue, nor will one come (server/operations/worker/floor.ts). Readers of the
 * queue's beginning start above it: applied facts stay in the index until they are vacuumed, and none can be while another session holds a
 * snapshot. A return from the quarantine lowers it in its transaction. `next` is the position to which it rises once all facts up to there
 * are applied: it is stored before it is used, so that after a crash or a failover no position below it is given out again.
 */
export const queueFloor = pgTable(
  "queue_floor",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    floor: bigint("floor", { mode: "number" }).notNull(),
    next: bigint("next", { mode: "number" }),
  },
  (table) => [check("one_floor", sql`${table.isOnly}`)],
);

/** Settings of the whole installation: one row. No row: defaults apply. */
export const installation = pgTable(
  "installation",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    /** The number of lanes that workers take slices of, each a range of the queue's fine lanes. */
    lanes: smallint("lanes").notNull(),
  },
  (table) => [check("one_row", sql`${table.isOnly}`), check("lanes_divide_the_queue", sql`${table.lanes} in (1, 2, 4, 8, 16, 32, 64)`)],
);

/** The quarantine: facts that failed on their own, kept with the error until an operator handles them. */
export const quarantinedFacts = pgTable(
  "quarantined_facts",
  {
    ...fact(),
    error: text("error").notNull(),
    quarantinedAt: insertedAt("quarantined_at"),
  },
  (table) => [primaryKey({ columns: [table.part, table.seq] }), index().on(table.environmentId)],
);

/**
 * The last facts applied in an environment, shown while a user waits for the first event. A slice writes the row of its own first fine
 * lane, so writers never contend.
 */
export const recentFacts = pgTable(
  "recent_facts",
  {
    environmentId: integer("environment_id").notNull(),
    lane: smallint("lane").notNull(),
    /** When the first known one was received, on the environment's clock. */
    firstReceivedAt: instant("first_received_at").notNull(),
    /** The newest first: `[{ seq, part, playerId, definitionId, receivedAt }]`. */
    facts: jsonb("facts").notNull(),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.lane] })],
);
