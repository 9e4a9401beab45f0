import { sql } from "drizzle-orm";
import { bigint, boolean, date, index, integer, jsonb, numeric, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { bytewiseText, instant, playerColumns } from "./columns.ts";

/**
 * One sum: the count and amount of a measure (`server/model/kernel/counts.ts`), of definition `subject` (0: of none), on a day of the
 * project's zone. `detail` divides a measure further: an hour, a cohort, a round. `epoch` is the epoch of the sum
 * (`players.analytics_epoch`); 0 marks sums that cannot be recomputed from a log.
 */
const sum = () => ({
  environmentId: integer("environment_id").notNull(),
  epoch: integer("epoch").notNull(),
  measure: bytewiseText("measure").notNull(),
  day: date("day").notNull(),
  subject: integer("subject").notNull().default(0),
  detail: bytewiseText("detail").notNull().default(""),
  count: bigint("count", { mode: "number" }).notNull(),
  amount: numeric("amount").notNull().default("0"),
});

/** What transactions add to the sums: appended, never updated, so that writers never contend. A job adds them up into `analytics_daily`. */
export const analyticsDeltas = pgTable(
  "analytics_deltas",
  {
    ...sum(),
    /** The hour of the day; null for sums that are not also kept by hour. */
    hour: smallint("hour"),
  },
  (table) => [index().on(table.environmentId)],
);

/**
 * Sums of single definitions by hour of the project's zone, for two months: alerts read them. They include deltas of every epoch, and are
 * never recounted.
 */
export const analyticsHourly = pgTable(
  "analytics_hourly",
  {
    environmentId: integer("environment_id").notNull(),
    measure: bytewiseText("measure").notNull(),
    subject: integer("subject").notNull(),
    day: date("day").notNull(),
    hour: smallint("hour").notNull(),
    count: bigint("count", { mode: "number" }).notNull(),
    amount: numeric("amount").notNull(),
  },
  (table) => [
    primaryKey({
      name: "analytics_hourly_key",
      columns: [table.environmentId, table.measure, table.subject, table.day, table.hour],
    }),
    index().on(table.day),
  ],
);

/** The sums by day. Reports add the deltas that are not included yet. */
export const analyticsDaily = pgTable("analytics_daily", sum(), (table) => [
  primaryKey({
    name: "analytics_daily_key",
    columns: [table.environmentId, table.epoch, table.measure, table.day, table.subject, table.detail],
  }),
]);

/**
 * A day on which a player had an event; `hour` is that of the first one applied. Active players, new players and retention are counted from
 * it.
 */
export const playerDays = pgTable(
  "player_days",
  {
    ...playerColumns(),
    environmentId: integer("environment_id").notNull(),
    day: date("day").notNull(),
    hour: smallint("hour").notNull(),
    /** Whether events of the day were purged from the log. */
    isKept: boolean("is_kept").notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.day] })],
);

/**
 * Webhook attempts of an endpoint in a quarter of an hour of real time: a quarter belongs to one day in every present zone. `latencies`
 * counts them by duration (`server/model/kernel/durations.ts`).
 */
export const analyticsWebhooks = pgTable(
  "analytics_webhooks",
  {
    environmentId: integer("environment_id").notNull(),
    endpointId: uuid("endpoint_id").notNull(),
    quarter: instant("quarter").notNull(),
    attempts: integer("attempts").notNull(),
    delivered: integer("delivered").notNull(),
    retries: integer("retries").notNull(),
    latencies: integer("latencies").array().notNull(),
  },
  (table) => [primaryKey({ name: "analytics_webhooks_key", columns: [table.environmentId, table.endpointId, table.quarter] })],
);

/**
 * Distributions that are counted in the background, once a day: the newest of each kind and definition (0: of none). `Movement` is of a
 * leaderboard's period, counted once it has settled: `{ rose, fell, stayed, entered, left }`.
 */
export const analyticsSnapshots = pgTable(
  "analytics_snapshots",
  {
    environmentId: integer("environment_id").notNull(),
    kind: text("kind", { enum: ["Balances", "LiveRuns", "Survival", "Movement"] }).notNull(),
    subject: integer("subject").notNull(),
    day: date("day").notNull(),
    takenAt: instant("taken_at").notNull(),
    /** `[[value, count], …]`, by value. */
    buckets: jsonb("buckets")
      .notNull()
      .default(sql`'[]'`),
  },
  (table) => [primaryKey({ name: "analytics_snapshots_key", columns: [table.environmentId, table.kind, table.subject, table.day] })],
);
