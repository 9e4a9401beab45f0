import type { Transaction } from "#db/client.ts";
import type { AuditEntry, WholeEntry } from "../../model/audit-log/entry.ts";
import { insertAuditEntries, insertWholeEntry } from "./store.ts";

/** Writes changes to the audit log, in the transaction that makes them. */
export const recordChange = (tx: Transaction, ...entries: readonly AuditEntry[]): Promise<void> => insertAuditEntries(tx, entries);

/** Writes a bulk change as one entry, with each of its changes as a part. */
export async function recordTogether(tx: Transaction, whole: WholeEntry, parts: readonly AuditEntry[]): Promise<void> {
  const counts = Object.fromEntries([...Map.groupBy(parts, ({ action }) => action)].map(([action, ones]) => [action, ones.length]));
  await insertAuditEntries(tx, parts, await insertWholeEntry(tx, whole, counts));
}
