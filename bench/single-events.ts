import { setTimeout as sleep } from "node:timers/promises";
import { playerKey, type PlayerKey } from "../server/model/players/identity.ts";
import { alternate, turnsOf } from "./harness/alternate.ts";
import { eventDefinition, twentyMissions } from "./harness/definitions.ts";
import { BATCH, batchRequest, makeBatches, makeRequests, requestsForEveryone } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { withConnections } from "./harness/http.ts";
import { CONNECTIONS, sendAll, sendAndApply, sendBatch, untilApplied } from "./harness/load.ts";
import { type Loaded, openLoaded } from "./harness/loaded.ts";
import { nodeCpuUsOf } from "./harness/proc.ts";
import { makePlayers, makeProject, type Project } from "./harness/project.ts";
import { eventsIn, expectCompletions, expectNothingLeft } from "./harness/recount.ts";
import { sized } from "./harness/size.ts";
import { percentile, round } from "./harness/statistics.ts";

const BATCHES = sized({ smoke: 1, usual: 60 });
const SINGLE = sized({ smoke: 200, usual: 12_000 });

/** The traffic of most backends: one event a request, from 16 connections. */
export const singleEvents: Figure = {
  name: "single-events",
  title: "events sent one a request until applied, to batches of 1,000",
  better: "more",
  reach: 0.2,
  stretch: 0.4,
  async measure(context) {
    const loaded = await openLoaded(context, "single");
    const { service, database, project, players } = loaded;
    const { sql } = database;
    const costs = { of: "an event", by: [service] };
    let requests: Buffer[] = [];
    const measured = await alternate(
      context,
      "events/s",
      {
        name: "batches of 1,000",
        costs,
        prepare: async () => (requests = makeRequests(project.key, BATCHES, players)),
        measure: async () => ({ value: await sendAndApply(service.port, sql, requests), done: BATCHES * BATCH }),
      },
      {
        name: "one event a request",
        costs,
        prepare: async () => (requests = singles(project, SINGLE, players.count).map(({ bytes }) => bytes)),
        measure: async () => ({ value: await sendAndApply(service.port, sql, requests, { events: 1 }), done: SINGLE }),
      },
    );
    const others = await otherOrganizations(context, loaded);
    let further = 0;
    for (const projects of [[project], [project], [project, ...others.projects]]) {
      const connections = further === 0 ? 1 : CONNECTIONS;
      const { note, sent } = await sendWithLag(context, loaded, projects, connections);
      measured.notes.push(note);
      further += sent;
    }
    const sent = players.count + turnsOf(context) * (BATCHES * BATCH + SINGLE) + others.events + further;
    context.outcome.equal("events logged", await eventsIn(sql), sent);
    await expectNothingLeft(context.outcome, sql);
    await expectCompletions(context.outcome, sql, project.environment.id);
    await service.stop();
    await context.outcome.audited("the environment", database, project.environment);
    return measured;
  },
};

/** A request of one event, and its player. */
interface Single {
  bytes: Buffer;
  player: PlayerKey;
}

const singles = ({ key, environment }: Project, count: number, players: number): Single[] =>
  makeBatches(Math.ceil(count / BATCH), { count: players })
    .flat()
    .slice(0, count)
    .map((item) => ({ bytes: batchRequest(key, [item]), player: playerKey(environment.id, item.playerId) }));

/** Each organization may have 16 running requests, so 16 organizations have 256. */
const ORGANIZATIONS = sized({ smoke: 2, usual: 16 });
const PLAYERS_OF_EACH = sized({ smoke: 200, usual: 1_000 });

/** Adds organizations whose players are known to the process but entered in no mission. */
async function otherOrganizations(context: Context, { database, service }: Loaded) {
  const projects: Project[] = [];
  for (let index = 1; index < ORGANIZATIONS; index++) {
    const file = { events: [eventDefinition("order_placed")], missions: twentyMissions() };
    const project = await makeProject(database, `other-${index}`, file, `other-${index}`);
    await makePlayers(database, project, PLAYERS_OF_EACH);
    await sendAll(service.port, requestsForEveryone(project.key, { count: PLAYERS_OF_EACH }));
    projects.push(project);
  }
  await untilApplied(database.sql);
  return { projects, events: projects.length * PLAYERS_OF_EACH };
}

/** One event in this many is watched until it is applied. */
const WATCH_ONE_IN = 50;
const LOOK_MS = 2;

/** Sends one event a request for several projects in parallel, and watches some events from their response until they are applied. */
async function sendWithLag(context: Context, { service, database: { sql } }: Loaded, projects: readonly Project[], connections: number) {
  const totalConnections = projects.length * connections;
  const perProject = Math.ceil((totalConnections === 1 ? SINGLE / 4 : SINGLE) / projects.length);
  const requests = projects.map((project) => singles(project, perProject, PLAYERS_OF_EACH));
  const lags: number[] = [];
  const watching: Promise<void>[] = [];
  const watch = async ({ part, playerId }: PlayerKey) => {
    const answered = performance.now();
    for (;;) {
      const rows = await sql`select 1 from queued_facts where part = ${part} and player_id = ${playerId} limit 1`;
      if (rows.length === 0) break;
      await sleep(LOOK_MS);
    }
    lags.push(performance.now() - answered);
  };
  const before = { node: nodeCpuUsOf(service.pid), postgres: context.server.cpuUs(), at: performance.now() };
  await Promise.all(
    requests.map((ofOne) =>
      withConnections(service.port, connections, (open) => {
        let next = 0;
        return Promise.all(
          open.map(async (connection) => {
            for (let request = ofOne[next++]; request !== undefined; request = ofOne[next++]) {
              await sendBatch(connection, request.bytes);
              if (next % WATCH_ONE_IN === 0) watching.push(watch(request.player));
            }
          }),
        );
      }),
    ),
  );
  await Promise.all(watching);
  await untilApplied(sql, LOOK_MS);
  const sent = perProject * projects.length;
  const perEvent = (was: number | null, is: number | null) => (was === null || is === null ? "?" : round((is - was) / sent));
  const cpu = `${perEvent(before.node, nodeCpuUsOf(service.pid))} + ${perEvent(before.postgres, context.server.cpuUs())} µs of CPU in Node + PostgreSQL`;
  const rate = round((sent * 1000) / (performance.now() - before.at));
  const lag = `answered until applied ${round(percentile(lags, 0.5))} ms, p95 ${round(percentile(lags, 0.95))} ms`;
  return { note: `from ${totalConnections} connection${totalConnections === 1 ? "" : "s"}: ${rate} events/s, ${cpu}, ${lag}`, sent };
}
