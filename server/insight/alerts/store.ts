import { execute, firstRow, firstValue, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import type { AlertRule } from "#server/model/alerts/judge.ts";
import type { Text } from "#server/model/kernel/texts.ts";

export interface AlertRow extends AlertRule {
  id: string;
  name: string;
  /** The definition; null for all. */
  kind: string | null;
  subject: number | null;
  isOn: boolean;
  revision: number;
  breaches: number;
  /** Real time, epoch milliseconds. */
  breachedAt: number | null;
  checkedAt: number | null;
  value: number | null;
  bound: number | null;
}

/** An alert with the key and name of its definition; null if it has none, or that was deleted. */
export type ListedAlert = AlertRow & { subjectKey: string | null; subjectName: Text | null };

/** The alerts of an environment, oldest first. */
export const selectAlerts = (sql: Sql, environmentId: number): Promise<ListedAlert[]> =>
  sql<ListedAlert[]>`
    select a.id, a.name, a.figure, a.kind, a.subject, a.comparison, a.basis, a.threshold, a.hours, a.is_on, a.revision, a.breaches,
      a.breached_at, a.checked_at, a.value, a.bound, d.key as subject_key, d.body -> 'name' as subject_name
    from alerts a left join definitions d on d.id = a.subject and d.environment_id = a.environment_id
    where a.environment_id = ${environmentId}::int order by a.created_at, a.id`.execute();

/** Locks an alert; null if the environment has none of this id. */
export const lockAlert = (tx: Transaction, environmentId: number, id: string) =>
  firstRow(tx<(AlertRow & { subjectKey: string | null })[]>`
    select id, name, figure, kind, subject, comparison, basis, threshold, hours, is_on, revision, breaches, breached_at, checked_at, value, bound,
      (select d.key from definitions d where d.id = alerts.subject and d.environment_id = alerts.environment_id) as subject_key
    from alerts where environment_id = ${environmentId}::int and id = ${id}::uuid for update`);

/** Locks the environment, so that no alert is added meanwhile, and returns the number of its alerts. */
export async function countAlerts(tx: Transaction, environmentId: number): Promise<number> {
  await tx`select from environments where id = ${environmentId}::int for no key update`;
  return onlyValue(tx<{ count: number }[]>`select count(*)::int as count from alerts where environment_id = ${environmentId}::int`);
}

export type StoredAlert = AlertRule & Pick<AlertRow, "id" | "name" | "kind" | "subject">;

/** Writes a new alert, or new settings of one, which ends a running breach. */
export async function upsertAlert(tx: Transaction, environmentId: number, alert: StoredAlert): Promise<void> {
  const { id, name, figure, kind, subject, comparison, basis, threshold, hours } = alert;
  await tx`
    insert into alerts (id, environment_id, name, figure, kind, subject, comparison, basis, threshold, hours)
    values (${id}, ${environmentId}, ${name}, ${figure}, ${kind}, ${subject}, ${comparison}, ${basis}, ${threshold}::float8, ${hours})
    on conflict (id) do update set name = excluded.name, figure = excluded.figure, kind = excluded.kind, subject = excluded.subject,
      comparison = excluded.comparison, basis = excluded.basis, threshold = excluded.threshold, hours = excluded.hours,
      revision = alerts.revision + 1, breached_at = null, checked_at = null, value = null, bound = null`;
}

export const switchAlertRow = (tx: Transaction, id: string, isOn: boolean) =>
  execute(tx`
    update alerts set is_on = ${isOn}, breached_at = null, checked_at = null, value = null, bound = null
    where id = ${id}`);

export const deleteAlertRow = (tx: Transaction, id: string) => execute(tx`delete from alerts where id = ${id}`);

/** The id of a definition; null if there is none. */
export const selectDefinitionId = (sql: Sql, environmentId: number, kind: string, key: string) =>
  firstValue(sql<{ id: number }[]>`
    select id from definitions where environment_id = ${environmentId}::int and kind = ${kind} and key = ${key}`);

/** An alert that this process checks. `checkedAt` identifies the claim. */
export type ClaimedAlert = Pick<AlertRow, "id" | "subject"> & AlertRule & { environmentId: number; checkedAt: number };

/** Claims alerts whose check is due, for one interval. Only one process checks a claimed alert. */
export const claimAlerts = (sql: Sql, everyMs: number, limit: number): Promise<ClaimedAlert[]> =>
  sql<ClaimedAlert[]>`
    update alerts a set checked_at = clock_timestamp() from (
      select a.id from alerts a
      join environments e on e.id = a.environment_id join projects p on p.id = e.project_id and p.archived_at is null
      where a.is_on and (a.checked_at is null or a.checked_at <= clock_timestamp() - ${everyMs}::float8 * interval '1 ms')
      order by a.checked_at nulls first limit ${limit} for update of a skip locked
    ) due where a.id = due.id
    returning a.id, a.environment_id, a.figure, a.subject, a.comparison, a.basis, a.threshold, a.hours, a.checked_at`.execute();

/** The present alert, locked; null if it was changed or switched since its claim, or claimed again. */
export const lockJudged = (tx: Transaction, { id, checkedAt }: Pick<ClaimedAlert, "id" | "checkedAt">) =>
  firstRow(tx<{ breaches: number; isBreached: boolean; name: string; subjectKey: string | null }[]>`
    select a.breaches, a.breached_at is not null as is_breached, a.name,
      (select d.key from definitions d where d.id = a.subject and d.environment_id = a.environment_id) as subject_key
    from alerts a where a.id = ${id} and a.checked_at = ${checkedAt} for update of a`);

/** Stores the result of a check. A new breach is counted; a running one may end. */
export const writeJudged = (
  tx: Transaction,
  id: string,
  { isBreach, value, bound }: { isBreach: boolean; value: number | null; bound: number | null },
) =>
  execute(tx`
    update alerts set value = ${value}::float8, bound = ${bound}::float8,
      breaches = breaches + case when ${isBreach} and breached_at is null then 1 else 0 end,
      breached_at = case when ${isBreach} then coalesce(breached_at, now()) end
    where id = ${id}`);
