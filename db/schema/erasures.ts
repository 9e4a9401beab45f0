import { integer, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { instant, playerColumns } from "./columns.ts";
import { environments } from "./projects.ts";

/**
 * Players who were erased, by the key that is derived from environment and external id: after a restored backup the same erasures can be
 * repeated, and the key does not identify the player. `erasedAt` is on the environment's clock; a player created later under the same
 * external id is a new player.
 */
export const erasures = pgTable(
  "erasures",
  {
    ...playerColumns(),
    environmentId: integer("environment_id")
      .notNull()
      .references(() => environments.id),
    erasedAt: instant("erased_at").notNull(),
    actor: text("actor").notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.playerId, table.erasedAt] })],
);

/**
 * The random owners of rows that survive an erasure so that totals hold: ledger, purchases, completions, settled scores. Separate from
 * `erasures` and without an instant, so that the two cannot be linked. A reset of the Sandbox finds these rows by it.
 */
export const anonymousOwners = pgTable(
  "anonymous_owners",
  {
    environmentId: integer("environment_id")
      .notNull()
      .references(() => environments.id),
    part: smallint("part").notNull(),
    playerId: uuid("player_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.part, table.playerId] })],
);
