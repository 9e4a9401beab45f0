import microdiff from "microdiff";
import { type Database, transact } from "#db/client.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { DEFAULT_REQUEST_DAYS, type RetentionChoice } from "#server/model/kernel/kept-days.ts";
import { lockRetention, selectRetention, updateRetention } from "../store.ts";

export { forgetPurge } from "../store.ts";

/** How long an environment keeps its logs; `purgedBefore` is on its clock, epoch milliseconds. */
export async function readRetention({ sql }: Database, environmentId: number): Promise<RetentionChoice & { purgedBefore: number | null }> {
  const row = await selectRetention(sql, environmentId);
  return {
    eventDays: (row?.eventDays ?? null) as RetentionChoice["eventDays"],
    requestDays: (row?.requestDays ?? DEFAULT_REQUEST_DAYS) as RetentionChoice["requestDays"],
    purgedBefore: row?.purgedBefore ?? null,
  };
}

/** `mayDelete`: a person has agreed to a shorter time, which deletes. */
type RetentionChange = Partial<RetentionChoice> & { mayDelete?: boolean };

/**
 * Changes how long an environment keeps its logs, as far as `changed` says, with an audit log entry if that changes. Throws OperatorError if
 * the time is shorter than the stored one and `mayDelete` is not set: the screen may show an older choice, which was shorter still.
 */
export function changeRetention(
  database: Database,
  environment: Environment,
  { mayDelete = false, ...changed }: RetentionChange,
  actor: Actor,
) {
  const { id, kind, projectId } = environment;
  return transact(database, async (tx) => {
    const before = await lockRetention(tx, id);
    const keptRequests = before.requestDays ?? DEFAULT_REQUEST_DAYS;
    const { eventDays = before.eventDays, requestDays = keptRequests } = changed;
    const isShorter = (eventDays ?? Infinity) < (before.eventDays ?? Infinity) || requestDays < keptRequests;
    if (isShorter && !mayDelete) {
      throw new OperatorError("Another user chose a longer time meanwhile, so this would delete older data. Choose again.");
    }
    const difference = microdiff(
      { keepEventsDays: before.eventDays, keepRequestsDays: keptRequests },
      { keepEventsDays: eventDays, keepRequestsDays: requestDays },
    );
    if (difference.length === 0) return;
    await updateRetention(tx, id, { eventDays, requestDays });
    const about = { subjectKind: "environment", subjectKey: kind, difference };
    await recordChange(tx, { projectId, environmentId: id, actor, action: "update", ...about });
  });
}
