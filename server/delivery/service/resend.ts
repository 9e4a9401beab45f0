import microdiff from "microdiff";
import { entryIn } from "../../model/audit-log/entry.ts";
import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import type { Environment, Actor } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { formatted } from "../../model/kernel/thousands.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { MAX_COUNTED, RESENT } from "../../model/webhooks/outcome.ts";
import { countFailed, type FailedFilter, type FailedState, makeFailedDue } from "../store/resend.ts";
import { requireEndpoint } from "./endpoints.ts";

/** Failed deliveries to send again: of one endpoint or of all (null), whose last attempt failed from `since` to `until` (real time). */
export type Failures = Omit<FailedFilter, "events">;

/** Deliveries that were given up, and those that wait for their next attempt after a failed one; each up to MAX_COUNTED. */
export interface FailedCounts {
  failed: number;
  waiting: number;
}

/** Deliveries per transaction, and the duration of one call. */
const SLICE = 1_000;
const BUDGET_MS = 4_000;

/** How many deliveries `resendFailed` would send. Throws OperatorError. */
export async function countFailures({ sql }: Database, environment: Environment, failures: Failures): Promise<FailedCounts> {
  await mustKnow({ sql }, environment, failures);
  const filter = { ...failures, events: RESENT };
  const [failed, waiting] = await Promise.all([
    countFailed(sql, environment.id, filter, "Failed", MAX_COUNTED),
    countFailed(sql, environment.id, filter, "Waiting", MAX_COUNTED),
  ]);
  return { failed, waiting };
}

/**
 * Makes deliveries due that failed in that time, of endpoints that are on and events that may be resent; with `isWaiting` also those
 * waiting for their next attempt. It works in slices, each a transaction, for some seconds; `left` is the number that remains for another
 * call with the same input, up to MAX_COUNTED. New failures happen after `until`, so repeating a call sends nothing twice. The first slice
 * writes the audit entry. Throws OperatorError.
 */
export async function resendFailed(
  database: Database,
  environment: Environment,
  { isWaiting, ...failures }: Failures & { isWaiting: boolean },
  actor: Actor,
): Promise<{ resent: number; left: number }> {
  const counts = await countFailures(database, environment, failures);
  const total = isWaiting ? counts : { ...counts, waiting: 0 };
  const filter = { ...failures, events: RESENT };
  const states: FailedState[] = isWaiting ? ["Failed", "Waiting"] : ["Failed"];
  const deadline = performance.now() + BUDGET_MS;
  let resent = 0;
  for (const state of states) {
    for (let count = SLICE; count === SLICE && performance.now() < deadline;) {
      const isFirst = resent === 0;
      count = await transact(database, async (tx) => {
        const due = await makeFailedDue(tx, environment.id, filter, state, SLICE);
        const change = { action: "resend", subjectKind: "webhookDelivery", subjectKey: null, difference: differenceOf(failures, total) };
        if (isFirst && due > 0) await recordChange(tx, entryIn(environment, actor, change));
        return due;
      });
      resent += count;
    }
  }
  const { failed, waiting } = await countFailures(database, environment, failures);
  return { resent, left: isWaiting ? failed + waiting : failed };
}

const differenceOf = ({ endpointId, since, until }: Failures, { failed, waiting }: FailedCounts) =>
  microdiff(
    {},
    {
      deliveries: counted(failed + waiting),
      ...(waiting > 0 && { waiting: counted(waiting) }),
      failedSince: formatInstant(since),
      failedUntil: formatInstant(until),
      ...(endpointId !== null && { endpoint: endpointId }),
    },
  );

const counted = (count: number) => (count < MAX_COUNTED ? count : `${formatted(MAX_COUNTED)} or more`);

async function mustKnow({ sql }: Pick<Database, "sql">, environment: Environment, { endpointId, since, until }: Failures): Promise<void> {
  if (since > until) throw new OperatorError("The time lies in the future. Choose one in the past.");
  if (endpointId !== null) await requireEndpoint(sql, environment.id, endpointId);
}
