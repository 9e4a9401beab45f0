import { execute, firstRow, hasRow, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import type { Budget, ToldBudget } from "#server/model/alerts/budgets.ts";
import type { Text } from "#server/model/kernel/texts.ts";

export interface BudgetRow extends Budget, ToldBudget {
  id: string;
  /** The id of the definition. */
  subject: number;
  switchesOff: boolean;
  revision: number;
  /** The use at the last check, at `checkedAt` (real time), in the period `usedFor`; null before the first. */
  used: number | null;
  usedFor: string | null;
  checkedAt: number | null;
}

/** A budget with the key and name of its definition; null if that was deleted. */
export type ListedBudget = BudgetRow & { subjectKey: string | null; subjectName: Text | null };

const columns = (sql: Sql) => sql`
  b.id, b.kind, b.subject, b.measure, b.period, b.amount, b.switches_off, b.revision, b.told80_for, b.told100_for, b.used, b.used_for, b.checked_at`;

const listed = (sql: Sql) => sql`
  select ${columns(sql)}, d.key as subject_key, d.body -> 'name' as subject_name
  from budgets b left join definitions d on d.id = b.subject and d.environment_id = b.environment_id`;

/** The budgets of an environment, oldest first. */
export const selectBudgets = (sql: Sql, environmentId: number): Promise<ListedBudget[]> =>
  sql<ListedBudget[]>`
    ${listed(sql)} where b.environment_id = ${environmentId}::int order by b.created_at, b.id`.execute();

/** Locks a budget; null if the environment has none of this id. */
export const lockBudget = (tx: Transaction, environmentId: number, id: string) =>
  firstRow(tx<ListedBudget[]>`
    ${listed(tx)} where b.environment_id = ${environmentId}::int and b.id = ${id}::uuid for update of b`);

/** Locks the environment, so that no budget is added meanwhile, and returns the number of its budgets. */
export async function countBudgets(tx: Transaction, environmentId: number): Promise<number> {
  await tx`select from environments where id = ${environmentId}::int for no key update`;
  return onlyValue(tx<{ count: number }[]>`select count(*)::int as count from budgets where environment_id = ${environmentId}::int`);
}

export type StoredBudget = Budget & Pick<BudgetRow, "id" | "subject" | "switchesOff">;

/** Whether another budget has this definition, measure and period. */
export const hasOther = (tx: Transaction, environmentId: number, { id, kind, subject, measure, period }: StoredBudget) =>
  hasRow(tx`
    select from budgets where environment_id = ${environmentId}::int and kind = ${kind} and subject = ${subject}::int
      and measure = ${measure} and period = ${period} and id <> ${id}::uuid`);

/** Writes a new budget, or new settings of one, which notifies again. */
export async function upsertBudget(tx: Transaction, environmentId: number, budget: StoredBudget): Promise<void> {
  const { id, kind, subject, measure, period, amount, switchesOff } = budget;
  await tx`
    insert into budgets (id, environment_id, kind, subject, measure, period, amount, switches_off)
    values (${id}, ${environmentId}, ${kind}, ${subject}, ${measure}, ${period}, ${amount}::int8, ${switchesOff})
    on conflict (id) do update set kind = excluded.kind, subject = excluded.subject, measure = excluded.measure, period = excluded.period,
      amount = excluded.amount, switches_off = excluded.switches_off, revision = budgets.revision + 1, told80_for = null,
      told100_for = null, checked_at = null, used = null`;
}

export const deleteBudgetRow = (tx: Transaction, id: string) => execute(tx`delete from budgets where id = ${id}`);

/** A budget that this process checks. */
export type ClaimedBudget = BudgetRow & { environmentId: number };

/**
 * Claims budgets whose check is due, for one interval; those that switch off are due more often. Only one process checks a claimed budget.
 */
export const claimBudgets = (sql: Sql, everyMs: { switchesOff: number; tells: number }, limit: number): Promise<ClaimedBudget[]> =>
  sql<ClaimedBudget[]>`
    update budgets b set checked_at = clock_timestamp() from (
      select b.id from budgets b
      join environments e on e.id = b.environment_id join projects p on p.id = e.project_id and p.archived_at is null
      where b.checked_at is null or b.checked_at <= clock_timestamp()
        - case when b.switches_off then ${everyMs.switchesOff}::float8 else ${everyMs.tells}::float8 end * interval '1 ms'
      order by b.checked_at nulls first limit ${limit} for update of b skip locked
    ) due where b.id = due.id returning b.environment_id, ${columns(sql)}`.execute();

/** Stores the use of a budget, if its settings are unchanged since they were read. */
export const writeUsed = (sql: Sql, { id, revision }: Pick<BudgetRow, "id" | "revision">, used: number, period: string) =>
  execute(sql`update budgets set used = ${used}::int8, used_for = ${period} where id = ${id} and revision = ${revision}::int`);

export const markTold = (tx: Transaction, id: string, percent: 80 | 100, period: string) =>
  execute(tx`
    update budgets set told80_for = ${period}, told100_for = case when ${percent === 100} then ${period} else told100_for end where id = ${id}`);

/**
 * After a reset nothing is used, and every notice may be sent again: notices are kept, so only another revision makes another one. A check
 * that read the use before the reset finds it too, and does nothing.
 */
export const forgetBudgets = (tx: Transaction, environmentId: number) =>
  execute(tx`
    update budgets set revision = revision + 1, told80_for = null, told100_for = null, used = null, checked_at = null
    where environment_id = ${environmentId}::int`);
