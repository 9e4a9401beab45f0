import type { Transaction } from "../../db/client.ts";
import type { AuditEntry } from "./entry.ts";
import { insertAuditEntries } from "./store.ts";

/** Writes changes to the audit log, in the transaction that makes them. */
export const recordChange = (tx: Transaction, ...entries: readonly AuditEntry[]): Promise<void> => insertAuditEntries(tx, entries);
