import type { Database } from "../../db/client.ts";
import { eventDefinition, twentyMissions } from "./definitions.ts";
import { makeRequests, type Players, requestsForEveryone } from "./events.ts";
import type { Context } from "./figure.ts";
import { sendAll, sendAndApply, untilApplied } from "./load.ts";
import { startService, type Server } from "./process.ts";
import { enterEveryone, makePlayers, makeProject, type Project } from "./project.ts";
import { sized } from "./size.ts";

/** A service with a customer of ordinary size: 50,000 players, entered in 20 missions that count the sent event. */
export interface Loaded {
  database: Database & { url: string };
  project: Project;
  service: Server;
  players: Players;
}

const PLAYERS = sized({ smoke: 100, usual: 50_000 });

interface Wanted {
  worker?: boolean;
  players?: number;
  missions?: object[];
  events?: object[];
  leaderboards?: object[];
  streaks?: object[];
}

export async function openLoaded(
  context: Context,
  name: string,
  { worker = true, players = PLAYERS, missions = [], events = [], ...more }: Wanted = {},
): Promise<Loaded> {
  const database = await context.server.create(`bench_${name.replaceAll("-", "_")}`);
  context.atEnd(database.close);
  const project = await makeProject(database, name, {
    events: [eventDefinition("order_placed"), ...events],
    missions: [...twentyMissions(), ...missions],
    ...more,
  });
  await makePlayers(database, project, players);
  const service = await startService(context, database.url, { worker });
  await enterEveryone(database, project, service.port);
  const loaded = { database, project, service, players: { count: players } };
  await sendAll(service.port, requestsForEveryone(project.key, loaded.players));
  if (worker) await untilApplied(database.sql);
  return loaded;
}

const CALIBRATION_BATCHES = sized({ smoke: 2, usual: 60 });

/** The events a second that the service can accept and apply at the same time: its full load. */
export async function sustainedRate({ service, database, project, players }: Loaded): Promise<number> {
  await sendAndApply(service.port, database.sql, makeRequests(project.key, CALIBRATION_BATCHES / 2, players));
  return sendAndApply(service.port, database.sql, makeRequests(project.key, CALIBRATION_BATCHES, players));
}
