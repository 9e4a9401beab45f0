import { execute, firstRow, type Sql, type Transaction } from "#db/client.ts";
import { ofParts } from "#db/scale/parts.ts";
import { askTogether } from "#db/together.ts";
import { parseJson, writeJson } from "../../model/kernel/json.ts";
import type { AttributeValue } from "../../model/kernel/player.ts";
import { arrayText } from "../../model/kernel/stored.ts";
import type { Scalar } from "../../model/kernel/values.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import type { StoredPartition } from "./missions.ts";

/** A player's own row. */
export interface PlayerRow extends PlayerKey {
  externalId: string;
  timeZone: string | null;
  /** As PostgreSQL prints an int array; `completedMissions` reads it. Empty if it was not loaded. */
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

/** A set of players as the JSON parameter of a statement that reads it as a recordset of `part` and `playerId`. */
export const keysText = (players: readonly PlayerKey[]): string => writeJson(players.map(({ part, playerId }) => ({ part, playerId })));

/** A set of players as the table `k` of a statement: one JSON parameter. */
export const playersIn = (sql: Sql, players: readonly PlayerKey[]) =>
  sql`json_to_recordset(${keysText(players)}::text::json) as k("part" smallint, "playerId" uuid)`;

/** A set of players as two array parameters. */
export const keyArrays = (players: readonly PlayerKey[]): [parts: string, playerIds: string] => [
  arrayText(players.map(({ part }) => part)),
  arrayText(players.map(({ playerId }) => playerId)),
];

/** A set of players as a query of `part` and `player_id`: arrays take less CPU than JSON. */
export const keyRows = (sql: Sql, players: readonly PlayerKey[]) => {
  const [parts, playerIds] = keyArrays(players);
  return sql`(select unnest(${parts}::text::smallint[]) as part, unnest(${playerIds}::text::uuid[]) as player_id)`;
};

/** Creates missing players, in the order of the key, so that two batches with the same new players do not deadlock. */
export async function createPlayers(sql: Sql, players: readonly NewPlayer[]): Promise<void> {
  if (players.length === 0) return;
  await sql`
    insert into players (part, player_id, environment_id, external_id, created_at, analytics_epoch)
    select part, "playerId", "environmentId", "externalId", to_timestamp("createdAt" / 1000),
      coalesce((select e.analytics_epoch from environments e where e.id = r."environmentId"), 0)
    from json_to_recordset(${writeJson(players)}::text::json)
      as r("part" smallint, "playerId" uuid, "environmentId" int, "externalId" text, "createdAt" float8)
    order by part, "playerId"
    on conflict do nothing`;
}

/** Locks players until the transaction ends, in the order of the key. Unknown ones are left out. */
export function lockPlayers(tx: Transaction, keys: readonly PlayerKey[]): Promise<LockedPlayerRow[]> {
  return tx<LockedPlayerRow[]>`
    select p.part, p.player_id, p.external_id, p.time_zone, '' as completed,
      p.hidden_at is not null as is_hidden, p.analytics_epoch, p.last_active_on::text
    from lock_players(${arrayText(keys.map(({ part }) => part))}::text::smallint[], ${arrayText(keys.map(({ playerId }) => playerId))}::text::uuid[]) p`.execute();
}

/** One player with the list of completed missions, locked. */
export const lockPlayer = (tx: Transaction, { part, playerId }: PlayerKey) =>
  firstRow(tx<LockedPlayerRow[]>`
    select part, player_id, external_id, time_zone, completed_missions::text as completed,
      hidden_at is not null as is_hidden, analytics_epoch, last_active_on::text
    from players where part = ${part} and player_id = ${playerId}
    for no key update`);

export const setTimeZone = (tx: Transaction, { part, playerId }: PlayerKey, timeZone: string) =>
  execute(tx`update players set time_zone = ${timeZone} where part = ${part} and player_id = ${playerId}`);

export const completedMissions = ({ completed }: Pick<PlayerRow, "completed">): Set<number> =>
  new Set(completed.length <= 2 ? [] : (JSON.parse(`[${completed.slice(1, -1)}]`) as number[]));

/** Adds completed missions to the players' rows, without duplicates. */
export async function addCompletedMissions(tx: Transaction, rows: readonly (PlayerKey & { missionIds: number[] })[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    update players p set completed_missions = p.completed_missions || array(select distinct m from unnest(r."missionIds") m where m <> all(p.completed_missions))
    from json_to_recordset(${writeJson(rows)}::text::json) as r("part" smallint, "playerId" uuid, "missionIds" int[])
    where p.part = r.part and p.player_id = r."playerId" ${ofParts(tx, "p", rows)} and not p.completed_missions @> r."missionIds"`;
}

/** A player's row with their current state and what conditions read. */
export interface PlayerParts {
  row: PlayerRow;
  partitions: readonly StoredPartition[];
  attributes: ReadonlyMap<number, AttributeValue>;
  balance: number;
}

/** The inputs that conditions and teams read, of players in a set. */
export type AudienceInputs = PlayerKey & Pick<PlayerRow, "completed"> & Pick<PlayerParts, "attributes" | "balance">;

/** Loads the audience inputs of some players before their facts are scored. */
export async function loadAudienceInputs(sql: Sql, players: readonly PlayerKey[]): Promise<AudienceInputs[]> {
  if (players.length === 0) return [];
  const rows = await sql<(PlayerKey & { completed: string; attributes: string | null; balance: number | null })[]>`
    select p.part, p.player_id, p.completed_missions::text as completed, b.balance,
      (select json_agg(json_build_array(a.attribute_id, a.value, (extract(epoch from a.occurred_at) * 1000)::bigint))
        from attribute_values a where a.part = p.part and a.player_id = p.player_id ${ofParts(sql, "a", players)})::text as attributes
    from ${playersIn(sql, players)}
    join players p on p.part = k.part and p.player_id = k."playerId" ${ofParts(sql, "p", players)}
    left join balances b on b.part = p.part and b.player_id = p.player_id ${ofParts(sql, "b", players)}`;
  return rows.map((row) => ({ ...row, attributes: readAttributes(row.attributes), balance: row.balance ?? 0 }));
}

function readAttributes(text: string | null): PlayerParts["attributes"] {
  const attributes = parseJson(text ?? "[]") as [number, Scalar, number][];
  return new Map(attributes.map(([attributeId, value, occurredAt]) => [attributeId, { value, occurredAt }]));
}

type PartsRow = PlayerRow & { partitions: string | null; attributes: string | null; balance: number | null };

/** A snapshot of a player in one statement; null if unknown. */
export async function readPlayerParts(sql: Sql, key: PlayerKey): Promise<PlayerParts | null> {
  const row = await selectParts(sql, key);
  return row && partsOf(row);
}

const selectParts = (sql: Sql, { part, playerId }: PlayerKey) =>
  firstRow(sql<(PartsRow & { isSpread: boolean })[]>`
    select part, player_id, external_id, time_zone, completed_missions::text as completed, hidden_at is not null as is_hidden,
      (select json_agg(json_build_array(s.topic_id, s.state)) from mission_states s where s.part = ${part} and s.player_id = ${playerId})::text as partitions,
      (select json_agg(json_build_array(a.attribute_id, a.value, (extract(epoch from a.occurred_at) * 1000)::bigint))
        from attribute_values a where a.part = ${part} and a.player_id = ${playerId})::text as attributes,
      (select b.balance from balances b where b.part = ${part} and b.player_id = ${playerId}) as balance, is_spread() as is_spread
    from players where part = ${part} and player_id = ${playerId}`);

/** The most players that one statement reads. */
const MAX_TOGETHER = 32;
/** Two statements at a time, for the same reason as in `game/leaderboards/store/standings.ts`. */
const AT_ONCE = 2;

type ReadParts = (environmentId: number, key: PlayerKey) => Promise<PlayerParts | null>;

/** One shared reader for each pool. */
const readers = new WeakMap<Sql, ReadParts>();

/**
 * Reads players as `readPlayerParts` does, with one statement for all players of an environment that are requested at the same time: with
 * 16 requests in flight PostgreSQL spent half as much CPU on a mission read, and Node.js three quarters. Sharing reads of balances alone
 * gained nothing. Where players are on several machines each has a statement of its own, which one machine answers.
 */
export function readPartsTogether(sql: Sql): ReadParts {
  const known = readers.get(sql);
  if (known !== undefined) return known;
  let mayShare = false;
  const readAlone = async (key: PlayerKey) => {
    const row = await selectParts(sql, key);
    if (row !== null) mayShare = !row.isSpread;
    return row && partsOf(row);
  };
  const together = askTogether<{ environmentId: number; key: PlayerKey }, PlayerParts | null>({
    groupOf: ({ environmentId }) => String(environmentId),
    most: MAX_TOGETHER,
    atOnce: AT_ONCE,
    async ask(asked) {
      if (asked.length === 1) return [await readAlone(asked[0]!.key)];
      const parts = arrayText(asked.map(({ key }) => key.part));
      const rows = await sql<PartsRow[]>`
        select * from player_parts(${parts}::text::smallint[], ${arrayText(asked.map(({ key }) => key.playerId))}::text::uuid[])`;
      const byId = new Map(rows.map((row) => [row.playerId, row]));
      return asked.map(({ key }) => {
        const row = byId.get(key.playerId);
        return row === undefined ? null : partsOf(row);
      });
    },
  });
  const read: ReadParts = (environmentId, key) => (mayShare ? together({ environmentId, key }) : readAlone(key));
  readers.set(sql, read);
  return read;
}

function partsOf(row: PartsRow): PlayerParts {
  const partitions = JSON.parse(row.partitions ?? "[]") as [number, string][];
  return {
    row,
    partitions: partitions.map(([partitionId, state]) => ({ partitionId, state })),
    attributes: readAttributes(row.attributes),
    balance: row.balance ?? 0,
  };
}
