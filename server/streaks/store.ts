import type { Sql, Transaction } from "../../db/client.ts";
import { arrayText } from "../kernel/array-text.ts";
import { writeJson } from "../kernel/json.ts";
import type { Run, StreakPeriod, StreakState } from "../kernel/player.ts";
import { decodeCounter, encodeCounter, type StoredCounter } from "../kernel/stored-counter.ts";
import type { PlayerKey } from "../players/identity.ts";

/** One streak of one player. */
export interface StreakKey extends PlayerKey {
  streakId: number;
}

export type RunRow = StreakKey & Run;

export interface PeriodRow extends StreakKey {
  start: string;
  period: StreakPeriod;
}

const RUN = `r.part, r.player_id as "playerId", r.streak_id as "streakId", r.origin::text, r.first::text, r.last::text, r.length, r.freezes, r.paid`;
const KEYS = `json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid, "streakId" int)`;

const keysOf = (keys: readonly StreakKey[]): string =>
  writeJson(keys.map(({ part, playerId, streakId }) => ({ part, playerId, streakId })));

/** A period of a streak that something falls into. */
export interface PeriodKey extends StreakKey {
  start: string;
}

/** The state for one instant: the last run of the streak, and the period; null where there is none. */
export interface Before {
  run: Run | null;
  period: StreakPeriod | null;
}

type StoredBefore = { at: number; state: string | null } & { [Field in keyof Run]: Run[Field] | null };

/** The states, in the order of `keys`. */
export async function loadBefore(sql: Sql, keys: readonly PeriodKey[]): Promise<Before[]> {
  const found = Array<Before>(keys.length).fill(NOTHING_BEFORE);
  if (keys.length === 0) return found;
  const rows = await sql.unsafe<StoredBefore[]>(
    `select r.at, r.origin::text, r.first::text, r.last::text, r.length, r.freezes, r.paid, r.state
     from streaks_before($1::text::smallint[], $2::text::uuid[], $3::text::int[], $4::text::date[]) r`,
    columnsOf(keys),
    { prepare: false },
  );
  for (const { at, origin, first, last, length, freezes, paid, state } of rows) {
    const run = origin === null ? null : ({ origin, first, last, length, freezes, paid } as Run);
    found[at - 1] = { run, period: state === null ? null : decodePeriod(state) };
  }
  return found;
}

const NOTHING_BEFORE: Before = { run: null, period: null };

const columnsOf = (keys: readonly PeriodKey[]): string[] => [
  arrayText(keys.map(({ part }) => part)),
  arrayText(keys.map(({ playerId }) => playerId)),
  arrayText(keys.map(({ streakId }) => streakId)),
  arrayText(keys.map(({ start }) => start)),
];

/**
 * The runs of a player's streaks that may be live in the period that begins at `current`: the last run that has begun by then, and the
 * first one after it, as facts may lie in the future.
 */
export function loadRunsNear(
  sql: Sql,
  { part, playerId }: PlayerKey,
  asked: readonly { streakId: number; current: string }[],
): Promise<RunRow[]> {
  if (asked.length === 0) return Promise.resolve([]);
  return sql.unsafe<RunRow[]>(
    `select ${RUN} from json_to_recordset($1::text::json) as k("streakId" int, "current" date) cross join lateral (
       (select * from streak_runs s where s.part = $2 and s.player_id = $3 and s.streak_id = k."streakId" and s.first <= k.current
         order by s.origin desc limit 1)
       union all
       (select * from streak_runs s where s.part = $2 and s.player_id = $3 and s.streak_id = k."streakId" and s.first > k.current
         order by s.origin limit 1)) r
     order by r.origin`,
    [writeJson(asked), part, playerId],
    { prepare: false },
  );
}

/** As `loadRunsNear`, for streaks of several players. */
export function loadRunsNearAll(sql: Sql, asked: readonly (StreakKey & { current: string })[]): Promise<RunRow[]> {
  if (asked.length === 0) return Promise.resolve([]);
  return sql.unsafe<RunRow[]>(
    `select ${RUN} from json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid, "streakId" int, "current" date) cross join lateral (
       (select * from streak_runs s where s.part = k.part and s.player_id = k."playerId" and s.streak_id = k."streakId" and s.first <= k.current
         order by s.origin desc limit 1)
       union all
       (select * from streak_runs s where s.part = k.part and s.player_id = k."playerId" and s.streak_id = k."streakId" and s.first > k.current
         order by s.origin limit 1)) r
     order by r.origin`,
    [writeJson(asked)],
    { prepare: false },
  );
}

/** Every run of each, in the order of time. */
export function loadRuns(sql: Sql, keys: readonly StreakKey[]): Promise<RunRow[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return sql.unsafe<RunRow[]>(
    `select ${RUN} from ${KEYS} join streak_runs r on r.part = k.part and r.player_id = k."playerId" and r.streak_id = k."streakId" order by r.origin`,
    [keysOf(keys)],
    { prepare: false },
  );
}

const PERIOD = `p.part, p.player_id as "playerId", p.streak_id as "streakId", p.start::text, p.state`;

type StoredPeriodRow = StreakKey & { start: string; state: string };

const periodOf = ({ state, ...row }: StoredPeriodRow): PeriodRow => ({ ...row, period: decodePeriod(state) });

