import type { Transaction } from "../../db/client.ts";
import { revokeTokenRowsOf } from "./store.ts";

/** Revokes every token that a person has in force, in whatever project, with the commit of the transaction. */
export const revokeAllOf = (tx: Transaction, userId: string): Promise<void> => revokeTokenRowsOf(tx, userId);
