import type { Queries, Transaction } from "../../db/client.ts";
import type { AuditEntry } from "./entry.ts";
import { insertAuditEntries, insertAuditEntry } from "./store.ts";

/** Writes changes to the audit log, in the transaction that makes them. */
export const recordChange = (tx: Transaction, ...entries: readonly AuditEntry[]): Promise<void> => insertAuditEntries(tx, entries);

/** Writes one change to the audit log, in a transaction of the query builder. */
export const recordInQueries = (queries: Queries, entry: AuditEntry): Promise<void> => insertAuditEntry(queries, entry);
