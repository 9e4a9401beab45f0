import type { Database } from "../../db/client.ts";
import { type AuditFacets, type AuditFilter, type AuditRow, selectAuditFacets, selectAuditLog } from "./store.ts";

/** A page of the log, the newest entry first; `next` leads to the one after it, null at the end. */
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

export const auditFacets = ({ sql }: Database, projectId: string): Promise<AuditFacets> => selectAuditFacets(sql, projectId);
