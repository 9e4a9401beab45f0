import type { Database, Sql } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { parseJsonInSteps } from "#server/model/kernel/json.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { inTurns } from "#server/engine/turns.ts";
import { differencesIn, type Difference, partsIn } from "#server/model/definitions/difference.ts";
import type { Kind } from "#server/model/definitions/kinds.ts";
import { documentOfOne, storedAt, titleOf } from "#server/model/definitions/overview.ts";
import { type ChangeFailure, refusalReason } from "#server/model/definitions/change-failure.ts";
import { type ScheduledRow, selectFailed, selectNext, selectScheduled } from "../store/scheduled.ts";
import { changedMembers } from "#server/model/definitions/versions.ts";
import { overviewIn } from "./overviews.ts";

/** A pending or failed change. `at` is on the environment's clock, other instants are real time. */
export interface ScheduledShown extends Pick<ScheduledRow, "id" | "kind" | "key" | "token"> {
  /** The definition's present name; its key if it is gone. */
  name: string;
  at: string;
  createdAt: string;
  by: string;
  /** The changes that it would make now; only included for a single definition. */
  differences: Difference[];
  parts: Difference[];
  failure: (ChangeFailure & { at: string }) | null;
}

/** An environment's changes, the first due first; for a single definition with their differences. */
export async function listScheduled(
  database: Database,
  environment: Environment,
  which: { kind: Kind; key: string } | null,
): Promise<ScheduledShown[]> {
  const rows = await selectScheduled(database.sql, environment.id, which);
  if (rows.length === 0) return [];
  const overview = await overviewIn(database, environment);
  const shown: ScheduledShown[] = [];
  for (const { id, kind, key, document, dueAt, createdAt, actor, token, failedAt, failure } of rows) {
    const stored = storedAt(overview, kind, key);
    const before = stored === undefined ? {} : documentOfOne(stored);
    const after = document === null ? before : ((await inTurns(parseJsonInSteps(document))) as object);
    const differences = differencesIn(changedMembers(before, after), before, after);
    shown.push({
      id,
      kind,
      key,
      token,
      by: actor,
      name: stored === undefined ? key : titleOf(stored.shaped, environment.defaultLanguage),
      at: formatInstant(dueAt),
      createdAt: formatInstant(createdAt),
      differences,
      parts: partsIn(differences, before, after),
      failure: failure === null || failedAt === null ? null : { ...briefly(failure, which === null), at: formatInstant(failedAt) },
    });
  }
  return shown;
}

const MAX_PROBLEMS_IN_LIST = 3;
const MAX_MESSAGE_IN_LIST = 300;

/** In the list of all, where a thousand may have failed, only the first problems are included. */
function briefly({ problems, error, ...failure }: ChangeFailure, isInList: boolean): ChangeFailure {
  if (!isInList) return { ...failure, problems, error };
  const cut = (text: string) => text.slice(0, MAX_MESSAGE_IN_LIST).toWellFormed();
  const first = problems.slice(0, MAX_PROBLEMS_IN_LIST).map((one) => ({ ...one, message: cut(one.message), pointer: cut(one.pointer) }));
  return { ...failure, problems: first, error: error && cut(error) };
}

/** The next due change of each definition of a kind, by key (RFC 3339, the environment's clock). */
export async function nextScheduled(sql: Sql, environmentId: number, kind: Kind): Promise<Map<string, string>> {
  const rows = await selectNext(sql, environmentId, kind);
  return new Map(rows.flatMap(({ key, dueAt }) => (dueAt === null ? [] : [[key, formatInstant(dueAt)]])));
}

/** Failed changes, with the reason in a sentence; the first due first. */
export async function failedSchedules(sql: Sql, environmentId: number) {
  const rows = await selectFailed(sql, environmentId);
  return rows.flatMap(({ dueAt, failure, ...one }) =>
    failure === null ? [] : [{ ...one, at: formatInstant(dueAt), reason: refusalReason(failure) }],
  );
}
