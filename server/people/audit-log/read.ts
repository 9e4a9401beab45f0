import type { Database } from "#db/client.ts";
import { changesOf, type ShownChange } from "../../model/audit-log/differences.ts";
import { type AuditFacets, type AuditFilter, type AuditRow, selectAuditFacets, selectAuditLog, selectDifference } from "./store.ts";

/**
 * A page of the log, newest first, without long differences (`readChanges`); `next` is the cursor of the next page, null at the end.
 */
export async function readAuditLog(
  { sql }: Database,
  projectId: string,
  filter: AuditFilter,
  before: number | null,
  limit: number,
): Promise<{ entries: AuditRow[]; next: number | null }> {
  const rows = await selectAuditLog(sql, projectId, filter, before, limit + 1);
  const entries = rows.slice(0, limit);
  return { entries, next: rows.length > limit ? entries.at(-1)!.id : null };
}

/** Bytes of a difference that one call returns. */
const MAX_DIFFERENCE = 3 * 1024 * 1024;

/** The changes of one entry of a project; `isCut` if they are too large to return. Null if there is no such entry. */
export async function readChanges(
  { sql }: Database,
  projectId: string,
  id: number,
  most = MAX_DIFFERENCE,
): Promise<{ changes: ShownChange[]; isCut: boolean } | null> {
  const found = await selectDifference(sql, projectId, id, most);
  return found && { changes: changesOf(found.difference), isCut: found.isCut };
}

export const auditFacets = ({ sql }: Database, projectId: string): Promise<AuditFacets> => selectAuditFacets(sql, projectId);
