import { join } from "node:path";
import type { Database } from "../../db/client.ts";
import { readStandings } from "../../server/game/leaderboards/service/read.ts";
import { type PlayerKey, playerKey } from "../../server/model/players/identity.ts";
import { type Board, expectCounts, openBoard } from "../harness/boards.ts";
import { playerName } from "../harness/events.ts";
import { inLanes, type Lanes, makeLanes, plainUpserts, rankedUpdates, UPDATES } from "../score-updates.ts";
import { type BesideContext, type Contest, middle, middleSpending, p95, spending, type Spending } from "./contest.ts";
import { RankCache } from "./rank-cache.ts";
import { type Connection, expectOk, requestOf, withConnections } from "../harness/http.ts";
import { cpuUsOf } from "../harness/proc.ts";
import { type Server, startServer, startService } from "../harness/process.ts";
import { hashOf } from "../../server/model/api-keys/key.ts";
import { type Fsync, keyName, redisVersion, startRedis } from "./redis.ts";
import { loadEnvironment } from "../../server/engine/environment.ts";

const TOP = 10;
const NEIGHBOURS = 5;
const READERS = 16;
const READ_MS = 2_000;
const COMPARED = 50;

interface Contestant {
  name: string;
  durability: string;
  /** For HTTP: its server, and a function that opens a connection per reader for the duration of some work. Reads only run within it. */
  http?: { server: Server; connected<T>(work: () => Promise<T>): Promise<T> };
  /** CPU of the process that stores the data, in microseconds. */
  serverUs(): number | null;
  /** Applies updates; returns updates a second. Left out where another line has the same. */
  update?(lanes: Lanes): Promise<number>;
  /** Reads a player's rank, the top rows and the rows around them; returns the rank, which equal scores share. */
  read(player: PlayerKey & { name: string }): Promise<number>;
}

interface Scored {
  playerId: string;
  score: number;
}

/**
 * Applies the same changes to the same scores, then reads them: from this process by each system's own client, and over HTTP with a key
 * lookup, from this service and from a hand-written server on Redis.
 */
export async function leaderboards(context: BesideContext): Promise<Contest> {
  const { players, rounds, say, outcome, server } = context;
  const database = await server.create("beside_service");
  context.atEnd(database.close);
  const board = await openBoard(database, players, "uniform");
  const file = join(server.files, "scores.txt");
  await database.sql.unsafe(
    `copy (select part, player_id, -sort_score from leaderboard_scores where period_id = ${board.periodId} order by part, player_id) to '${file}'`,
  );
  const scores = await database.sql<Scored[]>`
    select player_id, -sort_score::bigint as score from leaderboard_scores where period_id = ${board.periodId}`;
  const counted = await openPlain(context, "beside_counted", file);
  await counted.sql`create index on plain_scores (score desc, player_id)`;
  await counted.sql`vacuum (analyze) plain_scores`;
  const contestants = [
    ...(await ofService(context, database.url, board)),
    byCounting(context, counted),
    inMemory(context, await openPlain(context, "beside_cached", file), scores),
    ...(await onRedis(context, board, scores)),
  ];
  const results = contestants.map(() => ({
    ...{ updates: [] as number[], updating: [] as Spending[] },
    ...{ reads: [] as number[], times: [] as number[], reading: [] as Spending[] },
  }));
  const randomPlayer = () => {
    const name = playerName(Math.floor(Math.random() * players));
    return { name, ...playerKey(board.project.environment.id, name) };
  };
  for (let turn = -1; turn < rounds; turn++) {
    const lanes = makeLanes(board);
    for (const [at, { name, http, serverUs, update, read }] of contestants.entries()) {
      const updating = spending([process.pid], serverUs);
      const rate = (await update?.(lanes)) ?? null;
      const perUpdate = updating(UPDATES);
      const reading = spending(http === undefined ? [process.pid] : [process.pid, http.server.pid], serverUs);
      const readIt = () => readAll(() => read(randomPlayer()));
      const times = await (http === undefined ? readIt() : http.connected(readIt));
      const perRead = reading(times.length);
      const updates = rate === null ? "" : `${Math.round(rate)} updates/s, `;
      say(`${turn < 0 ? "warm-up" : `round ${turn + 1}`}: ${name}: ${updates}${Math.round((times.length * 1000) / READ_MS)} reads/s`);
      if (turn < 0) continue;
      const own = results[at]!;
      if (rate !== null) own.updates.push(rate);
      own.updating.push(perUpdate);
      own.reads.push((times.length * 1000) / READ_MS);
      own.reading.push(perRead);
      own.times.push(p95(times));
    }
  }
  for (let at = 0; at < COMPARED; at++) {
    const player = randomPlayer();
    const [row] = await counted.sql<{ rank: number }[]>`
      select 1 + count(*) as rank from plain_scores where score > (select score from plain_scores where part = ${player.part} and player_id = ${player.playerId})`;
    for (const { name, http, read } of contestants) {
      const readIt = () => read(player);
      outcome.equal(`rank of ${player.name}, ${name}`, await (http === undefined ? readIt() : http.connected(readIt)), row!.rank);
    }
  }
  await expectCounts(context, board);
  return {
    title: `Leaderboards: one board of ${players} scores`,
    columns: [
      ...["system", "durability", "updates/s", "CPU µs an update, Node + server"],
      ...["reads/s", "p95 of a read, ms", "CPU µs a read, Node + server"],
    ],
    rows: contestants.map(({ name, durability, update }, at) => {
      const { updates, updating, reads, times, reading } = results[at]!;
      const written = update === undefined ? ["–", "–"] : [middle(updates), middleSpending(updating)];
      return [name, durability, ...written, middle(reads), middle(times), middleSpending(reading)];
    }),
    notes: [
      `${UPDATES} updates a turn, four side by side in sets of 500; then reads for ${READ_MS / 1000} s, ${READERS} side by side: the own rank, the first ${TOP}, and ${NEIGHBOURS} on either side.`,
      "Over HTTP, each request has a key that is looked up, and the answer has names. Node.js is then the client and the server.",
      `${COMPARED} ranks of each were compared with counted ones at the end.`,
      ...(redisVersion() === null
        ? ["Redis was left out: there is no redis-server on this machine (Debian: apt-get install redis-server)."]
        : []),
    ],
  };
}

