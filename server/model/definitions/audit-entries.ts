import type { Difference as FieldChange } from "microdiff";
import { type AuditEntry, entryIn } from "../audit-log/entry.ts";
import type { Environment, Actor } from "../kernel/environment.ts";
import { differencesIn, type Difference } from "./difference.ts";
import type { planDiscovery } from "./discovery.ts";
import type { Change, Plan } from "./plan.ts";
import { SETTINGS, type StoredDefinitions } from "./stored.ts";
import type { Author } from "./versions.ts";

export const DISCOVERY: Actor = { userId: null, name: "discovery" };

/** The `difference` of a whole definition has an empty path. */
type Subject = Pick<AuditEntry, "action" | "subjectKind" | "subjectKey"> & { difference: FieldChange[] };

/** Origins whose changes are parts of one audit entry; the log uses the same names. */
const WHOLE_ORIGINS: ReadonlySet<Author["via"]> = new Set<Author["via"]>(["promote", "import", "import_translations", "repair_language"]);

/** The audit entry of a promotion or an import, whose changes are parts of it; null for any other origin. */
export const wholeEntry = ({ id, projectId }: Environment, { actor, via }: Author) =>
  WHOLE_ORIGINS.has(via) ? { projectId, environmentId: id, actor, action: via, subjectKind: "definitions" } : null;

export function auditEntries(environment: Environment, { actor, via }: Author, { changes, additions }: Plan): AuditEntry[] {
  const bodies = new Map(additions.map(({ kind, key, active, body }) => [`${kind}/${key}`, { active, ...(body as object) }]));
  return changes.map((change) => {
    const { kind, key } = change;
    const created = bodies.get(`${kind}/${key}`);
    return entryIn(environment, actor, {
      action: kind === SETTINGS.kind ? "update" : ORIGINS_WITH_ACTION.has(via) ? via : actionOf(change),
      subjectKind: kind,
      subjectKey: kind === SETTINGS.kind ? null : key,
      difference: change.differences?.map(fieldChangeOf) ?? (created === undefined ? switchedOff : [creation(created)]),
    });
  });
}

const switchedOff: FieldChange[] = [{ type: "CHANGE", path: ["active"], oldValue: true, value: false }];

const creation = (value: unknown): FieldChange => ({ type: "CREATE", path: [], value });

const ORIGINS_WITH_ACTION: ReadonlySet<string> = new Set<Author["via"]>(["restore", "start_over", "scheduled"]);

/** Switching on or off is a separate action, since users search for it. */
function actionOf({ sign, fields = [], differences = [] }: Change): string {
  if (sign === "+") return "create";
  if (sign === "-") return "switch_off";
  if (fields.length > 1 || fields[0] !== "active") return "update";
  return differences[0]?.after === false ? "switch_off" : "switch_on";
}

function fieldChangeOf({ path, before, after }: Difference): FieldChange {
  if (before === undefined) return { type: "CREATE", path: [...path], value: after };
  if (after === undefined) return { type: "REMOVE", path: [...path], oldValue: before };
  return { type: "CHANGE", path: [...path], value: after, oldValue: before };
}

/** Audit entries of a discovery: new definitions, and events with new properties. */
export function discoveryEntries(
  environment: Environment,
  { additions, updates }: ReturnType<typeof planDiscovery>,
  { lists }: StoredDefinitions,
): AuditEntry[] {
  const widened = updates.map(({ id, body }): Subject => {
    const event = lists.events.find((one) => one.id === id);
    return {
      action: "update",
      subjectKind: "events",
      subjectKey: event?.shaped.key ?? null,
      difference: differencesIn(["properties"], event?.shaped ?? {}, body as object).map(fieldChangeOf),
    };
  });
  const added = additions.map(({ kind, key, active, body }): Subject => ({
    action: "create",
    subjectKind: kind,
    subjectKey: key,
    difference: [creation({ active, ...(body as object) })],
  }));
  return [...added, ...widened].map((subject) => entryIn(environment, DISCOVERY, subject));
}

export const deletedEntry = (environment: Environment, actor: Actor, kind: string, key: string, document: unknown): AuditEntry =>
  entryIn(environment, actor, {
    action: "delete",
    subjectKind: kind,
    subjectKey: key,
    difference: [{ type: "REMOVE", path: [], oldValue: document }],
  });
