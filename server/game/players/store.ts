import { firstRow, firstValue, hasRow, onlyRow, type Sql, type Transaction } from "#db/client.ts";
import { FIRST_UUID } from "../../model/kernel/stored.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import { type NewPlayer, type PlayerRow, playersIn } from "../../engine/store/players.ts";

/** The players of an environment, a page at a time, in the order of their external ids. */
export function playersAfter(sql: Sql, environmentId: number, externalId: string | null, limit: number): Promise<PlayerRow[]> {
  return sql<PlayerRow[]>`
    select part, player_id, external_id, time_zone, completed_missions::text as completed, hidden_at is not null as is_hidden
    from players where environment_id = ${environmentId} and external_id > ${externalId ?? ""}
    order by external_id limit ${limit}`.execute();
}

/** All players of an environment, in pages. */
export async function* playerPages(sql: Sql, environmentId: number, limit: number): AsyncGenerator<PlayerRow[]> {
  for (let page = await playersAfter(sql, environmentId, null, limit); page.length > 0;) {
    yield page;
    page = await playersAfter(sql, environmentId, page.at(-1)!.externalId, limit);
  }
}

/**
 * The greatest external id of an environment's players up to this one; empty if there is none. A cursor at a deleted id can continue from
 * it.
 */
export const externalIdUpTo = async (sql: Sql, environmentId: number, externalId: string) =>
  (await firstValue(sql<{ externalId: string }[]>`
    select external_id from players where environment_id = ${environmentId} and external_id <= ${externalId}
    order by external_id desc limit 1`)) ?? "";

/** A player in a search result. */
export interface FoundPlayer extends PlayerKey {
  externalId: string;
  displayName: string | null;
  createdAt: number;
  /** The last day with an event that is counted, a local date of the project's zone; null: none yet (`insight/analytics/README.md`). */
  lastActiveOn: string | null;
}

const FOUND = `part, player_id, external_id, display_name, created_at, last_active_on::text`;

/** Sorts after every text with this prefix, in byte order. */
const END = "\u{10FFFF}";

/**
 * Players whose external id or display name (in any case) begins with the search, the exact external id first. Each part reads a range of
 * an index.
 */
export function playersBeginning(sql: Sql, environmentId: number, beginning: string, limit: number): Promise<FoundPlayer[]> {
  const spellings = spellingsOf(beginning);
  const named = spellings.map((_, at) => {
    const own = `lower($${at + 6}::text)`;
    return `union
       (select * from players where environment_id = $1 and display_name is not null
          and (lower(display_name) collate "C") >= ${own} and (lower(display_name) collate "C") < ${own} || $4::text
        order by lower(display_name) collate "C" limit $5::int)`;
  });
  // Planned each time: a cached plan would suit the number of players at the time it was made.
  return sql.unsafe<FoundPlayer[]>(
    `select ${FOUND} from (
       (select * from players where environment_id = $1 and external_id >= $2::text and external_id < $3::text order by external_id limit $5::int)
       ${named.join(" ")}
     ) p order by external_id <> $2, external_id limit $5::int`,
    [environmentId, beginning, beginning + END, END, limit, ...spellings],
  );
}

/**
 * The beginning as typed, in small and in capital letters, and capitalized as a name. The database's `lower` knows only ASCII letters where
 * its locale is C, as the embedded one's is; a search in ASCII letters needs only one.
 */
function spellingsOf(beginning: string): string[] {
  const small = beginning.toLowerCase();
  const asName = small.replaceAll(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());
  const all = [beginning, small, beginning.toUpperCase(), asName];
  return [...new Set(all.map((one) => one.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())))];
}

/** The cursor of a page of the newest players. */
export type PlayerCursor = Pick<FoundPlayer, "createdAt" | "playerId">;

/** The newest players, after a cursor. Players of the same instant are in key order. */
export function newestPlayers(sql: Sql, environmentId: number, limit: number, after: PlayerCursor | null = null): Promise<FoundPlayer[]> {
  const isAfter = "and created_at <= $3::timestamptz and (created_at < $3::timestamptz or player_id > $4::uuid)";
  return sql.unsafe<FoundPlayer[]>(
    `select ${FOUND} from players where environment_id = $1 ${after === null ? "" : isAfter} order by created_at desc, player_id limit $2::int`,
    after === null ? [environmentId, limit] : [environmentId, limit, after.createdAt, after.playerId],
  );
}

