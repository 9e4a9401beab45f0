import type { Transaction } from "#db/client.ts";
import { deletePeriodsOf } from "../store/removal.ts";

/** Deletes the periods of a deleted board, which have no scores. The environment lock is held exclusively. */
export const forgetPeriods = (tx: Transaction, leaderboardId: number): Promise<void> => deletePeriodsOf(tx, leaderboardId);
