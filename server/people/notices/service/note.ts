import type { Transaction } from "#db/client.ts";
import { insertNotice, type NewNotice } from "../store/notices.ts";

/** Notes something that people should know of, in the transaction in which it happens. */
export const note = (tx: Transaction, notice: NewNotice): Promise<void> => insertNotice(tx, notice);
