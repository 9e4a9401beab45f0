import { execute, firstRow, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";

/** A board over an attribute that is switched on; `audience` is its rule as JSON text, empty without one. */
export interface FilledBoard {
  leaderboardId: number;
  audience: string;
}

/**
 * Sets the boards of the environment that hold players' values: new ones are to be filled, and those with a changed audience filled again.
 * `now` is on the environment's clock. The environment lock is held exclusively.
 */
export async function keepFills(tx: Transaction, environmentId: number, now: number, boards: readonly FilledBoard[]): Promise<void> {
  await tx`
    delete from leaderboard_fills where environment_id = ${environmentId}
      and leaderboard_id <> all(${boards.map(({ leaderboardId }) => leaderboardId)}::int[])`;
  if (boards.length === 0) return;
  await tx`
    insert into leaderboard_fills as f (leaderboard_id, environment_id, as_of, audience)
    select "leaderboardId", ${environmentId}::int, ${now}::timestamptz, audience
    from json_to_recordset(${writeJson(boards)}::text::json) as r("leaderboardId" int, "audience" text)
    on conflict (leaderboard_id) do update
      set as_of = excluded.as_of, audience = excluded.audience, last_external_id = '', is_through = false
      where f.audience <> excluded.audience`;
}

/**
 * Fills a board again, as of an instant on the environment's clock; a fill that is under way keeps its own, which covers more periods. One
 * that is switched off is filled once it is on.
 */
export const fillAgain = (tx: Transaction, leaderboardId: number, asOf: number) =>
  execute(tx`
    update leaderboard_fills set as_of = case when is_through then ${asOf}::timestamptz else as_of end, last_external_id = '', is_through = false
    where leaderboard_id = ${leaderboardId}`);

/** Boards that still have to be filled, of one environment or of all. */
export const dueFills = (sql: Sql, environmentId: number | null): Promise<{ environmentId: number; leaderboardId: number }[]> =>
  sql<{ environmentId: number; leaderboardId: number }[]>`
    select environment_id, leaderboard_id from leaderboard_fills
    where not is_through and (${environmentId}::int is null or environment_id = ${environmentId}) order by leaderboard_id`.execute();

/** Whether a board still has to be filled. */
export const isFilling = (sql: Sql, leaderboardId: number) =>
  onlyValue(sql<{ is: boolean }[]>`
    select exists (select from leaderboard_fills where leaderboard_id = ${leaderboardId} and not is_through) as is`);

/** The fill state of a board, locked for this transaction; null if another process has locked it, or nothing is to be filled. */
export const takeFill = (tx: Transaction, leaderboardId: number) =>
  firstRow(tx<{ asOf: number; lastExternalId: string }[]>`
    select as_of, last_external_id
    from leaderboard_fills where leaderboard_id = ${leaderboardId} and not is_through for no key update skip locked`);

/** Stores the cursor: players up to this external id are filled; null: all of them. */
export const saveFill = (tx: Transaction, leaderboardId: number, lastExternalId: string | null) =>
  execute(tx`
    update leaderboard_fills set last_external_id = ${lastExternalId ?? ""}, is_through = ${lastExternalId === null}
    where leaderboard_id = ${leaderboardId}`);