async function readAll(read: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + READ_MS;
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      for (let begun = performance.now(); begun < until;) {
        await read();
        const now = performance.now();
        times.push(now - begun);
        begun = now;
        // In-memory systems would otherwise never yield to the timer.
        await new Promise(setImmediate);
      }
    }),
  );
  return times;
}

const IN_POSTGRES = "PostgreSQL, each set of 500 is one durable transaction";

async function ofService(context: BesideContext, url: string, board: Board): Promise<Contestant[]> {
  const { server, atEnd } = context;
  const pool = server.pool(url, READERS);
  atEnd(pool.close);
  const environment = (await loadEnvironment(pool.sql, board.project.environment.id))!;
  const query = { leaderboardKey: board.key, language: null, top: TOP, neighbours: NEIGHBOURS, previous: false, named: null };
  const shared = { durability: IN_POSTGRES, serverUs: server.cpuUs };
  const http = await startService(context, url, { worker: false, pages: false });
  return [
    {
      ...shared,
      name: "this service, asked through the driver",
      update: (lanes) => rankedUpdates(pool, board, lanes),
      async read({ name }) {
        const { leaderboard } = await readStandings(pool, environment, Date.now(), { ...query, externalId: name });
        return (leaderboard as unknown as { me: { rank: number } }).me.rank;
      },
    },
    { ...shared, name: "this service, over HTTP", ...overHttp(http, board) },
  ];
}

function overHttp(server: Server, { project, key }: Board): Pick<Contestant, "http" | "read"> {
  let idle: Connection[] = [];
  const connected = <T>(work: () => Promise<T>): Promise<T> =>
    withConnections(server.port, READERS, (open) => {
      idle = [...open];
      return work();
    });
  const read: Contestant["read"] = async ({ name }) => {
    const connection = idle.pop()!;
    const path = `/v1/leaderboards/${key}?PlayerId=${name}&Top=${TOP}&Neighbours=${NEIGHBOURS}`;
    const answer = await connection.request(requestOf("GET", path, { key: project.key }));
    idle.push(connection);
    const { leaderboard, top, around } = JSON.parse(expectOk(answer).toString()) as {
      leaderboard: { me: { rank: number } };
      top: { displayName: string | null }[];
      around: { displayName: string | null; isMe: boolean; rank: number }[];
    };
    const isWhole = top.length === TOP && around.some(({ isMe, rank }) => isMe && rank === leaderboard.me.rank);
    if (!isWhole || [...top, ...around].some(({ displayName }) => displayName === null))
      throw new Error(`The rows of ${name} are not whole.`);
    return leaderboard.me.rank;
  };
  return { http: { server, connected }, read };
}

/** A database that holds only the scores. */
async function openPlain({ server, atEnd }: BesideContext, name: string, file: string): Promise<Database> {
  const database = await server.create(name, { connections: READERS });
  atEnd(database.close);
  await database.sql`create table plain_scores (part smallint, player_id uuid, score numeric not null, primary key (part, player_id)) with (fillfactor = 90)`;
  await database.sql.unsafe(`copy plain_scores from '${file}'`);
  await database.sql`vacuum (analyze) plain_scores`;
  return database;
}

