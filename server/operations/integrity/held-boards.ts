import type { Transaction } from "#db/client.ts";
import type { Leaderboard } from "../../model/definitions/compiled.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { standingPeriod } from "../../model/leaderboards/periods.ts";
import { isHeld } from "../../model/leaderboards/definition/sources.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { environmentNow } from "../../engine/environment.ts";

/** An attribute board with its current period. */
export interface HeldBoard {
  board: Leaderboard;
  periodId: number;
  /** Epoch milliseconds; null for one without an end. */
  endsAt: number | null;
}

/**
 * The attribute boards that are complete. Left out are boards being filled, and boards whose values are being carried over into a new
 * period.
 */
export async function heldBoards(tx: Transaction, environment: Environment): Promise<HeldBoard[]> {
  const [{ leaderboards, timeZone }, now] = [await definitionsOf(tx, environment), await environmentNow(tx, environment)];
  const boards = leaderboards.filter((board) => isHeld(board) && board.active);
  const asked = boards.flatMap((board) => {
    const period = standingPeriod(board, now, timeZone);
    return period === null ? [] : [{ id: board.id, start: period.start }];
  });
  if (asked.length === 0) return [];
  const rows = await tx<{ id: number; periodId: number; endsAt: number | null }[]>`
    select b.id, l.id as "periodId", (extract(epoch from l.ends_at) * 1000)::bigint as "endsAt"
    from json_to_recordset(${writeJson(asked)}::text::json) as b("id" int, "start" text)
    join leaderboard_periods l on l.leaderboard_id = b.id and l.start = b.start and l.step = 'Open'
    where not exists (select from leaderboard_fills f where f.leaderboard_id = b.id and not f.is_through)
      and not exists (
        select from leaderboard_periods e
        where e.leaderboard_id = b.id and (e.step = 'Carrying' or e.step = 'Open' and e.ends_at <= to_timestamp(${now / 1000}::float8)))`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return boards.flatMap((board) => {
    const row = byId.get(board.id);
    return row === undefined ? [] : [{ board, periodId: row.periodId, endsAt: row.endsAt }];
  });
}

/** A line for a player whose score on an attribute board differs from their value. */
export const heldLine = (externalId: string, key: string, team: string, score: unknown, value: unknown): string =>
  `player "${externalId}", leaderboard ${key}${team === "" ? "" : `, team "${team}"`}: score ${score ?? "none"}, but the attribute is ${value ?? "without a value"}`;
