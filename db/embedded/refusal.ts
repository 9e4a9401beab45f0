import { OperatorError } from "../../server/model/kernel/operator-error.ts";

/** Why the embedded database cannot run here, and the remedy. */
export const refusal = (reason: string): OperatorError =>
  new OperatorError(
    `The embedded PostgreSQL cannot run: ${reason}. ` +
      "Set DATABASE_URL to a PostgreSQL 15 or newer of your own, for example DATABASE_URL=postgres://user:password@localhost:5432/engagement",
  );
