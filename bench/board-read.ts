import { alternate } from "./harness/alternate.ts";
import { type Board, expectCounts, openBoards, type Spread, SPREADS } from "./harness/boards.ts";
import { makeRequests, playerName } from "./harness/events.ts";
import type { Context, Figure, Measured } from "./harness/figure.ts";
import { expectOk, requestOf, withConnections } from "./harness/http.ts";
import { CONNECTIONS, readFor, untilApplied, withLoad } from "./harness/load.ts";
import { type Server, startService } from "./harness/process.ts";
import { pointsRequest } from "./harness/project.ts";
import { cpuUsOf } from "./harness/proc.ts";
import { expectNothingLeft } from "./harness/recount.ts";
import { SIZE, sized } from "./harness/size.ts";
import { median, percentile, round } from "./harness/statistics.ts";

const READERS = sized({ smoke: 50, usual: 1_000 });
const DURATION_MS = sized({ smoke: 40, usual: 2_000 });
/** The numbers of scores of a board. */
const SMALLER = { smoke: [], usual: [100_000], full: [100_000, 1_000_000] };
const MAX = sized({ smoke: 1_000, usual: 1_000_000, full: 10_000_000 });
const TOP = 10;
const NEIGHBOURS = 5;
/** Events a second; each changes a score on every board. */
const EVENTS_PER_SECOND = 2_000;

/** The cost of a player's rank among millions while scores change, compared with the cheapest read. */
export const boardRead: Figure = {
  name: "board-read",
  title: "board read during updates, p95 to points read",
  better: "less",
  reach: 3,
  stretch: 1.5,
  async measure(context) {
    const notes: string[] = [];
    for (const players of SMALLER[SIZE]) {
      const { ours, reference } = await measureAt(context, players);
      notes.push(`with ${players} scores: ${round(median(ours.values.map((value, turn) => value / reference.values[turn]!)))}`);
    }
    const largest = await measureAt(context, MAX, { costs: true });
    largest.notes.push(...notes);
    return largest;
  },
};

const SPREAD_NAMES = Object.keys(SPREADS) as Spread[];

async function measureAt(context: Context, players: number, { costs = false } = {}): Promise<Measured> {
  context.say(`${players} scores on each of ${SPREAD_NAMES.length} boards`);
  const database = await context.server.create(`bench_board_read_${players}`);
  context.atEnd(database.close);
  const boards = await openBoards(database, players, SPREAD_NAMES);
  const names = Array.from({ length: READERS }, () => playerName(Math.floor(Math.random() * players)));
  await writeBalances(boards[0]!, names);
  const service = await startService(context, database.url);
  const { key } = boards[0]!.project;
  const loads: number[] = [];
  const p95 = async (requests: readonly Buffer[]) => {
    const { times, load } = await readDuringUpdates(service, boards[0]!, requests);
    loads.push(load);
    return percentile(times, 0.95);
  };
  const found = boards.map((board, at) => ({ spread: SPREAD_NAMES[at]!, board, p95s: [] as number[] }));
  const measured = await alternate(
    context,
    "ms p95",
    { name: "GET /v1/points", measure: () => p95(names.map((name) => pointsRequest(key, name))) },
    {
      name: `GET /v1/leaderboards/…, ${players} scores, the slowest board`,
      measure: async (turn) => {
        let slowest = 0;
        for (const { board, p95s } of found) {
          const value = await p95(names.map((name) => boardRequest(board, name)));
          if (turn >= 0) p95s.push(value);
          slowest = Math.max(slowest, value);
        }
        return slowest;
      },
    },
  );
  await untilApplied(database.sql);
  if (costs) {
    const reads = names.map((name) => pointsRequest(key, name));
    measured.notes.push(await costOf(context, service, "GET /v1/points", reads));
    for (const { spread, board } of found) {
      const ofBoard = names.map((name) => boardRequest(board, name));
      measured.notes.push(await costOf(context, service, spread, ofBoard));
    }
  }
  for (const board of boards) for (const name of names.slice(0, 10)) await expectRank(context, service, board, name);
  await expectNothingLeft(context.outcome, database.sql);
  await expectCounts(context, boards[0]!);
  measured.notes.push(
    ...found.map(({ spread, p95s }) => `${spread}: ${round(median(p95s))} ms p95`),
    `${EVENTS_PER_SECOND} events/s were to be sent meanwhile; it was between ${round(Math.min(...loads))} and ${round(Math.max(...loads))}`,
  );
  await service.stop();
  return measured;
}