/** A player for the dashboard. */
export interface ShownPlayer extends FoundPlayer, Profile {
  /** The instant since which they are hidden from leaderboards, on the environment's clock; null: they are ranked. */
  hiddenAt: number | null;
}

/** A player's profile, and when it was created; null for an unknown player. */
export async function selectPlayer(sql: Sql, { part, playerId }: PlayerKey): Promise<ShownPlayer | null> {
  const [row] = await sql.unsafe<ShownPlayer[]>(
    `select ${FOUND}, time_zone, hidden_at from players where part = $1::smallint and player_id = $2::uuid`,
    [part, playerId],
  );
  return row ?? null;
}

/** A player's name, zone and creation time, for evaluating conditions page by page. */
export type PagedPlayer = Pick<ShownPlayer, keyof PlayerKey | "externalId" | "displayName" | "timeZone" | "createdAt">;

/**
 * Players of an environment in the order of their keys, which are hashes of external ids, so the first ones are a random sample.
 */
export function playersByKey(sql: Sql, environmentId: number, after: PlayerKey | null, limit: number): Promise<PagedPlayer[]> {
  return sql.unsafe<PagedPlayer[]>(
    `select part, player_id, external_id, display_name, time_zone, created_at
     from players where environment_id = $1 and (part, player_id) > ($2::smallint, $3::uuid) order by part, player_id limit $4::int`,
    [environmentId, after?.part ?? -1, after?.playerId ?? FIRST_UUID, limit],
  );
}

/** The existing ones among some players. */
export const selectPlayersAmong = (sql: Sql, keys: readonly PlayerKey[]): Promise<PagedPlayer[]> =>
  sql<PagedPlayer[]>`
    select p.part, p.player_id, p.external_id, p.display_name, p.time_zone, p.created_at
    from (select distinct part, "playerId" from ${playersIn(sql, keys)}) k
    join players p on p.part = k.part and p.player_id = k."playerId"`.execute();

export const selectZone = (sql: Sql, { part, playerId }: PlayerKey) =>
  firstValue(sql<{ zone: string | null }[]>`select time_zone as zone from players where part = ${part} and player_id = ${playerId}`);

/** Whether a known player has another zone than this one. */
export const hasOtherZone = (sql: Sql, { part, playerId }: PlayerKey, timeZone: string | null) =>
  hasRow(sql<object[]>`
    select from players where part = ${part} and player_id = ${playerId} and time_zone is distinct from ${timeZone}::text`);

/** A player's name and zone, locked until the transaction ends; null for an unknown player. */
export const lockProfile = (tx: Transaction, { part, playerId }: PlayerKey) =>
  firstRow(tx<Profile[]>`
    select display_name, time_zone from players where part = ${part} and player_id = ${playerId}
    for no key update`);

/** The profile of a player, which apps send and users may correct. */
export interface Profile {
  displayName: string | null;
  timeZone: string | null;
}

/** Its columns: lists of players and the export of one have them all. */
export const PROFILE_COLUMNS: Record<keyof Profile, string> = { displayName: "display_name", timeZone: "time_zone" };

export interface SavedPlayer extends Profile {
  createdAt: number;
}

/**
 * Creates a player, or updates a known one; undefined fields stay unchanged. If a reset is deleting the player, it waits (`hold_players`)
 * and creates them again.
 */
export const upsertPlayer = (sql: Sql, player: NewPlayer, { displayName, timeZone }: Partial<Profile>) =>
  onlyRow(sql<SavedPlayer[]>`
    with held as materialized (select hold_players(${player.environmentId}::int) as environment_id), saved as (
      insert into players (part, player_id, environment_id, external_id, display_name, time_zone, created_at, analytics_epoch)
      select ${player.part}::smallint, ${player.playerId}::uuid, environment_id, ${player.externalId}::text, ${displayName ?? null}::text, ${timeZone ?? null}::text,
        ${player.createdAt}::timestamptz, coalesce((select e.analytics_epoch from environments e where e.id = ${player.environmentId}::int), 0)
      from held
      on conflict (part, player_id) do update set
        display_name = case when ${displayName !== undefined}::bool then excluded.display_name else players.display_name end,
        time_zone = case when ${timeZone !== undefined}::bool then excluded.time_zone else players.time_zone end
      returning display_name, time_zone, created_at
    )
    select display_name, time_zone, created_at from saved`);
