import type { Transaction } from "#db/client.ts";
import { type PeriodProgress, type PeriodRow, savePeriod } from "#server/engine/store/periods.ts";

/** Players carried into the next period, or given seats, in one transaction. */
export const PAGE = 500;

/** The next step of a period, and when it is due. */
export type Next = Pick<PeriodRow, "step" | "dueAt">;

/** Stores the state of a period for the next step. */
export async function saveProgress(tx: Transaction, id: number, progress: PeriodProgress): Promise<Next> {
  await savePeriod(tx, id, progress);
  return progress;
}
