import microdiff from "microdiff";
import { entryIn } from "../audit-log/entry.ts";
import type { Environment, Actor } from "../kernel/environment.ts";
import { formatInstant } from "../kernel/time.ts";

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
