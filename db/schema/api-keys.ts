import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, createdAt, instant, randomId } from "./columns.ts";
import { environments } from "./projects.ts";

/** Only the SHA-256 of a key is stored; `hint` is its prefix and last four characters, for display. */
export const apiKeys = pgTable("api_keys", {
  id: randomId(),
  environmentId: integer("environment_id")
    .notNull()
    .references(() => environments.id),
  name: text("name").notNull(),
  hash: bytes("hash").notNull().unique(),
  hint: text("hint").notNull(),
  createdAt: createdAt(),
  lastUsedAt: instant("last_used_at"),
  revokedAt: instant("revoked_at"),
});
