import fc from "fast-check";
import { expect, test } from "vitest";
import { openDatabase, type Transaction } from "#db/client.ts";
import { testDatabase, testDatabaseUrl, testProject } from "#db/testing.ts";
import { openLocked } from "#server/engine/apply.ts";
import { compareNumbers, Decimal, type Numeric } from "#server/model/kernel/decimal.ts";
import { BOARD_LANES, boardLaneOf } from "#server/model/kernel/lanes.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { checkLeaderboards } from "#server/operations/integrity/check-leaderboards.ts";
import { cutRanges } from "../service/cut-ranges.ts";
import { changed, type Score, sortScore } from "#server/model/leaderboards/scores.ts";
import { periodsWithFullBlocks } from "./blocks.ts";
import { saveScores, type ScoreChangeRow } from "#server/engine/store/scores.ts";
import { giveSeats, saveOutcomes } from "./settling.ts";
import { selectGroup, selectRows } from "./pages.ts";
import { loadGroup, loadNamed, loadSeat, loadStandings } from "./standings.ts";
import { importDefinitions } from "#server/authoring/definitions/service/import.ts";
import { createPlayers, lockPlayers } from "#server/engine/store/players.ts";

const database = await testDatabase();
const { sql } = database;

const summed = (key: string, parts: object) => ({
  key,
  name: key,
  scoreSource: "Event",
  event: "order",
  measure: { kind: "Sum", property: "amount" },
  rankOrder: "HighestFirst",
  period: { kind: "AllTime" },
  ...parts,
});
const LOWEST_FIRST = { rankOrder: "LowestFirst" };
const LEAGUE = { tiers: [{ key: "one", name: "One" }], groupSize: 30, promotes: 0, relegates: 0 };

const kept = (key: string, kind: "Max" | "Min", parts: object = {}) => summed(key, { measure: { kind, property: "amount" }, ...parts });

/** Boards that add up, and boards that keep the largest or the smallest value: the highest first, the lowest first, leagues. */
async function openBoards(count: number) {
  const { sandbox } = await testProject(database);
  const imported = await importDefinitions(database, sandbox, {
    version: 1,
    events: [{ key: "order", name: "Order", properties: [{ key: "amount", type: "Number" }] }],
    leaderboards: [
      summed("highest", {}),
      kept("best", "Max"),
      summed("lowest", LOWEST_FIRST),
      summed("league", { league: LEAGUE, period: { kind: "Calendar", every: "Week" } }),
      kept("least", "Min", LOWEST_FIRST),
      kept("worst", "Max", LOWEST_FIRST),
      kept("cup", "Max", { league: LEAGUE, period: { kind: "Calendar", every: "Week" } }),
    ],
  });
  expect(imported).not.toHaveProperty("problems");
  const players = Array.from({ length: count }, (_, at) => ({ ...playerKey(sandbox.id, `p${at}`), externalId: `p${at}` }));
  await createPlayers(
    sql,
    players.map((player) => ({ ...player, environmentId: sandbox.id, createdAt: 0 })),
  );
  const periods = await sql<{ id: number; leaderboardId: number; start: string; key: string }[]>`
    select p.id, p.leaderboard_id, p.start, d.key from leaderboard_periods p join definitions d on d.id = p.leaderboard_id
    where p.environment_id = ${sandbox.id} order by p.leaderboard_id`;
  return { environment: sandbox, players, periods };
}

type Boards = Awaited<ReturnType<typeof openBoards>>;

/** The sum that a fact adds, with its player and board. */
interface Added {
  player: number;
  board: number;
  value: Numeric;
}

const rowOf = ({ players, periods }: Boards, { player, board, value }: Added, seq: number): ScoreChangeRow => {
  const { part, playerId } = players[player]!;
  const { leaderboardId, start, key } = periods[board]!;
  const period = { start, number: 0, startsAt: null, endsAt: null };
  return {
    part,
    playerId,
    isHidden: false,
    leaderboardId,
    period,
    team: null,
    change: { by: key === "least" ? "Min" : ["best", "worst", "cup"].includes(key) ? "Max" : "Sum", value, at: 0 },
    seq,
  };
};

/** One transaction, like a slice, without retries: a conflict, above all a deadlock, fails the test. */
const save = (pool: typeof database, { environment }: Boards, rows: readonly ScoreChangeRow[]) =>
  pool.sql.begin(async (tx) => {
    const { definitions } = await openLocked(tx, environment.id);
    await lockPlayers(
      tx,
      [...rows].sort((a, b) => a.part - b.part),
    );
    await saveScores(tx, definitions, environment.id, rows);
  });

