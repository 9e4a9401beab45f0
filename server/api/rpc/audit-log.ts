import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { formatInstant, parseInstant } from "../../model/kernel/time.ts";
import { auditLogDashboard } from "../../people/audit-log/contract.dashboard.ts";
import { changesOf } from "../../model/audit-log/differences.ts";
import { auditFacets, readAuditLog, readChanges } from "../../people/audit-log/read.ts";

const dashboard = implement(auditLogDashboard).$context<DashboardContext>().use(guard);

export const auditLogDashboardProcedures = {
  list: dashboard.list.handler(async ({ input, context: { database, environment } }) => {
    const { project: _, cursor, take, from, until, partOf, ...filter } = input;
    const narrowed = { ...filter, from: instantOf(from), until: instantOf(until), partOf: idOf(partOf) };
    const { entries, next } = await readAuditLog(database, environment.projectId, narrowed, idOf(cursor), take);
    return {
      entries: entries.map(({ difference, parts, partOf, wholeAction, ...entry }) => ({
        ...entry,
        id: String(entry.id),
        parts: parts as Record<string, number> | null,
        partOf: partOf === null ? null : { id: String(partOf), action: wholeAction ?? "" },
        at: formatInstant(entry.at),
        changes: changesOf(difference),
      })),
      next: next === null ? null : String(next),
    };
  }),
  changes: dashboard.changes.handler(async ({ input, context: { database, environment } }) => {
    const id = idOf(input.id);
    const found = id === null ? null : await readChanges(database, environment.projectId, id);
    if (found === null) throw new ORPCError("NOT_FOUND", { message: "There is no such entry." });
    return found;
  }),
  facets: dashboard.facets.handler(({ context: { database, environment } }) => auditFacets(database, environment.projectId)),
};

function instantOf(text: string | null): number | null {
  const at = text === null ? null : parseInstant(text);
  if (text !== null && at === null) throw new ORPCError("BAD_REQUEST", { message: `"${text}" is not an RFC 3339 instant.` });
  return at;
}

function idOf(text: string | null): number | null {
  if (text !== null && !/^\d{1,15}$/.test(text)) throw new ORPCError("BAD_REQUEST", { message: "There is no such entry in this list." });
  return text === null ? null : Number(text);
}
