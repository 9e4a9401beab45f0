import fc from "fast-check";
import { expect, test } from "vitest";
import type { Database } from "#db/client.ts";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { arrayText } from "#server/model/kernel/stored.ts";
import { boardLaneOf } from "#server/model/kernel/lanes.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { ranks } from "#server/model/leaderboards/ranking.ts";
import { loadStandings, type Standings, standingsTogether, type StandingsWanted, type WantedPeriod } from "./standings.ts";
import { createPlayers } from "#server/engine/store/players.ts";

const database = await sharedDatabase();
const { sql } = database;

const PLAYERS = 40;
const WANTED: WantedPeriod = { start: "2026-01-05" };
const LEADERBOARD = 1_000_000;

const { sandbox } = await testProject(database);
const players = Array.from({ length: PLAYERS }, (_, at) => ({ ...playerKey(sandbox.id, `p${at}`), externalId: `p${at}` }));
await createPlayers(
  sql,
  players.map((player) => ({ ...player, environmentId: sandbox.id, createdAt: 0 })),
);
await sql`update players set display_name = external_id where environment_id = ${sandbox.id} and external_id not like '%0'`;
const [period] = await sql<{ id: number }[]>`
  insert into leaderboard_periods (environment_id, leaderboard_id, start, number) values (${sandbox.id}, ${LEADERBOARD}, ${WANTED.start}, 1) returning id`;
const periodId = period!.id;

/** A row of the board; the players from the first one on have one. */
interface Row {
  player: number;
  score: number;
  reachedSeq: number;
}

/** Scores, and the lines between the ranges and between the blocks that they are counted in. */
interface Filled {
  scores: number[];
  bounds: number[];
  blockEvery: number;
}

/** Writes the rows of a board with their counts. Blocks are numbered from the last one, since cutting leaves them in no order. */
async function fill({ scores, bounds, blockEvery }: Filled): Promise<Row[]> {
  const rows = scores.map((score, player) => ({ player, score, reachedSeq: (player * 7) % 5 }));
  const lowers = [Number.NEGATIVE_INFINITY, ...bounds];
  const blocks = Array.from({ length: Math.ceil(lowers.length / blockEvery) }, (_, at) => ({
    block: 100 - at,
    lower: lowers[at * blockEvery]!,
    inner: lowers.slice(at * blockEvery + 1, (at + 1) * blockEvery),
    upper: lowers[(at + 1) * blockEvery] ?? Number.POSITIVE_INFINITY,
  }));
  const bound = (value: number) => (Number.isFinite(value) ? value : null);
  await sql.begin(async (tx) => {
    for (const table of ["leaderboard_scores", "leaderboard_blocks", "leaderboard_counts"])
      await tx.unsafe(`delete from ${table} where period_id = ${periodId}`);
    await tx`
      insert into leaderboard_scores (part, player_id, period_id, sort_score, reached_seq)
      select part, player_id, ${periodId}, score, seq from unnest(${arrayText(rows.map(({ player }) => players[player]!.part))}::text::smallint[],
        ${arrayText(rows.map(({ player }) => players[player]!.playerId))}::text::uuid[], ${arrayText(rows.map(({ score }) => score))}::text::numeric[],
        ${arrayText(rows.map(({ reachedSeq }) => reachedSeq))}::text::bigint[]) as r(part, player_id, score, seq)`;
    for (const { block, lower, inner, upper } of blocks) {
      await tx`
        insert into leaderboard_blocks (period_id, block, lower, upper, bounds)
        values (${periodId}, ${block}, ${bound(lower)}::numeric, ${bound(upper)}::numeric, ${arrayText(inner)}::text::numeric[])`;
      const edges = [lower, ...inner, upper];
      for (let lane = 0; lane < 4; lane++) {
        const own = rows.filter(({ player }) => boardLaneOf(players[player]!.part) === lane);
        const counts = edges.slice(1).map((edge, at) => own.filter(({ score }) => score >= edges[at]! && score < edge).length);
        const total = counts.reduce((sum, count) => sum + count, 0);
        // A block in which a lane has no score yet has no counts of it.
        if (total > 0)
          await tx`insert into leaderboard_counts (period_id, block, lane, total, counts) values (${periodId}, ${block}, ${lane}, ${total}, ${arrayText(counts)}::text::int[])`;
      }
    }
  });
  const idOf = ({ player }: Row) => players[player]!.playerId;
  return rows.toSorted((a, b) => a.score - b.score || a.reachedSeq - b.reachedSeq || (idOf(a) < idOf(b) ? -1 : 1));
}

const asked = ({ player, top, neighbours }: { player: number; top: number; neighbours: number }): StandingsWanted => ({
  leaderboardId: LEADERBOARD,
  wanted: WANTED,
  player: players[player]!,
  top,
  neighbours,
});

const rowsWithRanks = ({ top, around, firstRank, secondRank }: Standings) => {
  const placed = (rows: Standings["top"], first?: number, second?: number | null) =>
    ranks(rows, first, second).map((rank, at) => ({ rank, ...rows[at]! }));
  return { top: placed(top), around: around.length === 0 ? [] : placed(around, firstRank!, secondRank) };
};

