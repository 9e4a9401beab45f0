import type { Transaction } from "../../../db/client.ts";
import { type PeriodProgress, type PeriodRow, savePeriod } from "../store/periods.ts";

/** Players carried into the next period, or given seats, in one transaction. */
export const PAGE = 500;

/** What comes next for a period, and when. */
export type Next = Pick<PeriodRow, "step" | "dueAt">;

/** Leaves behind where a period stands, for whoever takes the next step. */
export async function saveProgress(tx: Transaction, id: number, progress: PeriodProgress): Promise<Next> {
  await savePeriod(tx, id, progress);
  return progress;
}
