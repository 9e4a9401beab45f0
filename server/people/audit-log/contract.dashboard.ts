import { z } from "zod";
import { cursor, environmentKind, forProject, inProject, instantText } from "../../model/contract/rpc.ts";

/** The values before and after, as JSON text; null for an absent one. */
const changes = z.array(z.object({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() }));

const auditEntry = z.object({
  id: z.string(),
  at: instantText,
  /** The person's address at that time, or the name of a non-human actor. */
  actor: z.string(),
  /** The name of the token that was used; null for a session. */
  token: z.string().nullable(),
  /** Null for entries about the whole project. */
  environment: environmentKind.nullable(),
  action: z.string(),
  subjectKind: z.string(),
  subjectKey: z.string().nullable(),
  changes,
  /** Whether the changes are too long for a list: then they are left out here, and `auditLog.changes` returns them. */
  isLong: z.boolean(),
  /** For a promotion or import: its changes counted by action; each has an entry of its own. Otherwise null. */
  parts: z.record(z.string(), z.number()).nullable(),
  /** The promotion or import that this change is part of, by id and action. */
  partOf: z.object({ id: z.string(), action: z.string() }).nullable(),
});

export const auditFilter = z.object({
  actor: z.string().nullable().default(null),
  action: z.string().nullable().default(null),
  subjectKind: z.string().nullable().default(null),
  subjectKey: z.string().nullable().default(null),
  /** "project": entries that belong to no environment. */
  environment: z
    .enum([...environmentKind.options, "project"])
    .nullable()
    .default(null),
  /** From `from` (inclusive) to `until` (exclusive). */
  from: instantText.nullable().default(null),
  until: instantText.nullable().default(null),
  /** Only the parts of this entry. */
  partOf: z.string().nullable().default(null),
  /**
   * Whether the list shows the parts of promotions and imports. "folded" hides them, unless the list is filtered by action or subject,
   * which a part may match.
   */
  parts: z.enum(["folded", "listed"]).default("folded"),
});

/** The log of changes: the person, the change and the time. */
export const auditLogDashboard = {
  /** The newest first. */
  list: forProject("Viewer", { tokens: "ofBothEnvironments" })
    .input(inProject.extend({ ...auditFilter.shape, cursor, take: z.int().min(1).max(500).default(50) }))
    .output(z.object({ entries: z.array(auditEntry), next: z.string().nullable() })),
  /** The changes of one entry, by its id. Above some megabytes they are left out and marked as cut. */
  changes: forProject("Viewer", { tokens: "ofBothEnvironments" })
    .input(inProject.extend({ id: z.string().max(40) }))
    .output(z.object({ changes, isCut: z.boolean() })),
  /** The people, actions and subjects to filter by. */
  facets: forProject("Viewer", { tokens: "ofBothEnvironments" })
    .input(inProject)
    .output(z.object({ actors: z.array(z.string()), actions: z.array(z.string()), subjectKinds: z.array(z.string()) })),
};
