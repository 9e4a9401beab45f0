import { bigint, boolean, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytewiseText, insertedAt, instant, playerColumns } from "./columns.ts";

/**
 * The part of a player's history that conditions read (`model/segments/rollups.ts`): one counter for each bucket, which is a day, a
 * distinct value or the whole history. The bucket "" marks the rollup as kept for the player; it is built from the log when a condition
 * first reads it.
 */
export const rollups = pgTable(
  "rollups",
  {
    ...playerColumns(),
    rollupId: integer("rollup_id").notNull(),
    bucket: bytewiseText("bucket").notNull(),
    reading: text("reading").notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.rollupId, table.bucket] })],
);

/**
 * The number of players in an active segment, and the count that is due or running (`game/segments/service/count.ts`). `generation`
 * identifies the members of the last complete count, `building` those of the running one. `rule` is the hash of the compiled rule; it, the
 * version of the definitions and the clock's offset are those that the row was last compared with.
 */
export const segmentCounts = pgTable(
  "segment_counts",
  {
    segmentId: integer("segment_id").primaryKey(),
    environmentId: integer("environment_id").notNull(),
    rule: text("rule").notNull(),
    definitionsVersion: bigint("definitions_version", { mode: "number" }).notNull(),
    clockOffsetMs: bigint("clock_offset_ms", { mode: "number" }).notNull(),
    /** In real time. */
    dueAt: insertedAt("due_at"),
    generation: integer("generation").notNull().default(0),
    building: integer("building").notNull().default(0),
    /**
     * When the running count began, in real time; null: none is running. Its rule is evaluated as of `startedAsOf`, on the environment's
     * clock.
     */
    startedAt: instant("started_at"),
    startedAsOf: instant("started_as_of"),
    /** The cursor: players up to this external id are counted. */
    lastExternalId: bytewiseText("last_external_id").notNull().default(""),
    playersSoFar: bigint("players_so_far", { mode: "number" }).notNull().default(0),
    membersSoFar: bigint("members_so_far", { mode: "number" }).notNull().default(0),
    /** The last complete count; null until there is one. */
    players: bigint("players", { mode: "number" }),
    members: bigint("members", { mode: "number" }),
    countedAt: instant("counted_at"),
    asOf: instant("as_of"),
    /** Whether members of other generations must still be deleted. */
    hasLeftovers: boolean("has_leftovers").notNull().default(false),
  },
  (table) => [index().on(table.environmentId), index().on(table.dueAt)],
);

/** The players that a count found in a segment. A page of them is a range of the key; a generation is replaced as a whole. */
export const segmentMembers = pgTable(
  "segment_members",
  {
    segmentId: integer("segment_id").notNull(),
    generation: integer("generation").notNull(),
    ...playerColumns(),
  },
  (table) => [primaryKey({ columns: [table.segmentId, table.generation, table.part, table.playerId] })],
);