/** The expected standings, from all rows in order. */
function expected(order: readonly Row[], { player, top, neighbours }: { player: number; top: number; neighbours: number }) {
  const own = order.findIndex((row) => row.player === player);
  const shown = (from: number, to: number) =>
    order.slice(Math.max(0, from), to).map((row) => ({
      rank: 1 + order.filter(({ score }) => score < row.score).length,
      name: row.player % 10 === 0 ? null : `p${row.player}`,
      sortScore: row.score,
      isMe: row.player === player,
    }));
  return { top: shown(0, top), around: own < 0 ? [] : shown(own - neighbours, own + neighbours + 1) };
}

/** Counts the statements that load standings. */
function counting(): { database: Database; statements(): number } {
  let count = 0;
  const counted = new Proxy(sql, {
    apply(target, self, of: [TemplateStringsArray, ...unknown[]]) {
      if (of[0].join("").includes("leaderboard_standings_of")) count += 1;
      return Reflect.apply(target, self, of) as unknown;
    },
  });
  return { database: { ...database, sql: counted }, statements: () => count };
}

const score = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: -600, max: 600 }).map((value) => value / 100),
);
const filled = fc.record({
  scores: fc.array(score, { maxLength: PLAYERS - 4 }),
  bounds: fc.uniqueArray(score, { maxLength: 14 }).map((bounds) => bounds.toSorted((a, b) => a - b)),
  blockEvery: fc.integer({ min: 1, max: 6 }),
});
const reader = fc.record({
  player: fc.nat({ max: PLAYERS - 1 }),
  top: fc.nat({ max: 6 }),
  neighbours: fc.nat({ max: 6 }),
});

test("readers that share a statement get the same result as alone, and the ranks of all scores in order", async () => {
  await fc.assert(
    fc.asyncProperty(filled, fc.array(reader, { minLength: 1, maxLength: 20 }), async (board, readers) => {
      const order = await fill(board);
      const { database: counted, statements } = counting();
      const together = await Promise.all(readers.map((one) => standingsTogether(counted)(asked(one))));
      expect(statements()).toBe(1);
      for (const [at, one] of readers.entries()) {
        expect(together[at]?.participants).toBe(order.length);
        expect(rowsWithRanks(together[at]!)).toEqual(expected(order, one));
        const alone = (await loadStandings(sql, asked(one)))!;
        expect({ ...together[at], ...rowsWithRanks(together[at]!) }).toEqual({ ...alone, ...rowsWithRanks(alone) });
      }
    }),
    { numRuns: 40 },
  );
});

test("a read that arrives during a statement sees everything written before its arrival", async () => {
  await fill({ scores: [1, 2, 3], bounds: [], blockEvery: 1 });
  const { promise: hang, resolve: goOn } = Promise.withResolvers<void>();
  let statements = 0;
  // The first statement has read, but its result never arrives.
  const slow = new Proxy(sql, {
    apply(target, self, of: [TemplateStringsArray, ...unknown[]]) {
      const query = Reflect.apply(target, self, of) as Promise<unknown>;
      if (!of[0].join("").includes("leaderboard_standings_of")) return query;
      return ++statements > 1 ? query : query.then((rows) => hang.then(() => rows));
    },
  });
  const load = standingsTogether({ ...database, sql: slow });
  const first = load(asked({ player: 0, top: 1, neighbours: 0 }));
  await expect.poll(() => statements).toBe(1);
  await fill({ scores: [1, 2, 3, 4], bounds: [], blockEvery: 1 });
  expect((await load(asked({ player: 3, top: 1, neighbours: 0 })))?.firstRank).toBe(4);
  goOn();
  expect((await first)?.participants).toBe(3);
});

test("a missing period is null for every reader, and boards and periods do not share a statement", async () => {
  await fill({ scores: [1, 2], bounds: [], blockEvery: 1 });
  const { database: counted, statements } = counting();
  const load = standingsTogether(counted);
  const own = asked({ player: 1, top: 2, neighbours: 1 });
  const found = await Promise.all([
    load(own),
    load({ ...own, wanted: { start: "2026-01-12" } }),
    load({ ...own, wanted: { start: "2026-01-12" }, top: 0 }),
    load({ ...own, wanted: "settled" }),
    load({ ...own, leaderboardId: LEADERBOARD + 1 }),
  ]);
  expect(found.map((standings) => standings?.firstRank ?? null)).toEqual([1, null, null, null, null]);
  expect(statements()).toBe(4);
});

test("no statement serves more than 64 readers", async () => {
  await fill({ scores: [1, 2], bounds: [], blockEvery: 1 });
  const { database: counted, statements } = counting();
  const found = await Promise.all(
    Array.from({ length: 150 }, (_, at) => standingsTogether(counted)(asked({ player: at % 3, top: 1, neighbours: 0 }))),
  );
  expect(found.map((standings) => standings?.firstRank)).toEqual(found.map((_, at) => [1, 2, null][at % 3]));
  expect(statements()).toBe(3);
});
