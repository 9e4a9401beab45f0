import type { PeriodStep } from "#db/schema/leaderboards.ts";
import { allValues, execute, firstValue, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import type { Prize } from "../../model/definitions/compiled.ts";
import type { ScorePeriod } from "../../model/rules/effects.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { untilSeenEverywhere } from "./locks.ts";

export type { PeriodStep };

/** An existing or future period. Instants are epoch milliseconds on the environment's clock. */
export interface NewPeriod extends ScorePeriod {
  leaderboardId: number;
  settlesAt: number | null;
  dueAt: number | null;
}

export interface PeriodRow extends NewPeriod {
  id: number;
  environmentId: number;
  step: PeriodStep;
  cursor: unknown;
  seats: number[];
  prizes: readonly Prize[] | null;
  participants: number | null;
  settledAt: number | null;
}

const COLUMNS = `p.id, p.environment_id, p.leaderboard_id, p.start, p.number, p.starts_at, p.ends_at, p.settles_at, p.step, p.due_at,
  p.cursor, p.seats, p.prizes, p.participants, p.settled_at`;

/** Whether a period still accepts scores: it is not frozen for settling yet. */
export const takesScores = ({ step }: Pick<PeriodRow, "step">): boolean => step === "Open" || step === "Carrying" || step === "Ended";

export type PeriodState = Pick<PeriodRow, "id" | "leaderboardId" | "start" | "step">;

/** These periods; missing ones are created, each with a single initial range. */
export async function ensurePeriods(tx: Transaction, environmentId: number, wanted: readonly NewPeriod[]): Promise<PeriodState[]> {
  const known = await findPeriods(tx, wanted);
  if (known.length === wanted.length) return known;
  await tx`
    with added as (
      insert into leaderboard_periods (environment_id, leaderboard_id, start, number, starts_at, ends_at, settles_at, due_at)
      select ${environmentId}::int, "leaderboardId", start, number, to_timestamp("startsAt" / 1000),
        to_timestamp("endsAt" / 1000), to_timestamp("settlesAt" / 1000), to_timestamp("dueAt" / 1000)
      from json_to_recordset(${writeJson(wanted)}::text::json)
        as r("leaderboardId" int, "start" text, "number" int, "startsAt" float8, "endsAt" float8, "settlesAt" float8, "dueAt" float8)
      order by "leaderboardId", start
      on conflict do nothing
      returning id
    )
    insert into leaderboard_blocks (period_id, block) select id, 0 from added`;
  return findPeriods(tx, wanted);
}

const findPeriods = (tx: Transaction, wanted: readonly NewPeriod[]): Promise<PeriodState[]> =>
  tx<PeriodState[]>`
    select p.id, p.leaderboard_id, p.start, p.step
    from json_to_recordset(${writeJson(wanted.map(({ leaderboardId, start }) => ({ leaderboardId, start })))}::text::json) as w("leaderboardId" int, "start" text)
    join leaderboard_periods p on p.leaderboard_id = w."leaderboardId" and p.start = w.start`.execute();

/** The periods of an environment that are not settled, in the order in which they end. */
export const unsettledPeriods = (sql: Sql, environmentId: number): Promise<PeriodRow[]> =>
  sql.unsafe<PeriodRow[]>(
    `select ${COLUMNS} from leaderboard_periods p where p.environment_id = $1 and p.step <> 'Settled' order by p.ends_at, p.leaderboard_id`,
    [environmentId],
    { prepare: true },
  );

/** The periods with a step due at `now`. */
export const duePeriods = (sql: Sql, environmentId: number, now: number): Promise<PeriodRow[]> =>
  sql.unsafe<PeriodRow[]>(
    `select ${COLUMNS} from leaderboard_periods p where p.environment_id = $1 and p.step <> 'Settled' and p.due_at <= $2::timestamptz
     order by p.ends_at, p.leaderboard_id`,
    [environmentId, now],
    { prepare: true },
  );

/** Whether an earlier period of the leaderboard is not settled yet. */
export const hasUnsettledBefore = (tx: Transaction, leaderboardId: number, number: number) =>
  onlyValue(tx<{ has: boolean }[]>`
    select exists (select from leaderboard_periods where leaderboard_id = ${leaderboardId} and number < ${number} and step <> 'Settled') as has`);

const SETTLING_LOCK = 8;

/**
 * A period, locked for this transaction; null if it has moved to another step, or if another transaction has a period of its leaderboard.
 * An advisory lock of the leaderboard ensures the latter. It is held until the transaction has ended on all machines: for a moment after
 * its commit here, others read the period's new step, but not yet the seats, outcomes and tiers that it wrote there. A crash ends the lock,
 * so the step also waits until these rows are visible.
 */
export async function takePeriod(
  tx: Transaction,
  { id, leaderboardId, step }: Pick<PeriodRow, "id" | "leaderboardId" | "step">,
): Promise<PeriodRow | null> {
  const [lock] = await tx<{ isOurs: boolean }[]>`
    select pg_try_advisory_xact_lock(${SETTLING_LOCK}::int, ${leaderboardId}::int) as is_ours`;
  if (!lock!.isOurs || !(await untilSeenEverywhere(tx))) return null;
  const [row] = await tx.unsafe<PeriodRow[]>(
    `select ${COLUMNS} from leaderboard_periods p where p.id = $1 and p.step = $2 for no key update skip locked`,
    [id, step],
    { prepare: true },
  );
  return row ?? null;
}

/** The state that a step stores. `dueAt` null: no further step is scheduled. */
export interface PeriodProgress {
  step: PeriodStep;
  dueAt: number | null;
  cursor?: unknown;
  prizes?: readonly Prize[];
  settledAt?: number;
  /** Facts from this position on do not count, nor do those in quarantine now. */
  frozenSeq?: number;
  participants?: number;
}

export async function savePeriod(tx: Transaction, id: number, progress: PeriodProgress): Promise<void> {
  const { step, dueAt, cursor = null, prizes, settledAt, frozenSeq, participants } = progress;
  await tx`
    update leaderboard_periods set step = ${step}, due_at = ${dueAt}, cursor = ${cursor === null ? null : writeJson(cursor)}::text::json,
      prizes = coalesce(${prizes === undefined ? null : writeJson(prizes)}::text::json, prizes),
      settled_at = coalesce(${settledAt ?? null}, settled_at), frozen_seq = coalesce(${frozenSeq ?? null}::bigint, frozen_seq),
      left_out = case when ${frozenSeq ?? null}::bigint is null then left_out
        else (select array_agg(q.seq) from quarantined_facts q where q.environment_id = leaderboard_periods.environment_id) end,
      participants = coalesce(${participants ?? null}::int, participants)
    where id = ${id}`;
}

/** Reschedules a period. The caller must only change `settlesAt` and `dueAt` of a period that has ended. */
export const planPeriod = (
  tx: Transaction,
  id: number,
  { startsAt, endsAt, settlesAt, dueAt }: Pick<PeriodRow, "startsAt" | "endsAt" | "settlesAt" | "dueAt">,
) =>
  execute(tx`
    update leaderboard_periods set starts_at = ${startsAt}, ends_at = ${endsAt}, settles_at = ${settlesAt}, due_at = ${dueAt}
    where id = ${id}`);

/** The number of ranked rows in a period. */
export const countParticipants = (sql: Sql, periodId: number) =>
  onlyValue(sql<{ count: number }[]>`select coalesce(sum(total), 0)::int as count from leaderboard_counts where period_id = ${periodId}`);

/** The environments with a period due on their clocks; in Live, due for at least `graceMs` milliseconds. */
export const environmentsWithDuePeriods = (sql: Sql, graceMs: number) =>
  allValues(sql<{ id: number }[]>`
    select e.id from environments e where exists (
      select from leaderboard_periods p
      where p.environment_id = e.id and p.step <> 'Settled'
        and p.due_at <= now() + (e.clock_offset_ms - ${graceMs}::int) * interval '1 millisecond')`);

/** When the first of an environment's periods is due, on its clock; null if none is. */
export const selectFirstDue = (sql: Sql, environmentId: number) =>
  firstValue(sql<{ at: number | null }[]>`
    select min(due_at) as at from leaderboard_periods
    where environment_id = ${environmentId} and step <> 'Settled'`);
