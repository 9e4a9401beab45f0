/** Why the embedded database cannot run here, with the way out. */
export function refusal(reason: string): Error {
  return new Error(
    `The embedded PostgreSQL cannot start: ${reason}. ` +
      "Set DATABASE_URL to a PostgreSQL 15 or newer of your own, for example DATABASE_URL=postgres://user:password@localhost:5432/engagement.",
  );
}
