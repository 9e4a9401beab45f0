import { dated, hasBadFilter, instantOf, orMissing } from "./inputs.ts";
import { ORPCError } from "@orpc/server";
import { auditFilter, changesOf } from "../../model/audit-log/entry.ts";
import { readAuditLog, readChanges, selectAuditFacets } from "../../people/audit-log/read.ts";
import { z } from "zod";
import { cursor, inProject } from "../../model/contract/rpc.ts";
import { forProject } from "../access.ts";

export const auditLogDashboardProcedures = {
  /** The newest first. */
  list: forProject("Viewer", "costly", { tokens: "ofBothEnvironments" })(
    inProject.extend({ ...auditFilter.shape, cursor, take: z.int().min(1).max(500).default(50) }),
    async (input, { database, environment }) => {
      if (hasBadFilter(input)) return { entries: [], next: null };
      const { project: _, cursor, take, from, until, partOf, ...filter } = input;
      const narrowed = { ...filter, from: instantOf(from), until: instantOf(until), partOf: idOf(partOf) };
      const { entries, next } = await readAuditLog(database, environment.projectId, narrowed, idOf(cursor), take);
      return {
        entries: entries.map(({ difference, parts, partOf, wholeAction, ...entry }) => ({
          ...dated(entry, "at"),
          id: String(entry.id),
          parts: parts as Record<string, number> | null,
          partOf: partOf === null ? null : { id: String(partOf), action: wholeAction ?? "" },
          changes: changesOf(difference),
        })),
        next: next === null ? null : String(next),
      };
    },
  ),
  /** The changes of one entry, by its id. Above some megabytes they are left out and marked as cut. */
  changes: forProject("Viewer", "costly", { tokens: "ofBothEnvironments" })(
    inProject.extend({ id: z.string().max(40) }),
    (input, { database, environment }) => {
      const id = idOf(input.id);
      return orMissing(id === null ? Promise.resolve(null) : readChanges(database, environment.projectId, id), "There is no such entry.");
    },
  ),
  /** The people, actions and subjects to filter by. */
  facets: forProject("Viewer", "costly", { tokens: "ofBothEnvironments" })(inProject, (_, { database, environment }) =>
    selectAuditFacets(database.sql, environment.projectId),
  ),
};

function idOf(text: string | null): number | null {
  if (text !== null && !/^\d{1,15}$/.test(text)) throw new ORPCError("BAD_REQUEST", { message: "There is no such entry in this list." });
  return text === null ? null : Number(text);
}