const byCounting = ({ server }: BesideContext, database: Database): Contestant => ({
  name: "count(*) over an index",
  durability: IN_POSTGRES,
  serverUs: server.cpuUs,
  update: (lanes) => inLanes(lanes, (slice) => plainUpserts(database, slice)),
  async read({ part, playerId }) {
    const { sql } = database;
    const [[me]] = await Promise.all([
      sql<{ rank: number }[]>`
        select 1 + count(*) as rank from plain_scores
        where score > (select score from plain_scores where part = ${part} and player_id = ${playerId})`,
      sql`select player_id, score from plain_scores order by score desc, player_id limit ${TOP}`,
      sql`
        with me as (select score from plain_scores where part = ${part} and player_id = ${playerId})
        (select player_id, p.score from plain_scores p, me where p.score > me.score order by p.score limit ${NEIGHBOURS})
        union all
        (select player_id, p.score from plain_scores p, me where p.score < me.score order by p.score desc limit ${NEIGHBOURS})`,
    ]);
    return me!.rank;
  },
});

/** The table is written first; the cache follows commits. */
function inMemory({ server }: BesideContext, database: Database, scores: readonly Scored[]): Contestant {
  const cache = new RankCache();
  for (const { playerId, score } of scores) cache.set(playerId, score);
  return {
    name: "rank cache in the process",
    durability: `${IN_POSTGRES}; ranks in memory, rebuilt at each start`,
    serverUs: server.cpuUs,
    update: (lanes) =>
      inLanes(lanes, async (slice) => {
        await plainUpserts(database, slice);
        for (const { key, amount } of slice) cache.set(key.playerId, cache.scoreOf(key.playerId)! + amount);
      }),
    async read({ playerId }) {
      const above = cache.above(cache.scoreOf(playerId)!);
      cache.slice(0, TOP);
      cache.slice(Math.max(0, above - NEIGHBOURS), 2 * NEIGHBOURS + 1);
      return above + 1;
    },
  };
}

async function onRedis(context: BesideContext, board: Board, scores: readonly Scored[]): Promise<Contestant[]> {
  const { server, atEnd } = context;
  const version = redisVersion();
  if (version === null) return [];
  const words: Record<Fsync, string> = {
    always: "append-only file, fsync before the answer",
    everysec: "append-only file, fsync each second: a crash loses up to a second",
  };
  const names = await board.database.sql<{ playerId: string; name: string }[]>`select player_id, display_name as name from players`;
  const contestants: Contestant[] = [];
  for (const fsync of ["always", "everysec"] as const) {
    const { pid, path, client } = await startRedis(server.files, fsync, atEnd);
    for (let at = 0; at < scores.length; at += 1_000)
      await Promise.all(scores.slice(at, at + 1_000).map(({ playerId, score }) => client.command("ZADD", "board", score, playerId)));
    for (let at = 0; at < names.length; at += 1_000)
      await client.command("HSET", "names", ...names.slice(at, at + 1_000).flatMap(({ playerId, name }) => [playerId, name]));
    await client.command("SET", keyName(hashOf(board.project.key)), board.project.environment.id);
    const shared = { durability: words[fsync], serverUs: () => cpuUsOf(pid) };
    contestants.push({
      ...shared,
      name: `Redis ${version} sorted set, asked by its client`,
      update: (lanes) =>
        inLanes(lanes, (slice) => Promise.all(slice.map(({ key, amount }) => client.command("ZINCRBY", "board", amount, key.playerId)))),
      async read({ playerId }) {
        const [score, place] = await Promise.all([
          client.command("ZSCORE", "board", playerId),
          client.command("ZREVRANK", "board", playerId),
          client.command("ZREVRANGE", "board", 0, TOP - 1, "WITHSCORES"),
        ]);
        const [above] = await Promise.all([
          client.command("ZCOUNT", "board", `(${score as string}`, "+inf"),
          client.command("ZREVRANGE", "board", Math.max(0, Number(place) - NEIGHBOURS), Number(place) + NEIGHBOURS, "WITHSCORES"),
        ]);
        return Number(above) + 1;
      },
    });
    if (fsync === "always") continue;
    // Reads are the same for either setting of fsync.
    const http = await startServer(context, "bench/beside/redis-board-server.ts", "/", { REDIS_SOCKET: path });
    contestants.push({ ...shared, name: `Redis ${version} behind node:http by hand`, ...overHttp(http, board) });
  }
  return contestants;
}
