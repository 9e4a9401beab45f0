import { type Database, type Sql, transact } from "../db/client.ts";
import { lockShared } from "../server/engine/store/locks.ts";
import { writeJson } from "../server/model/kernel/json.ts";
import { BOARD_LANES, boardLaneOf } from "../server/model/kernel/lanes.ts";
import { periodsWithFullBlocks } from "../server/game/leaderboards/store/blocks.ts";
import { saveScores, type ScoreChangeRow } from "../server/engine/store/scores.ts";
import { type PlayerKey, playerKey } from "../server/model/players/identity.ts";
import { cutRanges } from "../server/game/leaderboards/service/cut-ranges.ts";
import { alternate, HERE } from "./harness/alternate.ts";
import { type Board, expectCounts, openBoard } from "./harness/boards.ts";
import { playerName } from "./harness/events.ts";
import { sized } from "./harness/size.ts";
import type { Context, Figure, Measured } from "./harness/figure.ts";
import { median, round } from "./harness/statistics.ts";
import { definitionsOf } from "../server/engine/definitions.ts";
import { loadEnvironment } from "../server/engine/environment.ts";

/** The rows per transaction of a lane, and the transactions per turn. */
const SLICE = 500;
const SLICES = sized({ smoke: 2, usual: 40 });
/** The numbers of scores of a board. */
const SMALL = sized({ smoke: 1_000, usual: 100_000 });
const LARGE = sized({ smoke: 5_000, usual: 1_000_000, full: 10_000_000 });

/** The cost of keeping ranks, compared with plain upserts of the same scores. */
export const scoreUpdates: Figure = {
  name: "score-updates",
  title: "score updates/s on one board, ranks kept, to plain upserts",
  better: "more",
  reach: 0.6,
  stretch: 0.8,
  async measure(context) {
    const small = await measureAt(context, SMALL);
    const large = await measureAt(context, LARGE);
    large.notes.push(`with ${SMALL} scores: ${round(ratioOf(small))}`);
    return large;
  },
};

const ratioOf = ({ ours, reference }: Measured): number => median(ours.values.map((value, turn) => value / reference.values[turn]!));
export const UPDATES = BOARD_LANES * SLICES * SLICE;

async function measureAt(context: Context, players: number): Promise<Measured> {
  const database = await context.server.create(`bench_scores_${players}`);
  context.atEnd(database.close);
  context.say(`${players} scores`);
  const board = await openBoard(database, players, "uniform");
  await database.sql`create table plain_scores (part smallint, player_id uuid, score numeric not null, primary key (part, player_id)) with (fillfactor = 90)`;
  await database.sql`insert into plain_scores select part, player_id, -sort_score from leaderboard_scores order by part, player_id`;
  await database.sql`vacuum (analyze) plain_scores`;
  const pool = context.server.pool(database.url, BOARD_LANES + 1);
  context.atEnd(pool.close);
  await database.sql`create table first_scores as select * from plain_scores`;
  const gained = { plain: new Map<string, number>(), ranked: new Map<string, number>() };
  const side = (name: string, which: keyof typeof gained, update: (slices: Lanes) => Promise<number>) => {
    let slices: Lanes = [];
    return {
      name,
      costs: { of: "an update", by: [HERE] },
      async prepare() {
        slices = makeLanes(board);
        for (const { key, amount } of slices.flat(2)) gained[which].set(key.playerId, (gained[which].get(key.playerId) ?? 0) + amount);
      },
      measure: async () => ({ value: await update(slices), done: UPDATES }),
    };
  };
  const measured = await alternate(
    context,
    "updates/s",
    side("plain upserts", "plain", (slices) => inLanes(slices, (slice) => plainUpserts(pool, slice))),
    side(`saveScores, ${players} scores`, "ranked", (slices) => rankedUpdates(pool, board, slices)),
  );
  const { outcome } = context;
  const { sql } = database;
  await sql.unsafe(
    `create view ranked_scores as select part, player_id, -sort_score as score from leaderboard_scores where period_id = ${board.periodId}`,
  );
  outcome.equal(
    `plain scores of ${players} that are not the sum of their updates`,
    await wrongScores(sql, "plain_scores", gained.plain),
    0,
  );
  outcome.equal(`scores of ${players} that are not the sum of their updates`, await wrongScores(sql, "ranked_scores", gained.ranked), 0);
  await expectCounts(context, board);
  return measured;
}

