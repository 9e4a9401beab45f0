import { execute, firstRow, firstValue, hasRow, type Sql, type Transaction } from "#db/client.ts";
import type { BacktestResult } from "#server/model/backtests/result.ts";
import { writeJson } from "#server/model/kernel/json.ts";

export type BacktestStatus = "Waiting" | "Running" | "Done" | "Failed" | "Cancelled";

/** A backtest without its result and its documents. Instants are real time, epoch milliseconds. */
export interface BacktestRow {
  id: string;
  kind: string;
  key: string;
  fingerprint: string;
  draftFingerprint: string | null;
  days: number;
  entry: string;
  sample: number;
  createdBy: string;
  createdAt: number;
  status: BacktestStatus;
  done: number;
  planned: number;
  finishedAt: number | null;
  error: string | null;
}

export type NewBacktest = Pick<
  BacktestRow,
  "kind" | "key" | "fingerprint" | "draftFingerprint" | "days" | "entry" | "sample" | "createdBy"
> & {
  document: string;
  along: string;
};

/** A backtest that this process runs while it holds the lease. */
export interface DueBacktest extends Pick<NewBacktest, "kind" | "document" | "along" | "days" | "entry" | "sample"> {
  id: string;
  environmentId: number;
  attempts: number;
  /** Never null for its holder. */
  lease: string | null;
}

const shown = (sql: Sql) => sql`
  id, kind, key, fingerprint, draft_fingerprint, days, entry, sample, created_by, created_at, status, done, planned, finished_at, error`;

/** Null if another backtest of the environment is waiting or running. */
export async function insertBacktest(tx: Transaction, environmentId: number, one: NewBacktest): Promise<string | null> {
  const { kind, key, document, along, fingerprint, draftFingerprint, days, entry, sample, createdBy } = one;
  return firstValue(tx<{ id: string }[]>`
    insert into backtests (environment_id, kind, key, document, along, fingerprint, draft_fingerprint, days, entry, sample, created_by)
    values (${environmentId}, ${kind}, ${key}, ${document}, ${along}, ${fingerprint}, ${draftFingerprint}, ${days}, ${entry}, ${sample}, ${createdBy})
    on conflict (environment_id) where status in ('Waiting', 'Running') do nothing
    returning id`);
}

/** Deletes an environment's oldest finished backtests beyond a number. */
export const keepNewest = (tx: Transaction, environmentId: number, most: number) =>
  execute(tx`
    delete from backtests where id in (
      select id from backtests where environment_id = ${environmentId} and status not in ('Waiting', 'Running')
      order by created_at desc, id offset ${most}::int)`);

/** The newest backtests of a definition, or of one draft of it. */
export const selectBacktests = (
  sql: Sql,
  environmentId: number,
  { kind, key, draftFingerprint }: { kind: string; key: string; draftFingerprint: string | null },
  limit: number,
): Promise<BacktestRow[]> =>
  sql<BacktestRow[]>`
    select ${shown(sql)} from backtests where environment_id = ${environmentId} and kind = ${kind} and key = ${key}
      and (${draftFingerprint}::text is null or draft_fingerprint = ${draftFingerprint}::text)
    order by created_at desc, id limit ${limit}::int`.execute();

export const selectBacktest = (sql: Sql, environmentId: number, id: string) =>
  firstRow(sql<(BacktestRow & { result: BacktestResult | null })[]>`
    select ${shown(sql)}, result from backtests where environment_id = ${environmentId} and id = ${id}::uuid`);

/** Ends a waiting backtest, or asks the process of a running one to end it. False if it is neither. */
export const cancelBacktest = (sql: Sql, environmentId: number, id: string) =>
  hasRow(sql<{ id: string }[]>`
    update backtests set is_cancelled = true,
      status = case when status = 'Waiting' then 'Cancelled' else status end,
      document = case when status = 'Waiting' then '' else document end,
      along = case when status = 'Waiting' then '[]' else along end,
      finished_at = case when status = 'Waiting' then now() end
    where environment_id = ${environmentId} and id = ${id}::uuid and status in ('Waiting', 'Running')
    returning id`);

/**
 * Leases a backtest that waits or whose lease has expired: of the organization for which the fewest ran in the last hour, then the one that
 * has waited longest. One customer with many projects delays the others by one backtest.
 */
export const takeDue = (sql: Sql, seconds: number) =>
  firstRow(sql<DueBacktest[]>`
    update backtests set status = 'Running', attempts = attempts + 1, lease = gen_random_uuid(),
      leased_until = now() + make_interval(secs => ${seconds}::float8), done = 0, planned = 0
    where id = (
      select b.id from backtests b join environments e on e.id = b.environment_id join projects p on p.id = e.project_id
      where b.status in ('Waiting', 'Running') and (b.leased_until is null or b.leased_until < now()) and p.archived_at is null
      order by (
        select count(*) from projects o join environments s on s.project_id = o.id join backtests r on r.environment_id = s.id
        where o.organization_id = p.organization_id and (r.finished_at > now() - interval '1 hour' or r.leased_until > now())
      ), b.created_at, b.id limit 1 for no key update of b skip locked)
    returning id, environment_id, kind, document, along, days, entry, sample, attempts, lease`);

/** Stores the progress and extends the lease; false if it was cancelled, or another process has taken it over. */
export const noteProgress = (
  sql: Sql,
  { id, lease }: Pick<DueBacktest, "id" | "lease">,
  { done, planned }: { done: number; planned: number },
  seconds: number,
) =>
  hasRow(sql<{ id: string }[]>`
    update backtests set done = ${done}::int, planned = ${planned}::int,
      leased_until = now() + make_interval(secs => ${seconds}::float8)
    where id = ${id}::uuid and lease = ${lease}::uuid and status = 'Running' and not is_cancelled
    returning id`);

/** Ends a backtest, unless another process has taken it over. */
export async function finishBacktest(
  sql: Sql,
  { id, lease }: Pick<DueBacktest, "id" | "lease">,
  outcome: { status: "Done"; result: BacktestResult } | { status: "Failed"; error: string } | { status: "Cancelled" },
): Promise<void> {
  const result = outcome.status === "Done" ? writeJson(outcome.result) : null;
  const error = outcome.status === "Failed" ? outcome.error : null;
  await sql`
    update backtests set status = ${outcome.status}, result = ${result}::text::json, error = ${error}, finished_at = now(),
      document = '', along = '[]', lease = null, leased_until = null, done = case when ${outcome.status}::text = 'Done' then planned else done end
    where id = ${id}::uuid and lease = ${lease}::uuid and status = 'Running'`;
}

/** Releases the lease, because the process stops or the database was unreachable; `isAttempt`: what was played counts as an attempt. */
export const releaseLease = (sql: Sql, { id, lease }: Pick<DueBacktest, "id" | "lease">, isAttempt: boolean) =>
  execute(sql`
    update backtests set status = 'Waiting', attempts = attempts - ${isAttempt ? 0 : 1}::int, lease = null, leased_until = null
    where id = ${id}::uuid and lease = ${lease}::uuid and status = 'Running'`);
