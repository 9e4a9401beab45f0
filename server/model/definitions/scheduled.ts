import microdiff from "microdiff";
import { entryIn } from "../audit-log/entry.ts";
import type { Environment } from "../kernel/environment.ts";
import type { Actor } from "../kernel/roles.ts";
import { formatInstant } from "../kernel/time.ts";
import type { DefinitionProblem } from "./problems.ts";

/** Why a scheduled change could not be saved: the definition was changed since, it has problems by now, or the service failed. */
export interface ScheduleFailure {
  /** The author of the other change, and when (RFC 3339, real time); null if unknown. */
  conflict: { by: string | null; at: string | null } | null;
  problems: Omit<DefinitionProblem, "params">[];
  error: string | null;
}

/** Pending changes of one environment; limits the damage of a faulty script. */
export const MAX_SCHEDULED = 1_000;

interface Change {
  kind: string;
  key: string;
  dueAt: number;
}

/** The audit entries of a change that is scheduled, cancelled or could not be saved. */
export const scheduleEntry = (
  environment: Environment,
  actor: Actor,
  action: "schedule" | "cancel_schedule" | "schedule_failed",
  { kind, key, dueAt }: Change,
  reason?: string,
) => {
  const time = { appliesAt: formatInstant(dueAt) };
  const difference =
    action === "cancel_schedule" ? microdiff(time, {}) : microdiff({}, { ...time, ...(reason !== undefined && { reason }) });
  return entryIn(environment, actor, { action, subjectKind: kind, subjectKey: key, difference });
};

/** The reason in a sentence. */
export function refusalReason({ conflict, problems, error }: ScheduleFailure, was: "scheduled" | "requested" = "scheduled"): string {
  if (conflict !== null) return `${conflict.by ?? "Another user"} changed the definition after this was ${was}.`;
  return problems.length > 0 ? problems.map(({ message }) => message).join("; ") : (error ?? "It could not be saved.");
}
