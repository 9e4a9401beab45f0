import { expect, test } from "vitest";
import { openDatabase, transact } from "#db/client.ts";
import { testDatabase, testDatabaseUrl, testProject } from "#db/testing.ts";
import { openLocked } from "#server/engine/apply.ts";
import { checkIntegrity } from "#server/operations/integrity/check.ts";
import { BOARD_LANES, boardLaneOf } from "#server/model/kernel/lanes.ts";
import { ranks } from "#server/model/leaderboards/ranking.ts";
import { type PlayerKey, playerKey } from "#server/model/players/identity.ts";
import { periodsWithFullBlocks } from "../store/blocks.ts";
import { saveScores, type ScoreChangeRow } from "#server/engine/store/scores.ts";
import { loadStandings } from "../store/standings.ts";
import { cutRanges } from "./cut-ranges.ts";
import { importDefinitions } from "#server/authoring/definitions/service/import.ts";
import { createPlayers, lockPlayers } from "#server/engine/store/players.ts";

const database = await testDatabase();
const { sql } = database;

/** A board whose scores are set directly. */
async function openBoard(count: number) {
  const { sandbox } = await testProject(database);
  await importDefinitions(database, sandbox, {
    version: 1,
    attributes: [{ key: "level", name: "Level", type: "Number" }],
    leaderboards: [
      {
        key: "levels",
        name: "Levels",
        scoreSource: "Attribute",
        attribute: "level",
        rankOrder: "HighestFirst",
        period: { kind: "AllTime" },
        // The integrity check skips boards with a rule: no player has the attribute here.
        audience: { rule: { attribute: "level", operator: "NotEqualTo", value: -1 } },
      },
    ],
  });
  const players = Array.from({ length: count }, (_, at) => ({ ...playerKey(sandbox.id, `p${at}`), externalId: `p${at}` }));
  for (let at = 0; at < count; at += 1_000) {
    const page = players.slice(at, at + 1_000).map((player) => ({ ...player, environmentId: sandbox.id, createdAt: 0 }));
    await createPlayers(sql, page);
  }
  const [period] = await sql<{ id: number; leaderboardId: number }[]>`
    select id, leaderboard_id from leaderboard_periods where environment_id = ${sandbox.id}`;
  return { environment: sandbox, players, ...period! };
}

type Board = Awaited<ReturnType<typeof openBoard>>;
let seq = 0;

/** Sets scores of some players in one transaction, as a slice does. */
const setScores = (pool: typeof database, { environment, leaderboardId }: Board, scores: readonly (readonly [PlayerKey, number])[]) =>
  transact(pool, async (tx) => {
    const { definitions } = await openLocked(tx, environment.id);
    await lockPlayers(
      tx,
      scores.map(([player]) => player),
    );
    const changes = scores.map(([{ part, playerId }, value]): ScoreChangeRow => {
      const period = { start: "", number: 0, startsAt: null, endsAt: null };
      return {
        part,
        playerId,
        isHidden: false,
        leaderboardId,
        period,
        team: null,
        change: { by: "Set", value, at: 0 },
        seq: ++seq,
      };
    });
    await saveScores(tx, definitions, environment.id, changes);
  });

/** Compares own ranks, the top rows and the neighbours with a ranking of all scores. */
async function expectRanks({ leaderboardId, id }: Board, players: readonly PlayerKey[]): Promise<void> {
  const all = await sql<{ playerId: string; score: number; rank: number }[]>`
    select player_id, sort_score::float8 as score, rank() over (order by sort_score) as rank from leaderboard_scores
    where period_id = ${id} order by sort_score, reached_seq, player_id`;
  const shown = (from: number, to: number) => all.slice(Math.max(0, from), to).map(({ score, rank }) => [score, rank]);
  for (const player of players) {
    const at = all.findIndex(({ playerId }) => playerId === player.playerId);
    const own = await loadStandings(sql, { leaderboardId, wanted: { start: "" }, player, top: 0, neighbours: 0 });
    expect([own?.firstRank, own?.around.length, own?.top]).toEqual([all[at]?.rank, 1, []]);
    const { participants, top, around, firstRank, secondRank } = (await loadStandings(sql, {
      leaderboardId,
      wanted: { start: "" },
      player,
      top: 3,
      neighbours: 2,
    }))!;
    expect(participants).toBe(all.length);
    expect(ranks(top).map((rank, row) => [top[row]!.sortScore, rank])).toEqual(shown(0, 3));
    const found = ranks(around, firstRank!, secondRank).map((rank, row) => [around[row]!.sortScore, rank]);
    expect(found).toEqual(shown(at - 2, at + 3));
    expect(around.findIndex(({ isMe }) => isMe)).toBe(Math.min(at, 2));
  }
}

