import { sql } from "drizzle-orm";
import { customType, smallint, uuid } from "drizzle-orm/pg-core";

/** A point in time: `timestamptz(3)` in the database, milliseconds since 1970 (UTC) in code. */
export const instant = customType<{ data: number }>({ dataType: () => "timestamptz(3)" });

/** `json` stored as its text: half the work of `jsonb` for a column that SQL never queries. */
export const jsonText = customType<{ data: unknown; driverData: string }>({ dataType: () => "json" });

/** Text ordered by bytes, independent of the database's locale. */
export const bytewiseText = customType<{ data: string; driverData: string }>({ dataType: () => 'text collate "C"' });

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/**
 * The address of every row of player data: `part` is ten bits of the player id, the unit by which the schema can be distributed and by
 * which workers divide the queue. Keys and statements on player data name both.
 */
export const playerColumns = () => ({
  part: smallint("part").notNull(),
  playerId: uuid("player_id").notNull(),
});

/** Filled by the database when the row is inserted: the real time of the transaction's start. */
export const insertedAt = (name: string) =>
  instant(name)
    .notNull()
    .default(sql`now()`);

export const createdAt = () => insertedAt("created_at");

/** A random key. */
export const randomId = () =>
  uuid("id")
    .primaryKey()
    .default(sql`gen_random_uuid()`);
