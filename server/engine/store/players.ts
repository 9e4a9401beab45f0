import type { Sql, Transaction } from "#db/client.ts";
import { arrayText } from "../../model/kernel/array-text.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { PlayerKey } from "../../model/players/identity.ts";

/** A player's own row. */
export interface PlayerRow extends PlayerKey {
  externalId: string;
  timeZone: string | null;
  /** As PostgreSQL prints an int array; `completedMissions` reads it. Empty where it was not loaded. */
  completed: string;
  /** Whether the player is hidden from leaderboards. */
  isHidden: boolean;
}

/** A locked player with their analytics state (`insight/analytics/README.md`). */
export interface LockedPlayerRow extends PlayerRow {
  /** The analytics epoch of their figures; 0: not counted yet. */
  analyticsEpoch: number;
  /** The last day with an event that is counted, a local date of the project's zone. */
  lastActiveOn: string | null;
}

export interface NewPlayer extends PlayerKey {
  environmentId: number;
  externalId: string;
  createdAt: number;
}

/** Creates missing players, in the order of the key, so that two batches with the same new players do not deadlock. */
export async function createPlayers(sql: Sql, players: readonly NewPlayer[]): Promise<void> {
  if (players.length === 0) return;
  const rows = players.map((player) => ({ ...player, createdAt: player.createdAt / 1000 }));
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at, analytics_epoch)
    select part, "playerId", "environmentId", "externalId", to_timestamp("createdAt"),
      coalesce((select e.analytics_epoch from environments e where e.id = r."environmentId"), 0)
    from json_to_recordset(${writeJson(rows)}::text::json)
      as r("part" smallint, "playerId" uuid, "environmentId" int, "externalId" text, "createdAt" float8)
    order by part, "playerId"
    on conflict do nothing`;
}

/** Locks players until the transaction ends, in the order of the key. Unknown ones are left out. */
export function lockPlayers(tx: Transaction, keys: readonly PlayerKey[]): Promise<LockedPlayerRow[]> {
  return tx<LockedPlayerRow[]>`
    select p.part, p.player_id as "playerId", p.external_id as "externalId", p.time_zone as "timeZone", '' as completed,
      p.hidden_at is not null as "isHidden", p.analytics_epoch as "analyticsEpoch", p.last_active_on::text as "lastActiveOn"
    from lock_players(${arrayText(keys.map(({ part }) => part))}::text::smallint[], ${arrayText(keys.map(({ playerId }) => playerId))}::text::uuid[]) p`.execute();
}

/** One player with the list of completed missions, locked. */
export async function lockPlayer(tx: Transaction, { part, playerId }: PlayerKey): Promise<LockedPlayerRow | null> {
  const [row] = await tx<LockedPlayerRow[]>`
    select part, player_id as "playerId", external_id as "externalId", time_zone as "timeZone", completed_missions::text as completed,
      hidden_at is not null as "isHidden", analytics_epoch as "analyticsEpoch", last_active_on::text as "lastActiveOn"
    from players where part = ${part} and player_id = ${playerId}
    for no key update`;
  return row ?? null;
}

export const completedMissions = ({ completed }: Pick<PlayerRow, "completed">): Set<number> =>
  new Set(completed.length <= 2 ? [] : (JSON.parse(`[${completed.slice(1, -1)}]`) as number[]));

/** Adds to the players' completed missions, without duplicates. */
export async function addCompletedMissions(tx: Transaction, rows: readonly (PlayerKey & { missionIds: number[] })[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    update players p set completed_missions = p.completed_missions || array(select distinct m from unnest(r."missionIds") m where m <> all(p.completed_missions))
    from json_to_recordset(${writeJson(rows)}::text::json) as r("part" smallint, "playerId" uuid, "missionIds" int[])
    where p.part = r.part and p.player_id = r."playerId" and not p.completed_missions @> r."missionIds"`;
}