const boardRequest = ({ project, key }: Board, playerId: string): Buffer =>
  requestOf("GET", `/v1/leaderboards/${key}?PlayerId=${playerId}&Top=${TOP}&Neighbours=${NEIGHBOURS}`, { key: project.key });

/** Writes the balances that the reference reads. */
async function writeBalances({ database: { sql } }: Board, names: readonly string[]): Promise<void> {
  await sql`
    insert into balances (part, player_id, balance, total_granted)
    select part, player_id, 120, 120 from players where external_id = any(${sql.array([...names])})`;
  await sql`vacuum (analyze) balances`;
}

async function readDuringUpdates({ port }: Server, { project, players }: Board, requests: readonly Buffer[]) {
  const batches = makeRequests(project.key, Math.ceil((EVENTS_PER_SECOND * DURATION_MS) / 1_000_000) + 2, { count: players });
  let times: number[] = [];
  const load = await withLoad(port, { requests: batches, eventsPerSecond: EVENTS_PER_SECOND }, async () => {
    ({ times } = await readFor(port, requests, CONNECTIONS, DURATION_MS));
  });
  return { times, load };
}

/** The cost of a read on an idle service, from all connections and from one. */
async function costOf({ server }: Context, { port, pid }: Server, name: string, requests: readonly Buffer[]): Promise<string> {
  const from = async (connections: number) => {
    await readFor(port, requests, connections, DURATION_MS / 4);
    const before = [cpuUsOf(pid), server.cpuUs()];
    const { rate, times } = await readFor(port, requests, connections, DURATION_MS);
    const [node, postgres] = [cpuUsOf(pid), server.cpuUs()].map((after, at) =>
      after === null ? "unknown" : round((after - before[at]!) / times.length),
    );
    return `from ${connections} ${round(rate)}/s, ${node} µs of Node and ${postgres} µs of PostgreSQL each, ${round(median(times))} ms in the middle`;
  };
  return `without updates, ${name}: ${await from(CONNECTIONS)}; ${await from(1)}`;
}

interface Shown {
  leaderboard: { participants: number; me: { rank: number } };
  top: unknown[];
  around: unknown[];
}

/** Compares ranks with counted ones: a wrong answer could be fast. */
async function expectRank({ outcome }: Context, { port }: Server, board: Board, name: string): Promise<void> {
  const { leaderboard, top, around } = await withConnections(
    port,
    1,
    async ([connection]) => JSON.parse(expectOk(await connection!.request(boardRequest(board, name))).toString()) as Shown,
  );
  const [row] = await board.database.sql<{ rank: number }[]>`
    select 1 + count(*) as rank from leaderboard_scores where period_id = ${board.periodId} and sort_score < (
      select s.sort_score from leaderboard_scores s join players p on p.part = s.part and p.player_id = s.player_id
      where s.period_id = ${board.periodId} and p.environment_id = ${board.project.environment.id} and p.external_id = ${name})`;
  outcome.equal(`a rank on ${board.key}, by counting`, { name, rank: leaderboard.me.rank }, { name, rank: row!.rank });
  outcome.equal("participants", leaderboard.participants, board.players);
  outcome.equal("rows on top", top.length, TOP);
  outcome.atLeast("rows around", around.length, NEIGHBOURS + 1);
}
