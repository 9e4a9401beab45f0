import { integer, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { instant, jsonText, playerColumns } from "./columns.ts";

/**
 * The live occurrences of a player, one row for each partition: the event, metric or attribute that a mission is partitioned by. A fact
 * loads and saves only the partitions it can move, so a thousand other missions cost nothing. Only `model/missions/state.ts` reads and
 * writes `state`; it is text, because checking it as JSON costs three times the write.
 */
export const missionStates = pgTable(
  "mission_states",
  { ...playerColumns(), partitionId: integer("topic_id").notNull(), state: text("state").notNull() },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.partitionId] })],
);

/** Completed occurrences, with a copy of the rewards at that moment. */
export const missionCompletions = pgTable(
  "mission_completions",
  {
    ...playerColumns(),
    occurrenceId: uuid("occurrence_id").notNull(),
    missionId: integer("mission_id").notNull(),
    occurrenceNumber: integer("occurrence_number").notNull(),
    startedAt: instant("started_at").notNull(),
    acceptedAt: instant("accepted_at").notNull(),
    completedAt: instant("completed_at").notNull(),
    environmentId: integer("environment_id").notNull(),
    /** Readings of the objectives at completion, and the rewards granted, in the form of `model/missions/state.ts`. */
    objectives: jsonText("objectives").notNull(),
    rewards: jsonText("rewards").notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.occurrenceId] })],
);

/** The values and days that DistinctCount and DistinctDays have seen, hashed: they grow without bound, so they stay out of the state. */
export const missionDistinctValues = pgTable(
  "mission_distinct_values",
  {
    ...playerColumns(),
    occurrenceId: uuid("occurrence_id").notNull(),
    criterion: smallint("criterion").notNull(),
    value: uuid("value").notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.occurrenceId, table.criterion, table.value] })],
);
