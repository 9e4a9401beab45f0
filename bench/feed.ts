import type { Sql } from "../db/client.ts";
import { playerKey } from "../server/model/players/identity.ts";
import { alternate } from "./harness/alternate.ts";
import { eventDefinition, missionsOn } from "./harness/definitions.ts";
import { makeRequests } from "./harness/events.ts";
import type { Figure } from "./harness/figure.ts";
import { expectOk, withConnections } from "./harness/http.ts";
import { type Loaded, openLoaded, sustainedRate } from "./harness/loaded.ts";
import { readFor, untilApplied, withLoad } from "./harness/load.ts";
import { expectNothingLeft } from "./harness/recount.ts";
import { makeProject, missionsRequest, pointsRequest, type Project } from "./harness/project.ts";
import { sized } from "./harness/size.ts";
import { percentile, round } from "./harness/statistics.ts";

const READERS = sized({ smoke: 10, usual: 200 });
const LIVE = 50;
const COMPLETED = sized({ smoke: 50, usual: 1_000 });
/** The number of different events that the live missions name. */
const EVENTS = 10;
const CONCURRENCY = 8;
const DURATION_MS = sized({ smoke: 300, usual: 4_000 });

/** The cost of a player's mission feed after years of playing, compared with the cheapest read. */
export const feed: Figure = {
  name: "feed",
  title: "mission feed under half load, p95 to points read",
  better: "less",
  reach: 1.5,
  stretch: 1.2,
  async measure(context) {
    const loaded = await openLoaded(context, "feed");
    const readers = await openReaders(loaded);
    const half = (await sustainedRate(loaded)) / 2;
    const loads: number[] = [];
    const side = (name: string, requests: readonly Buffer[]) => ({
      name,
      measure: async () => {
        const { p95, load } = await readUnderLoad(loaded, half, requests);
        loads.push(load);
        return p95;
      },
    });
    const measured = await alternate(
      context,
      "ms p95",
      side(
        "GET /v1/points",
        readers.map(({ points }) => points),
      ),
      side(
        `POST /v1/missions, ${LIVE} live, ${COMPLETED} completed`,
        readers.map(({ missions }) => missions),
      ),
    );
    const { outcome } = context;
    await withConnections(loaded.service.port, 1, async ([connection]) => {
      for (const { points, missions } of readers) {
        const rows = JSON.parse(expectOk(await connection!.request(missions)).toString()) as { status: string }[];
        outcome.equal("missions in a feed, all in progress", rows.filter(({ status }) => status === "InProgress").length, LIVE);
        const { balance } = JSON.parse(expectOk(await connection!.request(points)).toString()) as { balance: number };
        outcome.equal("points of a reader", balance, COMPLETED * 10);
      }
    });
    await expectNothingLeft(outcome, loaded.database.sql);
    await loaded.service.stop();
    await outcome.audited("the environment under load", loaded.database, loaded.project.environment);
    measured.notes.push(
      `half load is ${round(half)} events/s; it was between ${round(Math.min(...loads))} and ${round(Math.max(...loads))}`,
    );
    return measured;
  },
};

async function readUnderLoad({ service, project, players, database }: Loaded, half: number, requests: readonly Buffer[]) {
  const batches = makeRequests(project.key, Math.ceil((half * DURATION_MS) / 1_000_000) + 2, players);
  let times: number[] = [];
  const load = await withLoad(service.port, { requests: batches, eventsPerSecond: half }, async () => {
    ({ times } = await readFor(service.port, requests, CONCURRENCY, DURATION_MS));
  });
  await untilApplied(database.sql);
  return { p95: percentile(times, 0.95), load };
}

/** Players of a second customer with a long past: their thousand completed missions are written in SQL, then a read enters them. */
async function openReaders({ database, service }: Loaded): Promise<{ points: Buffer; missions: Buffer }[]> {
  const events = Array.from({ length: EVENTS }, (_, index) => `event_${index}`);
  const project = await makeProject(database, "readers", {
    events: ["visit", ...events].map(eventDefinition),
    missions: [...missionsOn("visit", COMPLETED), ...events.flatMap((event) => missionsOn(event, LIVE / EVENTS))],
  });
  const names = Array.from({ length: READERS }, (_, index) => `reader-${index}`);
  await writePast(database.sql, project, names);
  const readers = names.map((name) => ({ points: pointsRequest(project.key, name), missions: missionsRequest(project.key, name) }));
  await withConnections(service.port, 1, async ([connection]) => {
    for (const { missions } of readers) {
      const rows = JSON.parse(expectOk(await connection!.request(missions)).toString()) as unknown[];
      if (rows.length !== LIVE) throw new Error(`A reader has ${rows.length} missions instead of ${LIVE}.`);
    }
  });
  await database.sql`vacuum (analyze)`;
  return readers;
}

async function writePast(sql: Sql, { environment }: Project, names: readonly string[]): Promise<void> {
  const rows = names.map((name) => ({ ...playerKey(environment.id, name), name }));
  await sql`
    with reader as (select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as r("part" smallint, "playerId" uuid, "name" text)),
    mission as (
      select id from definitions where environment_id = ${environment.id} and kind = 'missions' order by id limit ${COMPLETED}
    ),
    player as (
      insert into players (part, player_id, environment_id, external_id, completed_missions, created_at)
      select part, "playerId", ${environment.id}, name, (select array_agg(id order by id) from mission), now() from reader
    ),
    balance as (insert into balances (part, player_id, balance, total_granted) select part, "playerId", ${COMPLETED * 10}::int, ${COMPLETED * 10}::int from reader)
    insert into mission_completions (part, player_id, environment_id, occurrence_id, mission_id, occurrence_number, started_at, accepted_at, completed_at, objectives, rewards)
    select part, "playerId", ${environment.id}, gen_random_uuid(), id, 0, now() - interval '1 year', now() - interval '1 year',
      now() - random() * interval '1 year', '[[1,5]]', '[{"kind":"Points","points":10}]'
    from reader cross join mission`;
}
