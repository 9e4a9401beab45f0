import type { Database } from "../../db/client.ts";
import { createApiKey } from "../../server/people/api-keys/api-keys.ts";
import type { Environment } from "../../server/model/kernel/environment.ts";
import { playerKey } from "../../server/model/players/identity.ts";
import { createProject } from "../../server/people/projects/projects.ts";
import { BATCH, playerName } from "./events.ts";
import { Connection, expectOk, requestOf } from "./http.ts";
import { importDefinitions } from "../../server/authoring/definitions/service/import.ts";
import { createPlayers } from "../../server/engine/store/players.ts";

/** A customer's Live environment. */
export interface Project {
  environment: Environment;
  key: string;
}

export async function makeProject(
  database: Database,
  slug: string,
  file: {
    events: object[];
    missions?: object[];
    catalogItems?: object[];
    marketplaceItems?: object[];
    leaderboards?: object[];
    streaks?: object[];
    attributes?: object[];
    segments?: object[];
  },
  organization?: string,
): Promise<Project> {
  const settings = { slug, name: slug, defaultLanguage: "en", timeZone: "Europe/Amsterdam" };
  const { live } = await createProject(database, settings, organization);
  const imported = await importDefinitions(database, live, { version: 1, ...file });
  if ("problems" in imported) throw new Error(`The definitions are refused: ${JSON.stringify(imported.problems.slice(0, 3))}`);
  return { environment: live, key: await createApiKey(database, live, "bench") };
}

/** Players as a first event would have created them. */
export async function makePlayers({ sql }: Database, { environment }: Project, count: number): Promise<void> {
  const createdAt = Date.now();
  for (let first = 0; first < count; first += 10 * BATCH) {
    const page = Array.from({ length: Math.min(10 * BATCH, count - first) }, (_, index) => {
      const externalId = playerName(first + index);
      return { ...playerKey(environment.id, externalId), environmentId: environment.id, externalId, createdAt };
    });
    await createPlayers(sql, page);
  }
}

/**
 * Enters all players into every mission: one through the API, by a mission read, and the others by copying its rows, since there are tens
 * of thousands.
 */
export async function enterEveryone({ sql }: Database, { environment, key }: Project, port: number): Promise<void> {
  const first = playerName(0);
  const connection = await Connection.open(port);
  expectOk(await connection.request(missionsRequest(key, first)));
  connection.close();
  const { part, playerId } = playerKey(environment.id, first);
  await sql`
    insert into mission_states (part, player_id, topic_id, state)
    select p.part, p.player_id, s.topic_id, s.state
    from mission_states s cross join players p
    where s.part = ${part} and s.player_id = ${playerId} and p.environment_id = ${environment.id}
    order by p.part, p.player_id, s.topic_id
    on conflict do nothing`;
  // Adds the copied players to the funnels: otherwise these would count their first event without an entry.
  await sql`
    insert into analytics_deltas (environment_id, epoch, measure, day, subject, detail, count, amount)
    select s.environment_id, s.epoch, s.measure, s.day, s.subject, s.detail, s.count * others.count, s.amount
    from (select environment_id, epoch, measure, day, subject, detail, count, amount from analytics_deltas
      union all select environment_id, epoch, measure, day, subject, detail, count, amount from analytics_daily) s
    cross join (select count(*) - 1 as count from players where environment_id = ${environment.id}) others
    where s.environment_id = ${environment.id} and s.measure in ('funnel.entered', 'funnel.accepted', 'players.entered')`;
  await sql`vacuum (analyze) mission_states, players`;
}

export const missionsRequest = (key: string, playerId: string, options: { includeCompleted?: boolean } = {}): Buffer =>
  requestOf("POST", "/v1/missions", { key, body: JSON.stringify({ playerId, ...options }) });

export const pointsRequest = (key: string, playerId: string): Buffer => requestOf("GET", `/v1/points?PlayerId=${playerId}`, { key });
