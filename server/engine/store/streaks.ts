import type { Sql, Transaction } from "#db/client.ts";
import { inParts, ofParts } from "#db/scale/parts.ts";
import { arrayText, decodeCounter, encodeCounter, type StoredCounter } from "../../model/kernel/stored.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { Run, StreakPeriod, StreakState } from "../../model/kernel/player.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import type { Known } from "../../model/streaks/loading.ts";

export interface StreakKey extends PlayerKey {
  streakId: number;
}

export type RunRow = StreakKey & Run;

export interface StreakPeriodRow extends StreakKey {
  start: string;
  period: StreakPeriod;
}

const RUN = `r.part, r.player_id, r.streak_id, r.origin::text, r.first::text, r.last::text, r.length, r.freezes, r.paid`;
const KEYS = `json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid, "streakId" int)`;

const keysOf = (keys: readonly StreakKey[]): string =>
  writeJson(keys.map(({ part, playerId, streakId }) => ({ part, playerId, streakId })));

/** A period of a streak with at least one fact. */
export interface PeriodKey extends StreakKey {
  start: string;
}

/** The stored states, in the order of `keys`. */
export async function loadBefore(sql: Sql, keys: readonly PeriodKey[]): Promise<Known[]> {
  const found = Array<Known>(keys.length).fill(NOTHING_BEFORE);
  if (keys.length === 0) return found;
  const [parts, players, streaks, starts] = columnsOf(keys);
  // Prepared: the transactions that ask keep the planner to the keys (`engine/store/locks.ts`). One row for all, as the driver spends as
  // much on the columns of a row as on reading a state, which holds no line break.
  const [row] = await sql<{ places: string | null; runs: string | null; states: string | null }[]>`
    select string_agg(r.at::text, ',') as places,
      string_agg(concat_ws(' ', r.origin, r.first, r.last, r.length, r.freezes, r.paid), chr(10)) as runs,
      string_agg(coalesce(r.state, ''), chr(10)) as states
    from streaks_before(${parts}::text::smallint[], ${players}::text::uuid[], ${streaks}::text::int[], ${starts}::text::date[]) r`;
  if (row === undefined || row.places === null || row.runs === null || row.states === null) return found;
  const runs = row.runs.split("\n");
  const states = row.states.split("\n");
  for (const [index, place] of row.places.split(",").entries()) {
    const state = states[index]!;
    found[Number(place) - 1] = { run: decodeRun(runs[index]!), period: state === "" ? null : decodePeriod(state) };
  }
  return found;
}

/** A run as `loadBefore` reads it; empty text without one. */
function decodeRun(text: string): Run | null {
  if (text === "") return null;
  const [origin, first, last, length, freezes, paid] = text.split(" ") as [string, string, string, string, string, string];
  const lengths = paid === "{}" ? [] : paid.slice(1, -1).split(",").map(Number);
  return { origin, first, last, length: Number(length), freezes: Number(freezes), paid: lengths };
}

const NOTHING_BEFORE: Known = { run: null, period: null };

const columnsOf = (keys: readonly PeriodKey[]): [string, string, string, string] => [
  arrayText(keys.map(({ part }) => part)),
  arrayText(keys.map(({ playerId }) => playerId)),
  arrayText(keys.map(({ streakId }) => streakId)),
  arrayText(keys.map(({ start }) => start)),
];

/** A player's streak as of one period. */
export interface StreakNow {
  /** The runs that may be live: the last one that has begun by then, and the first one after it, as facts may lie in the future. */
  runs: Run[];
  longest: number;
  period: StreakPeriod | null;
}

/** A player's streaks, by id, each in the period that begins at `current`. */
export async function loadStreaksNow(
  sql: Sql,
  { part, playerId }: PlayerKey,
  asked: readonly { streakId: number; current: string }[],
): Promise<Map<number, StreakNow>> {
  if (asked.length === 0) return new Map();
  const rows = await sql<{ streakId: number; begun: string | null; later: string | null; longest: number | null; state: string | null }[]>`
    select * from player_streaks(${part}::smallint, ${playerId}::uuid, ${arrayText(asked.map(({ streakId }) => streakId))}::text::int[],
      ${arrayText(asked.map(({ current }) => current))}::text::date[])`;
  return new Map(
    rows.map(({ streakId, begun, later, longest, state }) => [
      streakId,
      {
        runs: [begun, later].flatMap((run) => decodeRun(run ?? "") ?? []),
        longest: longest ?? 0,
        period: state === null ? null : decodePeriod(state),
      },
    ]),
  );
}