/** The periods that begin at these keys, where they exist. */
export async function loadPeriods(sql: Sql, wanted: readonly (StreakKey & { starts: readonly string[] })[]): Promise<PeriodRow[]> {
  if (wanted.length === 0) return [];
  const named = wanted.flatMap(({ part, playerId, streakId, starts }) => starts.map((start) => ({ part, playerId, streakId, start })));
  const rows = await sql.unsafe<StoredPeriodRow[]>(
    `select ${PERIOD} from json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid, "streakId" int, "start" date)
     join streak_periods p on p.part = k.part and p.player_id = k."playerId" and p.streak_id = k."streakId" and p.start = k.start`,
    [writeJson(named)],
    { prepare: false },
  );
  return rows.map(periodOf);
}

/** Every period of each. */
export async function loadAllPeriods(sql: Sql, keys: readonly StreakKey[]): Promise<PeriodRow[]> {
  if (keys.length === 0) return [];
  const rows = await sql.unsafe<StoredPeriodRow[]>(
    `select ${PERIOD} from ${KEYS} join streak_periods p on p.part = k.part and p.player_id = k."playerId" and p.streak_id = k."streakId"`,
    [keysOf(keys)],
    { prepare: false },
  );
  return rows.map(periodOf);
}

/** The changes of a fold to the streaks of one player. */
export interface StreakChanges {
  periods: PeriodRow[];
  runs: RunRow[];
  /** Runs that have joined others. */
  gone: (StreakKey & { origin: string })[];
}

export function streakChanges(
  key: PlayerKey,
  before: ReadonlyMap<number, StreakState>,
  after: ReadonlyMap<number, StreakState>,
): StreakChanges {
  const changes: StreakChanges = { periods: [], runs: [], gone: [] };
  for (const [streakId, state] of after) {
    const earlier = before.get(streakId);
    if (earlier === state) continue;
    for (const [start, period] of state.periods) {
      if (earlier?.periods.get(start) !== period) changes.periods.push({ ...key, streakId, start, period });
    }
    const known = new Map(earlier?.runs.map((run) => [run.origin, run]));
    for (const run of state.runs) {
      if (!isSame(known.get(run.origin), run)) changes.runs.push({ ...key, streakId, ...run });
      known.delete(run.origin);
    }
    for (const origin of known.keys()) changes.gone.push({ ...key, streakId, origin });
  }
  return changes;
}

const isSame = (a: Run | undefined, b: Run): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

export async function saveStreaks(tx: Transaction, { periods, runs, gone }: StreakChanges): Promise<void> {
  const writes: Promise<unknown>[] = [];
  if (periods.length > 0) {
    const [parts, players, streaks, starts] = columnsOf(periods) as [string, string, string, string];
    const states = writeJson(periods.map(({ period }) => encodePeriod(period)));
    writes.push(
      tx`insert into streak_periods (part, player_id, streak_id, start, state)
         select * from rows from (unnest(${parts}::text::smallint[]), unnest(${players}::text::uuid[]), unnest(${streaks}::text::int[]),
           unnest(${starts}::text::date[]), json_array_elements_text(${states}::text::json))
         on conflict (part, player_id, streak_id, start) do update set state = excluded.state`.execute(),
    );
  }
  if (gone.length > 0) {
    writes.push(
      tx`delete from streak_runs s
         using json_to_recordset(${writeJson(gone)}::text::json) as r("part" smallint, "playerId" uuid, "streakId" int, "origin" date)
         where s.part = r.part and s.player_id = r."playerId" and s.streak_id = r."streakId" and s.origin = r.origin`.execute(),
    );
  }
  if (runs.length > 0) {
    const [parts, players, streaks, origins] = columnsOf(runs.map((run) => ({ ...run, start: run.origin }))) as [
      string,
      string,
      string,
      string,
    ];
    const column = (of: (run: RunRow) => string | number) => arrayText(runs.map(of));
    writes.push(
      tx`insert into streak_runs (part, player_id, streak_id, origin, first, last, length, freezes, paid)
         select part, player_id, streak_id, origin, first, last, length, freezes, paid::int[]
         from unnest(${parts}::text::smallint[], ${players}::text::uuid[], ${streaks}::text::int[], ${origins}::text::date[],
           ${column(({ first }) => first)}::text::date[], ${column(({ last }) => last)}::text::date[], ${column(({ length }) => length)}::text::int[],
           ${column(({ freezes }) => freezes)}::text::int[], ${column(({ paid }) => `"{${paid.join(",")}}"`)}::text::text[])
           as r(part, player_id, streak_id, origin, first, last, length, freezes, paid)
         on conflict (part, player_id, streak_id, origin) do update set
           first = excluded.first, last = excluded.last, length = excluded.length, freezes = excluded.freezes, paid = excluded.paid`.execute(),
    );
  }
  await Promise.all(writes);
}

/** The longest run of each streak of a player, by streak id. */
export async function loadLongest(sql: Sql, { part, playerId }: PlayerKey): Promise<Map<number, number>> {
  const rows = await sql<{ streakId: number; longest: number }[]>`
    select streak_id as "streakId", max(length) as longest from streak_runs where part = ${part} and player_id = ${playerId} group by streak_id`;
  return new Map(rows.map(({ streakId, longest }) => [streakId, longest]));
}

type StoredPeriod = [reading: StoredCounter, isQualified: 0 | 1, paid: readonly number[], ...seen: string[]];

const encodePeriod = ({ counter, isQualified, paid, seen }: StreakPeriod): string =>
  JSON.stringify([encodeCounter(counter), isQualified ? 1 : 0, paid, ...seen] satisfies StoredPeriod);

function decodePeriod(text: string): StreakPeriod {
  const [reading, isQualified, paid, ...seen] = JSON.parse(text) as StoredPeriod;
  return { counter: decodeCounter(reading), isQualified: isQualified === 1, paid, seen };
}
