import { allValues, execute, firstRow, type Sql, type Transaction } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";

/** The environments whose segments or clock have changed since their counts were last compared. A reset deletes counts. */
export const environmentsToCompare = (sql: Sql) =>
  allValues(sql<{ id: number }[]>`
    select e.id from environments e
    where exists (
        select from definitions d where d.environment_id = e.id and d.kind = 'segments' and d.active
          and not exists (select from segment_counts c where c.segment_id = d.id and c.rule <> ''))
      or exists (
        select from segment_counts c where c.environment_id = e.id and c.rule <> ''
          and (c.definitions_version, c.clock_offset_ms) is distinct from (e.definitions_version, e.clock_offset_ms))
    order by e.id`);

/** A segment that is switched on, with the hash of its compiled rule. */
export interface CountedSegment {
  segmentId: number;
  rule: string;
}

/** The state of an environment for which a count is valid. */
export interface CountBasis {
  definitionsVersion: number;
  clockOffsetMs: number;
}

/**
 * Sets the segments of the environment that are counted. New ones are due, and so are those whose rule or clock has changed; a running
 * count of these starts again. The members of other segments are to be deleted; one that is switched on before that counts as new.
 */
export async function keepCounts(tx: Transaction, environmentId: number, basis: CountBasis, segments: readonly CountedSegment[]) {
  const { definitionsVersion, clockOffsetMs } = basis;
  await tx`
    update segment_counts set rule = '', building = building + 1, generation = building + 1, has_leftovers = true, started_at = null,
      players = null, members = null, counted_at = null, as_of = null
    where environment_id = ${environmentId} and rule <> '' and segment_id <> all(${segments.map(({ segmentId }) => segmentId)}::int[])`;
  if (segments.length === 0) return;
  await tx`
    insert into segment_counts as c (segment_id, environment_id, rule, definitions_version, clock_offset_ms)
    select "segmentId", ${environmentId}::int, rule, ${definitionsVersion}::bigint, ${clockOffsetMs}::bigint
    from json_to_recordset(${writeJson(segments)}::text::json) as r("segmentId" int, "rule" text) order by 1
    on conflict (segment_id) do update set
      rule = excluded.rule, definitions_version = excluded.definitions_version, clock_offset_ms = excluded.clock_offset_ms,
      due_at = case when (c.rule, c.clock_offset_ms) = (excluded.rule, excluded.clock_offset_ms) then c.due_at else now() end,
      started_at = case when (c.rule, c.clock_offset_ms) = (excluded.rule, excluded.clock_offset_ms) then c.started_at end`;
}

/** A count that is due or running, or whose old members are to be deleted. */
export interface DueCount {
  segmentId: number;
  environmentId: number;
  /** Empty: the segment was deleted or switched off. */
  rule: string;
  isDue: boolean;
  generation: number;
  building: number;
  /** Null: not begun. */
  startedAsOf: number | null;
  lastExternalId: string;
  hasLeftovers: boolean;
}

/**
 * The next count to work on, locked for this transaction; null if there is none, or other workers have locked them all. A count that was
 * postponed halfway waits, although it has members of its own generation. Instants are stored in milliseconds, rounded up, so a count that
 * is due now is due within one.
 */
export const takeCount = (tx: Transaction) =>
  firstRow(tx<DueCount[]>`
    select segment_id, environment_id, rule, due_at <= now() + interval '1 ms' as is_due, generation, building,
      case when started_at is not null then started_as_of end as started_as_of, last_external_id, has_leftovers
    from segment_counts where (has_leftovers and started_at is null) or (rule <> '' and due_at <= now() + interval '1 ms')
    order by due_at, segment_id limit 1 for no key update skip locked`);

/** Begins a count under a new generation; `asOf` is on the environment's clock. */
export async function beginCount(tx: Transaction, { segmentId, building }: DueCount, asOf: number): Promise<number> {
  await tx`
    update segment_counts set building = ${building + 1}, started_at = now(), started_as_of = ${asOf}::timestamptz,
      last_external_id = '', players_so_far = 0, members_so_far = 0, has_leftovers = true
    where segment_id = ${segmentId}`;
  return building + 1;
}

export const addPage = (tx: Transaction, segmentId: number, page: { lastExternalId: string; players: number; members: number }) =>
  execute(tx`
    update segment_counts set last_external_id = ${page.lastExternalId}, players_so_far = players_so_far + ${page.players},
      members_so_far = members_so_far + ${page.members}
    where segment_id = ${segmentId}`);

/**
 * Completes the running count, whose members become the segment's. The next one is due in a day, or after fifty times the duration of this
 * one if that is longer, so that a segment is being counted for at most a fiftieth of the time.
 */
export const completeCount = (tx: Transaction, segmentId: number) =>
  execute(tx`
    update segment_counts set generation = building, players = players_so_far, members = members_so_far, counted_at = now(),
      as_of = started_as_of, started_at = null, last_external_id = '', has_leftovers = true,
      due_at = now() + greatest(interval '1 day', 50 * (now() - started_at))
    where segment_id = ${segmentId}`);

/** Postpones a failed count by a minute; others go first. */
export const postponeCount = (sql: Sql, segmentId: number) =>
  execute(sql`
    update segment_counts set due_at = now() + interval '1 minute' where segment_id = ${segmentId} and due_at <= now() + interval '1 ms'`);

/** Records that no members of other generations are left. A segment that is no longer counted loses its row. */
export async function endLeftovers(tx: Transaction, { segmentId, rule }: DueCount): Promise<void> {
  if (rule === "") await tx`delete from segment_counts where segment_id = ${segmentId}`;
  else await tx`update segment_counts set has_leftovers = false where segment_id = ${segmentId}`;
}

export const makeDue = (sql: Sql, segmentId: number) =>
  execute(sql`update segment_counts set due_at = least(due_at, now()) where segment_id = ${segmentId}`);

export interface SegmentCountRow {
  segmentId: number;
  generation: number;
  /** Whether a count is due or running. */
  isCounting: boolean;
  /** The players that the running count has seen. */
  playersSoFar: number;
  /** The result of the last complete count; null before the first one. */
  players: number | null;
  members: number | null;
  countedAt: number | null;
}

/**
 * The counts of some segments, without those that the worker has not seen yet. If the environment has changed since, a count will follow.
 */
export const selectCounts = (
  sql: Sql,
  segmentIds: readonly number[],
  { definitionsVersion, clockOffsetMs }: CountBasis,
): Promise<SegmentCountRow[]> =>
  sql<SegmentCountRow[]>`
    select segment_id, generation, rule = '' or due_at <= now() + interval '1 ms'
        or (definitions_version, clock_offset_ms) <> (${definitionsVersion}::bigint, ${clockOffsetMs}::bigint) as is_counting,
      case when started_at is null then 0 else players_so_far end as players_so_far, players, members, counted_at
    from segment_counts where segment_id = any(${[...segmentIds]}::int[])`.execute();
