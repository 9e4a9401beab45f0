import { z } from "zod";
import { cursor, environmentKind, forProject, inProject, instantText } from "../../model/contract/rpc.ts";

/** The values before and after, as JSON text; null for an absent one. */
const changes = z.array(z.object({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() }));

const auditEntry = z.object({
  id: z.string(),
  at: instantText,
  /** The person's address as it was then, or what else acted. */
  actor: z.string(),
  /** The name of the token that spoke for them; null where they were signed in. */
  token: z.string().nullable(),
  /** Null for what belongs to the whole project. */
  environment: environmentKind.nullable(),
  action: z.string(),
  subjectKind: z.string(),
  subjectKey: z.string().nullable(),
  changes,
  /** Whether these are too long for a list: it leaves them out, and `auditLog.changes` tells them. */
  isLong: z.boolean(),
  /** Of a promotion or an import: how many changes it made, by their action. Each is an entry of its own. Null for any other. */
  parts: z.record(z.string(), z.number()).nullable(),
  /** The promotion or the import that it is a part of, by its id and action. */
  partOf: z.object({ id: z.string(), action: z.string() }).nullable(),
});

export const auditFilter = z.object({
  actor: z.string().nullable().default(null),
  action: z.string().nullable().default(null),
  subjectKind: z.string().nullable().default(null),
  subjectKey: z.string().nullable().default(null),
  /** "project": what belongs to no environment. */
  environment: z
    .enum([...environmentKind.options, "project"])
    .nullable()
    .default(null),
  /** From this instant, and up to but without that one. */
  from: instantText.nullable().default(null),
  until: instantText.nullable().default(null),
  /** The parts of this entry alone. */
  partOf: z.string().nullable().default(null),
  /**
   * Whether the parts of promotions and imports are entries of the list. Folded they are not, unless an action or a subject is looked
   * for: that may be a part's.
   */
  parts: z.enum(["folded", "listed"]).default("folded"),
});

/** The log of changes: the person, the change and the time. */
export const auditLogDashboard = {
  /** The newest first. */
  list: forProject("Viewer", { tokens: "ofBothEnvironments" })
    .input(inProject.extend({ ...auditFilter.shape, cursor, take: z.int().min(1).max(500).default(50) }))
    .output(z.object({ entries: z.array(auditEntry), next: z.string().nullable() })),
  /** What one entry changed, by its id. Over some megabytes nothing of it is told, and it is cut. */
  changes: forProject("Viewer", { tokens: "ofBothEnvironments" })
    .input(inProject.extend({ id: z.string().max(40) }))
    .output(z.object({ changes, isCut: z.boolean() })),
  /** The people, actions and subjects to filter by. */
  facets: forProject("Viewer", { tokens: "ofBothEnvironments" })
    .input(inProject)
    .output(z.object({ actors: z.array(z.string()), actions: z.array(z.string()), subjectKinds: z.array(z.string()) })),
};
