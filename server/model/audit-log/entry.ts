import { z } from "zod";
import { environmentKind, instantText } from "../contract/rpc.ts";
import type { Environment, Actor } from "../kernel/environment.ts";
import { writeJson } from "../kernel/json.ts";
import { isJsonObject } from "../kernel/values.ts";

/** An entry of the audit log. `difference` is any JSON value, or null. */
export interface AuditEntry {
  projectId: string;
  /** Null for changes to the whole project. */
  environmentId: number | null;
  actor: Actor;
  action: string;
  subjectKind: string;
  subjectKey: string | null;
  difference: unknown;
  /** The idempotency key of a change made by a button, a UUID; a second entry with it is a duplicate (`isDuplicate`). */
  requestId?: string;
}

export const entryIn = <Change extends Omit<AuditEntry, "projectId" | "environmentId" | "actor">>(
  { id, projectId }: Pick<Environment, "id" | "projectId">,
  actor: Actor,
  change: Change,
) => ({ projectId, environmentId: id, actor, ...change });

/** The entry of an action with many changes, such as a promotion; the changes have entries of their own that are part of it. */
export type WholeEntry = Omit<AuditEntry, "difference" | "subjectKey" | "requestId">;

/** One changed path, with its values as JSON text; null for an absent one. */
export interface ShownChange {
  /** "rewards / 0 / value" */
  path: string;
  before: string | null;
  after: string | null;
}

/**
 * The `difference` of an entry for display: microdiff's list (`path`, `oldValue`, `value`) or one with `before` and `after`. Any other
 * form is shown as it is.
 */
export function changesOf(difference: unknown): ShownChange[] {
  if (difference === null || difference === undefined) return [];
  const fields: unknown[] = Array.isArray(difference) ? difference : [difference];
  return fields.map((field) => {
    if (!isJsonObject(field) || !Array.isArray(field.path)) return { path: "", before: null, after: writeJson(field) };
    return {
      path: field.path.map(String).join(" / "),
      before: textOf(field, "oldValue") ?? textOf(field, "before"),
      after: textOf(field, "value") ?? textOf(field, "after"),
    };
  });
}

const textOf = (field: Record<string, unknown>, member: string): string | null =>
  field[member] === undefined || field[member] === null ? null : writeJson(field[member]);

/** A filter of the log; null matches everything. */
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

export type AuditQuery = z.output<typeof auditFilter>;