const broken = (boards: Boards) => sql.begin((tx) => checkLeaderboards(tx, boards.environment));
const countsAndSeats = async (boards: Boards) => (await broken(boards)).filter((line) => !line.includes("the logs give"));

const values = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -20, max: 60 }) as fc.Arbitrary<Numeric> },
  { weight: 2, arbitrary: fc.constant<Numeric>(0) },
  { weight: 2, arbitrary: fc.integer({ min: -9_999, max: 9_999 }).map((cents): Numeric => cents / 100) },
  { weight: 1, arbitrary: fc.constant<Numeric>(Decimal.parse("12345678901234567890.12345678")!) },
);
const slices = fc.array(fc.array(fc.record({ player: fc.nat(5), board: fc.nat(6), value: values }), { minLength: 1, maxLength: 40 }), {
  minLength: 1,
  maxLength: 5,
});

test("scores changed without being read equal those of the rules, and so does the order of reaching them", async () => {
  await fc.assert(
    fc.asyncProperty(slices, async (added) => {
      const boards = await openBoards(6);
      const expected = new Map<string, { score: Score; first: number }>();
      let seq = 0;
      for (const slice of added) {
        const rows = slice.map((one) => rowOf(boards, one, ++seq));
        for (const row of rows) {
          const name = `${row.leaderboardId}/${row.playerId}`;
          const known = expected.get(name);
          expected.set(name, { score: changed(known?.score ?? null, row.change, row.seq), first: known?.first ?? row.seq });
        }
        await save(database, boards, rows);
      }
      const stored = await sql<{ leaderboardId: number; playerId: string; score: string; reachedSeq: number; first: number | null }[]>`
        select p.leaderboard_id, s.player_id, s.sort_score::text as score, s.reached_seq, m.first_seq as first
        from leaderboard_periods p join leaderboard_scores s on s.period_id = p.id
        left join leaderboard_seats m on m.part = s.part and m.player_id = s.player_id and m.period_id = s.period_id
        where p.environment_id = ${boards.environment.id}`;
      expect(stored).toHaveLength(expected.size);
      const keys = new Map(boards.periods.map(({ leaderboardId, key }) => [leaderboardId, key]));
      for (const { leaderboardId, playerId, score, reachedSeq, first } of stored) {
        const wanted = expected.get(`${leaderboardId}/${playerId}`)!;
        const key = keys.get(leaderboardId);
        const sort = sortScore(wanted.score.score, ["lowest", "least", "worst"].includes(key!) ? "LowestFirst" : "HighestFirst");
        expect(compareNumbers(Decimal.parse(score)!, sort)).toBe(0);
        expect([reachedSeq, first]).toEqual([wanted.score.reachedSeq, key === "league" || key === "cup" ? wanted.first : null]);
      }
      expect(await countsAndSeats(boards)).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

/** Numbers from 0 to 1 that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

test("ranks stay exact while six transactions at a time move seven boards in any order, and ranges are cut meanwhile", async () => {
  const boards = await openBoards(1_600);
  // Two lanes have two transactions each, which contend for the same counts.
  const pools = await Promise.all(
    Array.from({ length: BOARD_LANES + 2 }, async () => openDatabase(await testDatabaseUrl(), { connections: 1 })),
  );
  let isRunning = true;
  const cutting = (async () => {
    while (isRunning) {
      for (const id of await periodsWithFullBlocks(sql)) await cutRanges(database, id);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  let seq = 0;
  await Promise.all(
    pools.map(async (pool, worker) => {
      const random = numbers(worker + 1);
      const shares = worker % BOARD_LANES < pools.length - BOARD_LANES ? 2 : 1;
      const own = boards.players.flatMap(({ part }, at) =>
        boardLaneOf(part) === worker % BOARD_LANES && (shares === 1 || at % 2 === (worker < BOARD_LANES ? 0 : 1)) ? [at] : [],
      );
      for (let round = 0; round < 6; round++) {
        const added = own.flatMap((player) =>
          random() < 0.3 ? [] : [{ player, board: Math.floor(random() * 7), value: Math.floor(10 / (1 - random()) ** 1.2) }],
        );
        if (added.length > 0)
          await save(
            pool,
            boards,
            added.map((one) => rowOf(boards, one, ++seq)),
          );
      }
      await pool.close();
    }),
  );
  isRunning = false;
  await cutting;
  expect(await countsAndSeats(boards)).toEqual([]);
  for (const { id, leaderboardId, start } of boards.periods) {
    const ranked = await sql<{ part: number; playerId: string; rank: number }[]>`
      select part, player_id, rank from (
        select part, player_id, rank() over (order by sort_score), row_number() over (order by random()) as place
        from leaderboard_scores where period_id = ${id}) r where place <= 15`;
    for (const { rank, ...player } of ranked) {
      const found = await loadStandings(sql, { leaderboardId, wanted: { start }, player, top: 0, neighbours: 0 });
      expect(found?.firstRank).toBe(rank);
    }
  }
});

test("the function with which an earlier version counts one lane at a time changes the same counts", async () => {
  const boards = await openBoards(40);
  const rows = boards.players.map((_, player) => rowOf(boards, { player, board: player % 7, value: player }, player + 1));
  await save(database, boards, rows);
  const ids = boards.periods.map(({ id }) => id);
  const total = async () =>
    (await sql<{ total: number }[]>`select sum(abs(total))::int as total from leaderboard_counts where period_id in ${sql(ids)}`)[0]?.total;
  expect(await total()).toBe(40);
  for (const lane of Array.from({ length: BOARD_LANES }, (_, at) => at)) {
    const parts = [...new Set(boards.players.map(({ part }) => part))].filter((part) => boardLaneOf(part) === lane);
    await sql`
      select leaderboard_count(period_id, ${lane}::int, array_agg(sort_score), array_agg(-1))
      from leaderboard_scores where period_id in ${sql(ids)} and part = any(${`{${parts.join(",")}}`}::text::smallint[]) group by period_id`;
  }
  expect(await total()).toBe(0);
});

test("a period that the planner's statistics do not know yet is read and settled by its keys", async () => {
  const [known, fresh] = [1_000_001, 1_000_002];
  const fill = async (periodId: number) => {
    await sql`
      insert into leaderboard_seats (part, player_id, period_id, first_seq, tier, group_number)
      select n % 1024, md5(n::text)::uuid, ${periodId}, n, 0, n / 20 from generate_series(1, 2000) n`;
    await sql`
      insert into leaderboard_scores (part, player_id, period_id, sort_score, reached_seq)
      select part, player_id, period_id, -first_seq, first_seq from leaderboard_seats where period_id = ${periodId}`;
  };
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at)
    select n % 1024, md5(n::text)::uuid, ${known}, n::text, now() from generate_series(1, 2000) n`;
  await fill(known);
  await sql`analyze players, leaderboard_seats, leaderboard_scores`;
  await fill(fresh);
  const players = await sql<{ part: number; playerId: string }[]>`
    select part, player_id from leaderboard_seats where period_id = ${fresh} order by first_seq limit 20`;
  const statements: Record<string, (tx: Transaction) => Promise<unknown>> = {
    giveSeats: (tx) =>
      giveSeats(
        tx,
        fresh,
        players.map((player) => ({ ...player, tier: 0, groupNumber: 0 })),
        [20],
      ),
    saveOutcomes: (tx) =>
      saveOutcomes(
        tx,
        fresh,
        fresh,
        players.map((player) => ({ ...player, tier: 0, outcome: "Stayed" })),
      ),
    loadGroup: (tx) => loadGroup(tx, fresh, 0, 3),
    selectGroup: (tx) => selectGroup(tx, fresh, 0, 3),
    loadNamed: (tx) => loadNamed(tx, fresh, players),
    loadSeat: (tx) => loadSeat(tx, fresh, fresh, players[0]!),
    selectRows: (tx) => selectRows(tx, fresh, null, 20),
  };
  const pool = openDatabase(await testDatabaseUrl(), { connections: 1 });
  const rowsRead = async () => {
    await pool.sql`select pg_stat_force_next_flush()`;
    const [row] = await pool.sql<{ count: number }[]>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count from pg_stat_user_tables
      where relname in ('leaderboard_seats', 'leaderboard_scores')`;
    return row!.count;
  };
  for (const [name, run] of Object.entries(statements)) {
    const before = await rowsRead();
    await pool.sql.begin(run);
    const count = (await rowsRead()) - before;
    expect(count, name).toBeGreaterThan(0);
    expect(count, name).toBeLessThan(500);
  }
  await pool.close();
});
