import type { Transaction } from "#db/client.ts";
import { deletePeriodsOf } from "../store/removal.ts";

/** Takes away the periods of a board that is deleted; nobody has a score in them. The environment lock is held exclusively. */
export const forgetPeriods = (tx: Transaction, leaderboardId: number): Promise<void> => deletePeriodsOf(tx, leaderboardId);