/** The runs of `loadStreaksNow`, for streaks of several players. */
export function loadRunsNear(sql: Sql, asked: readonly (StreakKey & { current: string })[]): Promise<RunRow[]> {
  if (asked.length === 0) return Promise.resolve([]);
  return sql.unsafe<RunRow[]>(
    `select ${RUN} from json_to_recordset($1::text::json) as k("part" smallint, "playerId" uuid, "streakId" int, "current" date) cross join lateral (
       (select * from streak_runs s where s.part = k.part ${inParts(sql, "s", asked)} and s.player_id = k."playerId" and s.streak_id = k."streakId" and s.first <= k.current
         order by s.origin desc limit 1)
       union all
       (select * from streak_runs s where s.part = k.part ${inParts(sql, "s", asked)} and s.player_id = k."playerId" and s.streak_id = k."streakId" and s.first > k.current
         order by s.origin limit 1)) r
     order by r.origin`,
    [writeJson(asked)],
  );
}

/** Every run of these streaks, in the order of time. */
export function loadRuns(sql: Sql, keys: readonly StreakKey[]): Promise<RunRow[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return sql.unsafe<RunRow[]>(
    `select ${RUN} from ${KEYS} join streak_runs r on r.part = k.part and r.player_id = k."playerId" and r.streak_id = k."streakId" ${inParts(sql, "r", keys)} order by r.origin`,
    [keysOf(keys)],
  );
}

/** Every period of these streaks. */
export async function loadAllPeriods(sql: Sql, keys: readonly StreakKey[]): Promise<StreakPeriodRow[]> {
  if (keys.length === 0) return [];
  const rows = await sql.unsafe<(StreakKey & { start: string; state: string })[]>(
    `select p.part, p.player_id, p.streak_id, p.start::text, p.state from ${KEYS} join streak_periods p on p.part = k.part and p.player_id = k."playerId" and p.streak_id = k."streakId" ${inParts(sql, "p", keys)}`,
    [keysOf(keys)],
  );
  return rows.map(({ state, ...row }) => ({ ...row, period: decodePeriod(state) }));
}

export interface StreakChanges {
  /** Changed periods and runs that have a row already. */
  periods: StreakPeriodRow[];
  runs: RunRow[];
  /** New periods and runs: the player's lock keeps other transactions from adding them. */
  freshPeriods: StreakPeriodRow[];
  freshRuns: RunRow[];
  /** Runs that were merged into others. */
  gone: (StreakKey & { origin: string })[];
}

export const noStreakChanges = (): StreakChanges => ({ periods: [], runs: [], freshPeriods: [], freshRuns: [], gone: [] });

/** Adds the changes of a fold to the streaks of one player. */
export function addStreakChanges(
  { periods, runs, freshPeriods, freshRuns, gone }: StreakChanges,
  key: PlayerKey,
  before: ReadonlyMap<number, StreakState>,
  after: ReadonlyMap<number, StreakState>,
): void {
  for (const [streakId, state] of after) {
    const earlier = before.get(streakId);
    if (earlier === state) continue;
    for (const [start, period] of state.periods) {
      const was = earlier?.periods.get(start);
      if (was !== period) (was === undefined ? freshPeriods : periods).push({ ...key, streakId, start, period });
    }
    const known = new Map(earlier?.runs.map((run) => [run.origin, run]));
    for (const run of state.runs) {
      const was = known.get(run.origin);
      if (!isSame(was, run)) (was === undefined ? freshRuns : runs).push({ ...key, streakId, ...run });
      known.delete(run.origin);
    }
    for (const origin of known.keys()) gone.push({ ...key, streakId, origin });
  }
}

