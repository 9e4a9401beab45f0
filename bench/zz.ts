import { startDatabase } from "./harness/database.ts";
import { openBoard } from "./harness/boards.ts";
import { playerKey } from "../server/players/identity.ts";
import { playerName } from "./harness/events.ts";
import { transact } from "../db/client.ts";
import { writeJson } from "../server/kernel/json.ts";
const N = Number(process.argv[2] ?? 1_000_000);
const server = await startDatabase();
const database = await server.create("zz", { connections: 5 });
const board = await openBoard(database, N, "uniform");
const { sql } = database;
const [info] = await sql`select (select count(*) from leaderboard_blocks) blocks, (select sum(cardinality(bounds)+1) from leaderboard_blocks) ranges`;
console.log(info);
const t: Record<string, number> = {};
const time = async (name: string, p: () => Promise<unknown>) => { const s = performance.now(); const r = await p(); t[name] = (t[name] ?? 0) + performance.now() - s; return r as any; };
let seq = 1e9;
await sql`create table plain_scores (part smallint, player_id uuid, score numeric not null, primary key (part, player_id)) with (fillfactor = 90)`;
await sql`insert into plain_scores select part, player_id, -sort_score from leaderboard_scores order by part, player_id`;
await sql`vacuum (analyze) plain_scores`;
for (let round = 0; round < 60; round++) {
  if (round === 10) for (const k of Object.keys(t)) t[k] = 0;
  const keys: any[] = [];
  const seen = new Set<string>();
  while (keys.length < 500) { const key = playerKey(board.project.environment.id, playerName(Math.floor(Math.random() * N))); if (key.part >> 8 === round % 4 && !seen.has(key.playerId) && seen.add(key.playerId)) keys.push({ ...key, periodId: board.periodId }); }
  await transact(database, async (tx) => {
    await time("plain", () => tx`
      insert into plain_scores (part, player_id, score)
      select part, "playerId", score
      from json_to_recordset(${writeJson(keys.map((k) => ({ part: k.part, playerId: k.playerId, score: 50 })))}::text::json) as r("part" smallint, "playerId" uuid, "score" numeric)
      on conflict (part, player_id) do update set score = plain_scores.score + excluded.score`.execute());
  });
  await transact(database, async (tx) => {
    await tx`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true)`;
    const rows = await time("load", () => tx`
    select s.part, s.player_id as "playerId", s.period_id as "periodId", s.sort_score::text as score, s.reached_seq as "reachedSeq",
      (extract(epoch from s.latest_at) * 1000)::bigint as "latestAt"
    from json_to_recordset(${writeJson(keys)}::text::json) as w("part" smallint, "playerId" uuid, "periodId" int)
    join leaderboard_scores s on s.part = w.part and s.player_id = w."playerId" and s.period_id = w."periodId"`.execute());
    const next = rows.map((r: any) => ({ part: r.part, playerId: r.playerId, periodId: r.periodId, sortScore: Number(r.score) - 50, reachedSeq: ++seq, latest: null, old: r.score }));
    next.sort((a: any, b: any) => a.part - b.part || (a.playerId < b.playerId ? -1 : 1));
    await time("upsert", () => tx`
    insert into leaderboard_scores (part, player_id, period_id, sort_score, reached_seq, latest_at)
    select part, "playerId", "periodId", "sortScore", "reachedSeq", to_timestamp(latest)
    from json_to_recordset(${writeJson(next)}::text::json)
      as r("part" smallint, "playerId" uuid, "periodId" int, "sortScore" numeric, "reachedSeq" bigint, "latest" float8)
    on conflict (part, player_id, period_id) do update
      set sort_score = excluded.sort_score, reached_seq = excluded.reached_seq, latest_at = excluded.latest_at`.execute());
    const m = new Map<string, number>();
    for (const r of next) { m.set(r.old, (m.get(r.old) ?? 0) - 1); m.set(String(r.sortScore), (m.get(String(r.sortScore)) ?? 0) + 1); }
    await time("count", () => tx`select leaderboard_count(${board.periodId}::int, ${round % 4}::int, ${`{${[...m.keys()].join(",")}}`}::text::numeric[], ${`{${[...m.values()].join(",")}}`}::text::int[])`.execute());
    await time("commit-start", async () => {});
    (globalThis as any).s = performance.now();
  });
  t.commit = (t.commit ?? 0) + performance.now() - (globalThis as any).s;
}
for (const [k, v] of Object.entries(t)) console.log(k, (v / 50).toFixed(2), "ms per slice of 500");
const [plan] = await sql`select pg_size_pretty(pg_relation_size('leaderboard_scores')) t, pg_size_pretty(pg_relation_size('leaderboard_scores_in_order')) i, pg_size_pretty(pg_relation_size('leaderboard_scores_part_player_id_period_id_pk')) pk`;
console.log(plan);
await database.close(); await server.close(); process.exit(0);
