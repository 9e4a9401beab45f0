import type { AuditEntry } from "#server/model/audit-log/entry.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { Actor } from "#server/model/kernel/roles.ts";

/** A line of the audit log about a player. `facts` are named values; a pair is a value before and after. */
export const playerEntry = (
  { id, projectId }: Environment,
  actor: Actor,
  action: string,
  externalId: string,
  facts: Record<string, string | number | null | { before: string | null; after: string | null }>,
): AuditEntry => ({
  projectId,
  environmentId: id,
  actor,
  action,
  subjectKind: "player",
  subjectKey: externalId,
  difference: Object.entries(facts).map(([name, value]) =>
    typeof value === "object" && value !== null
      ? { type: "CHANGE", path: [name], oldValue: value.before, value: value.after }
      : { type: "CREATE", path: [name], value },
  ),
});
