import type { Database } from "../../../db/client.ts";
import { deleteOldAnswers } from "../store/answers.ts";
import { deleteOldHours } from "../store/hours.ts";
import { forgetListeners } from "./listen.ts";

/** Answers and hours are kept for this long. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Answers that one call deletes: some milliseconds of work. */
const AT_ONCE = 500;

/** Deletes what is older than thirty days of answers and hours, a slice of it, and listeners that have ended. False while there is more. */
export async function forgetOld({ sql }: Pick<Database, "sql">): Promise<boolean> {
  const deleted = await deleteOldAnswers(sql, KEPT_MS, AT_ONCE);
  if (deleted === AT_ONCE) return false;
  await deleteOldHours(sql, KEPT_MS);
  await forgetListeners({ sql });
  return true;
}
