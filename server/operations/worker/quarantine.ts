import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import type { Actor } from "../../model/kernel/roles.ts";
import { requeueFacts } from "./store/quarantine.ts";

/**
 * Requeues quarantined facts at their positions: these, or all of them (null). Facts that fail again return with the new error. Returns the
 * number. Throws OperatorError if there are none.
 */
export const retryQuarantined = (
  database: Database,
  { id, projectId }: Environment,
  seqs: readonly number[] | null,
  actor: Actor,
): Promise<number> =>
  transact(database, async (tx) => {
    const count = await requeueFacts(tx, id, seqs);
    if (count === 0) throw new OperatorError("There is nothing to retry; somebody may have done so already.");
    const subjectKey = seqs?.length === 1 ? String(seqs[0]) : null;
    const difference = [{ type: "REMOVE", path: ["quarantined"], oldValue: count }];
    const entry = { projectId, environmentId: id, actor, action: "retry", subjectKind: "quarantinedFact", subjectKey, difference };
    await recordChange(tx, entry);
    return count;
  });