/** The number of wrong scores, including those of players without updates. */
async function wrongScores(sql: Sql, scores: string, gained: ReadonlyMap<string, number>): Promise<number> {
  const [row] = await sql<{ wrong: number }[]>`
    with gained as materialized (
      select * from unnest(${sql.array([...gained.keys()])}::uuid[], ${sql.array([...gained.values()])}::int[]) as g(player_id, amount)
    )
    select count(*) as wrong
    from first_scores f left join gained g using (player_id) full join ${sql(scores)} s using (part, player_id)
    where s.score is distinct from f.score + coalesce(g.amount, 0)`;
  return row!.wrong;
}

export type Slice = readonly { key: PlayerKey; amount: number }[];

/** Slices of random players, by lane. */
export type Lanes = readonly (readonly Slice[])[];

export function makeLanes(board: Board): Lanes {
  const lanes = Array.from({ length: BOARD_LANES }, (): { key: PlayerKey; amount: number }[][] => [[]]);
  for (let left = BOARD_LANES * SLICES; left > 0;) {
    const key = playerKey(board.project.environment.id, playerName(Math.floor(Math.random() * board.players)));
    const slices = lanes[boardLaneOf(key.part)]!;
    if (slices.length > SLICES) continue;
    const slice = slices.at(-1)!;
    slice.push({ key, amount: 1 + Math.floor(Math.random() * 100) });
    if (slice.length < SLICE) continue;
    slices.push([]);
    left--;
  }
  return lanes.map((slices) => slices.slice(0, SLICES));
}

/** Runs a lane's slices one after the other, and the lanes in parallel. Returns updates a second. */
export async function inLanes(lanes: Lanes, update: (slice: Slice) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await Promise.all(
    lanes.map(async (slices) => {
      for (const slice of slices) await update(slice);
    }),
  );
  return (UPDATES * 1000) / (performance.now() - started);
}

export async function plainUpserts(pool: Database, slice: Slice): Promise<void> {
  const sums = new Map<string, PlayerKey & { score: number }>();
  for (const { key, amount } of slice) sums.set(key.playerId, { ...key, score: (sums.get(key.playerId)?.score ?? 0) + amount });
  await transact(
    pool,
    (tx) => tx`
      insert into plain_scores (part, player_id, score)
      select part, "playerId", score
      from json_to_recordset(${writeJson([...sums.values()])}::text::json) as r("part" smallint, "playerId" uuid, "score" numeric)
      on conflict (part, player_id) do update set score = plain_scores.score + excluded.score`,
  );
}

let seq = 1_000_000_000;

/** Saves scores while the worker's job cuts ranges. */
export async function rankedUpdates(pool: Database, board: Board, slices: Lanes): Promise<number> {
  const environment = (await loadEnvironment(pool.sql, board.project.environment.id))!;
  const definitions = await definitionsOf(pool.sql, environment);
  const { leaderboardId } = board;
  const period = { start: "", number: 0, startsAt: null, endsAt: null };
  let isOver = false;
  const cutting = (async () => {
    while (!isOver) {
      for (const id of await periodsWithFullBlocks(pool.sql)) await cutRanges(pool, id);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const rate = await inLanes(slices, (slice) =>
    transact(pool, async (tx) => {
      await lockShared(tx, environment.id);
      const changes = slice.map(({ key, amount }): ScoreChangeRow => {
        return {
          ...key,
          isHidden: false,
          leaderboardId,
          period,
          team: null,
          change: { by: "Sum", value: amount, at: 0 },
          seq: ++seq,
        };
      });
      await saveScores(tx, definitions, environment.id, changes);
    }),
  );
  isOver = true;
  await cutting;
  return rate;
}
