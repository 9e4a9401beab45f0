import { openServiceDatabase } from "../../db/service.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { readSettings } from "./settings.ts";

/** Migrates the database, for deployments whose processes do not migrate at start (vercel.json). */
try {
  const { databaseUrl, dataDir } = readSettings();
  if (databaseUrl === undefined)
    throw new OperatorError("DATABASE_URL must be set: without it a service migrates its embedded PostgreSQL when it starts.");
  const database = await openServiceDatabase({ databaseUrl, dataDir, onChange: (message) => console.error(message) });
  await database.close();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  for (const line of error.problems) console.error(line);
  process.exitCode = 1;
}
