import type { Transaction } from "#db/client.ts";
import { type HeldValue, loadHeldValues } from "../../engine/store/attributes.ts";
import { wholePlayer } from "../../engine/apply.ts";
import { compareNumbers, type Numeric } from "../../model/kernel/decimal.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { isNumeric } from "../../model/kernel/values.ts";
import { mayScore, teamOf } from "../../model/leaderboards/advance.ts";
import { numberOf, sortScore } from "../../model/leaderboards/scores.ts";
import { decidingAttributes } from "../../model/leaderboards/lookups.ts";
import { playerPages } from "../../game/players/store.ts";
import { changesByAttributesAlone } from "../../model/rules/condition.ts";
import { type HeldBoard, heldLine } from "./boards.ts";
import { type PlayerRow, playersIn } from "../../engine/store/players.ts";

const PAGE = 500;

/**
 * In the current period, an attribute board with an audience has the present value of each player in its audience. Audiences
 * that depend on more than attributes and shares are skipped: a player may enter one without a fact that scores the value. Players who left
 * the audience keep their scores until the period ends.
 */
export async function checkAudiences(tx: Transaction, environment: Environment, held: readonly HeldBoard[]): Promise<string[]> {
  const boards = held.filter(({ board: { audience } }) => audience.rule !== null && changesByAttributesAlone(audience.rule));
  if (boards.length === 0) return [];
  const found: string[] = [];
  for await (const page of playerPages(tx, environment.id, PAGE)) found.push(...(await faultsOf(tx, environment, boards, page)));
  return found;
}

async function faultsOf(tx: Transaction, environment: Environment, boards: readonly HeldBoard[], page: readonly PlayerRow[]) {
  const attributeIds = [...new Set(boards.flatMap(({ board }) => [...decidingAttributes(board)]))];
  const values = await loadHeldValues(tx, page, attributeIds);
  const scores = await loadScores(tx, boards, page);
  return page.flatMap((row) => {
    const own = new Map((values.get(row.playerId) ?? []).map((value) => [value.attributeId, value]));
    const player = wholePlayer(environment.id, { row, partitions: [], attributes: own, balance: 0 });
    return boards.flatMap((held) => {
      const { board } = held;
      const value = presentValue(held, own);
      if (value === null || !mayScore(player, board)) return [];
      const team = teamOf(player, board) ?? "";
      const score = scores.get(nameOf(held.periodId, row.playerId, team));
      if (score !== undefined && compareNumbers(score, value) === 0) return [];
      return [heldLine(row.externalId, board.key, team, score, value)];
    });
  });
}

/** The value that the current period ranks; null if there is none, or if part of the player's state counts only from a later period on. */
function presentValue({ board, endsAt }: HeldBoard, own: ReadonlyMap<number, HeldValue>): Numeric | null {
  const isLater = ({ occurredAt }: HeldValue) => endsAt !== null && occurredAt >= endsAt;
  for (const id of decidingAttributes(board)) {
    const one = own.get(id);
    if (one !== undefined && isLater(one)) return null;
  }
  const value = board.definitionId === null ? undefined : own.get(board.definitionId)?.value;
  return isNumeric(value) ? value : null;
}

const nameOf = (periodId: number, playerId: string, team: string): string => `${periodId}/${playerId}/${team}`;

/** Some players' scores in these periods, and on team boards their scores for each team. */
async function loadScores(tx: Transaction, boards: readonly HeldBoard[], page: readonly PlayerRow[]): Promise<Map<string, Numeric>> {
  // Including hidden players.
  const periodIds = boards.flatMap(({ periodId }) => [periodId, -periodId]);
  const rows = await tx<{ periodId: number; playerId: string; team: string | null; score: string }[]>`
    with keys as (select * from ${playersIn(tx, page)})
    select abs(s.period_id) as period_id, s.player_id, null as team, s.sort_score::text as score
    from keys k join leaderboard_scores s on s.part = k.part and s.player_id = k."playerId" and s.period_id = any(${periodIds}::int[])
    union all
    select abs(c.period_id), c.player_id, c.team_key, c.score::text
    from keys k join leaderboard_contributions c on c.part = k.part and c.player_id = k."playerId" and c.period_id = any(${periodIds}::int[])`;
  const orders = new Map(boards.map(({ periodId, board }) => [periodId, board.rankOrder]));
  return new Map(
    rows.map(({ periodId, playerId, team, score }) => {
      const value = numberOf(score);
      return [nameOf(periodId, playerId, team ?? ""), team === null ? sortScore(value, orders.get(periodId)!) : value];
    }),
  );
}
