import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../api/access.ts";
import { formatInstant, parseInstant } from "../kernel/time.ts";
import { auditLogDashboard } from "./contract.dashboard.ts";
import { changesOf } from "./differences.ts";
import { auditFacets, readAuditLog } from "./read.ts";

const dashboard = implement(auditLogDashboard).$context<DashboardContext>().use(guard);

export const auditLogDashboardProcedures = {
  list: dashboard.list.handler(async ({ input, context: { database, environment } }) => {
    const { project: _, cursor, take, from, until, ...filter } = input;
    const narrowed = { ...filter, from: instantOf(from), until: instantOf(until) };
    const { entries, next } = await readAuditLog(database, environment.projectId, narrowed, cursorOf(cursor), take);
    return {
      entries: entries.map(({ difference, ...entry }) => ({
        ...entry,
        id: String(entry.id),
        at: formatInstant(entry.at),
        changes: changesOf(difference),
      })),
      next: next === null ? null : String(next),
    };
  }),
  facets: dashboard.facets.handler(({ context: { database, environment } }) => auditFacets(database, environment.projectId)),
};

function instantOf(text: string | null): number | null {
  const at = text === null ? null : parseInstant(text);
  if (text !== null && at === null) throw new ORPCError("BAD_REQUEST", { message: `"${text}" is not an RFC 3339 instant.` });
  return at;
}

function cursorOf(cursor: string | null): number | null {
  if (cursor !== null && !/^\d{1,15}$/.test(cursor)) throw new ORPCError("BAD_REQUEST", { message: "That is no place in this list." });
  return cursor === null ? null : Number(cursor);
}