const cutAll = async (board: Board): Promise<void> => {
  while ((await periodsWithFullBlocks(sql)).includes(board.id)) await cutRanges(database, board.id);
};
/** How many scores of one lane the fullest range has. */
async function fullest({ id }: Board): Promise<number> {
  const [row] = await sql<
    { most: number }[]
  >`select max(n) as most from leaderboard_counts c, unnest(c.counts) n where c.period_id = ${id}`;
  return row!.most;
}
const broken = (board: Board) => checkIntegrity(database, board.environment);

/** Distributions of scores found in practice: even, a few far ahead of many, many players on a few values. */
const SPREADS: Record<string, (random: number) => number> = {
  uniform: (random) => Math.floor(random * 1_000_000),
  "power-law": (random) => Math.floor(10 / (1 - random) ** 1.2),
  "a few distinct ones": (random) => Math.floor(random * 5),
};

/** Numbers from 0 to 1 that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

test("equal scores share a rank, also with those above the rows shown", async () => {
  const board = await openBoard(8);
  await setScores(
    database,
    board,
    board.players.map((player, at) => [player, [5, 5, 5, 4, 4, 3, 2, 2][at]!]),
  );
  await expectRanks(board, board.players);
});

test.each(Object.entries(SPREADS))("ranks stay exact while four lanes set scores, ranges are cut meanwhile: %s", async (_, spread) => {
  const board = await openBoard(2_000);
  const pools = await Promise.all(
    Array.from({ length: BOARD_LANES }, async () => openDatabase(await testDatabaseUrl(), { connections: 1 })),
  );
  let isRunning = true;
  const cutting = (async () => {
    while (isRunning) {
      for (const id of await periodsWithFullBlocks(sql)) await cutRanges(database, id);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await Promise.all(
    pools.map(async (pool, lane) => {
      const random = numbers(lane + 1);
      const own = board.players.filter(({ part }) => boardLaneOf(part) === lane);
      for (let round = 0; round < 6; round++) {
        for (let at = 0; at < own.length; at += 250) {
          const slice = own.slice(at, at + 250).filter(() => round === 0 || random() < 0.3);
          if (slice.length > 0)
            await setScores(
              pool,
              board,
              slice.map((player) => [player, spread(random())] as const),
            );
        }
      }
      await pool.close();
    }),
  );
  isRunning = false;
  await cutting;
  await cutAll(board);
  expect(await broken(board)).toEqual([]);
  await expectRanks(board, board.players.slice(0, 40));
  const [most] = await sql<{ most: number; ranges: number }[]>`
    select max(n) as most, count(*) as ranges from leaderboard_counts c, unnest(c.counts) n where c.period_id = ${board.id}`;
  if (spread(0.999) > 1_000) expect(most!.most).toBeLessThanOrEqual(250);
  else expect(most!.ranges).toBeLessThan(60);
});

test("a count that differs from the scores is found", async () => {
  const board = await openBoard(3);
  await setScores(
    database,
    board,
    board.players.map((player, at) => [player, at] as const),
  );
  expect(await broken(board)).toEqual([]);
  await sql`update leaderboard_counts set counts[1] = counts[1] + 1 where period_id = ${board.id} and lane = ${boardLaneOf(board.players[0]!.part)}`;
  expect(await broken(board)).toHaveLength(2);
});

test("ranges that all scores have left are removed", async () => {
  const board = await openBoard(2_000);
  const all = (score: (at: number) => number) => board.players.map((player, at) => [player, score(at)] as const);
  for (let round = 0; round < 12; round++) {
    for (let lane = 0; lane < BOARD_LANES; lane++) {
      const own = all((at) => round * 10_000 + at).filter(([{ part }]) => boardLaneOf(part) === lane);
      await setScores(database, board, own);
    }
    // One cut is enough, of scores with few digits and with many.
    await cutRanges(database, board.id);
    expect(await fullest(board)).toBeLessThanOrEqual(250);
  }
  const [size] = await sql<{ ranges: number }[]>`
    select sum(cardinality(bounds) + 1)::int as ranges from leaderboard_blocks where period_id = ${board.id}`;
  expect(size!.ranges).toBeLessThanOrEqual(30);
  expect(await broken(board)).toEqual([]);
  await expectRanks(board, board.players.slice(0, 10));
});
