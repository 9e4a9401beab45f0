import type { Actor } from "../kernel/roles.ts";

/** One line of the audit log. `difference` is JSON, or null. */
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

/** The entry of something that made many changes at once, such as a promotion; each of them is an entry that is part of it. */
export type WholeEntry = Omit<AuditEntry, "difference" | "subjectKey" | "requestId">;
