import type { Database } from "#db/client.ts";
import { deleteOldAnswers } from "../store/answers.ts";
import { forgetListeners } from "./listen.ts";

/** Retention of responses. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Responses deleted per call: some milliseconds of work. */
const AT_ONCE = 500;

/** Deletes a slice of the responses older than thirty days, and expired listeners. False while there are more. */
export async function forgetOld({ sql }: Pick<Database, "sql">): Promise<boolean> {
  if ((await deleteOldAnswers(sql, KEPT_MS, AT_ONCE)) === AT_ONCE) return false;
  await forgetListeners({ sql });
  return true;
}
