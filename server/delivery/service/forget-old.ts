import type { Database } from "#db/client.ts";
import { deleteOldAnswers } from "../store/answers.ts";
import { forgetListeners } from "./listen.ts";

/** Answers are kept for this long. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Answers that one call deletes: some milliseconds of work. */
const AT_ONCE = 500;

/** Deletes answers that are older than thirty days, a slice of them, and listeners that have ended. False while there are more. */
export async function forgetOld({ sql }: Pick<Database, "sql">): Promise<boolean> {
  if ((await deleteOldAnswers(sql, KEPT_MS, AT_ONCE)) === AT_ONCE) return false;
  await forgetListeners({ sql });
  return true;
}
