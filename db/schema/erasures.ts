import { integer, pgTable, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { instant, playerColumns } from "./columns.ts";
import { environments } from "./projects.ts";

/**
 * Players who were erased, by the key that is derived from environment and external id: after a backup was restored, the same erasures can
 * be done again, and nothing here says who they were. `erasedAt` is on the environment's clock; who came to be later is somebody new.
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
 * The random owners of what erased players leave behind so that totals hold: ledger, purchases, completions, settled scores. Apart from
 * `erasures` and without an instant, so that no row leads from one to the other. A reset of the Sandbox finds these rows by it.
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
