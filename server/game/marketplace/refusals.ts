import type { Database } from "#db/client.ts";
import { writeCounts } from "../../engine/store/counts.ts";
import { KEPT } from "../../model/kernel/counts.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import type { ErrorCode } from "../../model/kernel/errors.ts";
import { localDate } from "../../model/kernel/time.ts";

/** Counts a purchase that was refused, of a listing if there is one: one row, appended outside any transaction. */
export const countRefusal = (
  { sql }: Database,
  { id, timeZone }: Pick<Environment, "id" | "timeZone">,
  now: number,
  listingId: number | null,
  code: ErrorCode,
): Promise<void> =>
  writeCounts(sql, id, [
    { epoch: KEPT, measure: "refused", subject: listingId ?? 0, detail: code, day: localDate(now, timeZone), count: 1, amount: 0 },
  ]);
