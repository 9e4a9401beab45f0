import type { Transaction } from "#db/client.ts";
import { insertNotice, type NewNotice } from "../store/notices.ts";

/** Writes a notice, in the transaction of its cause. */
export const note = (tx: Transaction, notice: NewNotice): Promise<void> => insertNotice(tx, notice);
