import { pageOf } from "../../model/kernel/page.ts";
import type { Database } from "#db/client.ts";
import { changesOf } from "../../model/audit-log/entry.ts";
import { type AuditFilter, selectAuditLog, selectDifference } from "./store.ts";

export {
  hasRequest,
  selectAuditFacets,
  countChangesOf as countChangesOfSubject,
  selectChangesOf as changesOfSubject,
  selectLastChange as findLastChange,
  selectLastOf as lastChangeOfSubject,
} from "./store.ts";

/**
 * A page of the log, newest first, without long differences (`readChanges`); `next` is the cursor of the next page, null at the end.
 */
export async function readAuditLog({ sql }: Database, projectId: string, filter: AuditFilter, before: number | null, limit: number) {
  const { page, next } = pageOf(await selectAuditLog(sql, projectId, filter, before, limit + 1), limit);
  return { entries: page, next: next && next.id };
}

/** Bytes of a difference that one call returns. */
const MAX_DIFFERENCE = 3 * 1024 * 1024;

/** The changes of one entry of a project; `isCut` if they are too large to return. Null if there is no such entry. */
export async function readChanges({ sql }: Database, projectId: string, id: number, most = MAX_DIFFERENCE) {
  const found = await selectDifference(sql, projectId, id, most);
  return found && { changes: changesOf(found.difference), isCut: found.isCut };
}
