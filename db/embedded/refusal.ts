import { Refused } from "../../server/kernel/refused.ts";

/** Why the embedded database cannot run here, with the way out. */
export const refusal = (reason: string): Refused =>
  new Refused(
    `The embedded PostgreSQL cannot run: ${reason}. ` +
      "Set DATABASE_URL to a PostgreSQL 15 or newer of your own, for example DATABASE_URL=postgres://user:password@localhost:5432/engagement",
  );