const isSame = (a: Run | undefined, b: Run): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Inserts and updates are separate: an upsert takes two fifths more of the database's time. */
export async function saveStreaks(tx: Transaction, { periods, runs, freshPeriods, freshRuns, gone }: StreakChanges): Promise<void> {
  const writes: Promise<unknown>[] = [];
  if (periods.length > 0) {
    writes.push(
      tx`update streak_periods s set state = r.state from ${periodColumns(tx, periods)}
         where s.part = r.part and s.player_id = r.player_id and s.streak_id = r.streak_id and s.start = r.start ${ofParts(tx, "s", periods)}`.execute(),
    );
  }
  if (freshPeriods.length > 0) {
    writes.push(
      tx`insert into streak_periods (part, player_id, streak_id, start, state)
         select r.part, r.player_id, r.streak_id, r.start, r.state from ${periodColumns(tx, freshPeriods)}`.execute(),
    );
  }
  if (gone.length > 0) {
    writes.push(
      tx`delete from streak_runs s
         using json_to_recordset(${writeJson(gone)}::text::json) as r("part" smallint, "playerId" uuid, "streakId" int, "origin" date)
         where s.part = r.part and s.player_id = r."playerId" and s.streak_id = r."streakId" and s.origin = r.origin ${ofParts(tx, "s", gone)}`.execute(),
    );
  }
  if (runs.length > 0) {
    writes.push(
      tx`update streak_runs s set first = r.first, last = r.last, length = r.length, freezes = r.freezes, paid = r.paid
         from ${runColumns(tx, runs)}
         where s.part = r.part and s.player_id = r.player_id and s.streak_id = r.streak_id and s.origin = r.origin ${ofParts(tx, "s", runs)}`.execute(),
    );
  }
  if (freshRuns.length > 0) {
    writes.push(
      tx`insert into streak_runs (part, player_id, streak_id, origin, first, last, length, freezes, paid)
         select r.part, r.player_id, r.streak_id, r.origin, r.first, r.last, r.length, r.freezes, r.paid from ${runColumns(tx, freshRuns)}`.execute(),
    );
  }
  await Promise.all(writes);
}

/** The paid milestones are slices of one array: a distributed database that changes one shard refuses to cast the rows of a function. */
const runColumns = (tx: Transaction, rows: readonly RunRow[]) => {
  const [parts, players, streaks, origins] = columnsOf(rows.map((run) => ({ ...run, start: run.origin })));
  const column = (of: (run: RunRow) => string | number) => arrayText(rows.map(of));
  let end = 0;
  const ends = rows.map(({ paid }) => (end += paid.length));
  const starts = rows.map(({ paid }, at) => ends[at]! - paid.length + 1);
  return tx`(
  select unnest(${parts}::text::smallint[]) as part, unnest(${players}::text::uuid[]) as player_id, unnest(${streaks}::text::int[]) as streak_id,
    unnest(${origins}::text::date[]) as origin, unnest(${column(({ first }) => first)}::text::date[]) as first,
    unnest(${column(({ last }) => last)}::text::date[]) as last, unnest(${column(({ length }) => length)}::text::int[]) as length,
    unnest(${column(({ freezes }) => freezes)}::text::int[]) as freezes,
    (${arrayText(rows.flatMap(({ paid }) => paid))}::text::int[])[unnest(${arrayText(starts)}::text::int[]):unnest(${arrayText(ends)}::text::int[])] as paid) r`;
};

const periodColumns = (tx: Transaction, rows: readonly StreakPeriodRow[]) => tx`(
  select unnest(${arrayText(rows.map(({ part }) => part))}::text::smallint[]) as part, unnest(${arrayText(rows.map(({ playerId }) => playerId))}::text::uuid[]) as player_id,
    unnest(${arrayText(rows.map(({ streakId }) => streakId))}::text::int[]) as streak_id, unnest(${arrayText(rows.map(({ start }) => start))}::text::date[]) as start,
    json_array_elements_text(${writeJson(rows.map(({ period }) => encodePeriod(period)))}::text::json) as state) r`;

/** After `paid` the measure, unless it is unknown, and then the seen values. An earlier version takes all of these for seen values. */
type StoredPeriod = [counter: StoredCounter, isQualified: 0 | 1, paid: readonly number[], ...measureAndSeen: string[]];

const encodePeriod = ({ counter, measure, isQualified, paid, seen }: StreakPeriod): string => {
  const measureAndSeen = measure === null ? seen : [measure, ...seen];
  return JSON.stringify([encodeCounter(counter), isQualified ? 1 : 0, paid, ...measureAndSeen] satisfies StoredPeriod);
};

function decodePeriod(text: string): StreakPeriod {
  const [counter, isQualified, paid, ...rest] = JSON.parse(text) as StoredPeriod;
  const [first] = rest;
  const measure = first === undefined || isSeenValue(first) ? null : first;
  const seen = measure === null ? rest : rest.slice(1);
  return { counter: decodeCounter(counter), measure, isQualified: isQualified === 1, paid, seen };
}

/** A seen value is a UUID; a measure begins with a capital or "#". */
const isSeenValue = (text: string): boolean => /^[0-9a-f]/.test(text);
