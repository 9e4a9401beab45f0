import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, instant, randomId } from "./columns.ts";
import { memberships } from "./identity.ts";
import { projects } from "./projects.ts";

/**
 * A person's own token: it acts as them in one project, in one of its environments where `environment` is set, with that role at most;
 * `tests`: in the test projects of that project alone. It depends on the membership that gave the role, and is deleted with it. Only the
 * SHA-256 of the token is stored; `hint` is its prefix and last four characters, for display.
 */
export const personalTokens = pgTable(
  "personal_tokens",
  {
    id: randomId(),
    membershipId: uuid("membership_id")
      .notNull()
      .references(() => memberships.id, { onDelete: "cascade" }),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id),
    environment: text("environment", { enum: ["sandbox", "live", "tests"] }),
    name: text("name").notNull(),
    hash: bytes("hash").notNull().unique(),
    hint: text("hint").notNull(),
    /** One of `server/model/kernel/environment.ts`. */
    role: text("role").notNull(),
    createdAt: createdAt(),
    expiresAt: instant("expires_at").notNull(),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [index().on(table.membershipId), index().on(table.projectId)],
);
