import type { Transaction } from "#db/client.ts";
import type { Leaderboard } from "../../model/definitions/compiled.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { type Era, isRecountable, type LoggedGrant, misscores } from "../../model/leaderboards/recount.ts";
import { numberOf, sortScore } from "../../model/leaderboards/scores.ts";
import { selectZoneChanges } from "../../engine/store/zones.ts";
import { zonesPassed } from "../../model/leaderboards/zones.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import { playerPages } from "../../game/players/store.ts";
import { isWholeInLog, logWholeFrom, periodName } from "./boards.ts";
import { definitionsOf, editInstants } from "../../engine/definitions.ts";
import { appliedByPlayer } from "../../engine/store/applied.ts";
import { type PlayerRow, playersIn } from "../../engine/store/players.ts";

/** Every score equals the one computed from the logs, for boards that the logs cover. */
export async function checkScores(tx: Transaction, environment: Environment): Promise<string[]> {
  const definitions = await definitionsOf(tx, environment);
  const edited = await editInstants(tx, environment.id, "leaderboards");
  const changes = await selectZoneChanges(tx, environment.id);
  // If the facts' zone is unknown, calendar periods are left out.
  const unknownUntil = Math.max(0, ...changes.filter(({ waiting }) => waiting === null).map(({ at }) => at));
  const boards = definitions.leaderboards.filter(
    (board) => isRecountable(board, edited.get(board.id) ?? 0) && (board.period.kind !== "Calendar" || board.createdAt >= unknownUntil),
  );
  if (boards.length === 0) return [];
  const eraOf = erasOf(boards, definitions.timeZone, changes);
  const frozen = await frozenPeriods(tx, environment.id);
  const wholeFrom = await logWholeFrom(tx, environment.id);
  const byKey = new Map(boards.map((board) => [board.key, board]));
  const isTold = (key: string, start: string) => isWholeInLog(byKey.get(key)!, start, definitions.timeZone, wholeFrom);
  const found: string[] = [];
  for await (const page of playerPages(tx, environment.id, PAGE))
    found.push(...(await wrongScoresOf(tx, boards, eraOf, frozen, isTold, page)));
  return found;
}

/** The zone in effect at a fact's position, and the boards at that time. */
function erasOf(
  boards: readonly Leaderboard[],
  timeZone: string,
  changes: Awaited<ReturnType<typeof selectZoneChanges>>,
): (seq: number) => Era {
  const before = changes.map(({ zone, seq, waiting }, index) => ({
    seq,
    waiting: new Set(waiting),
    era: { timeZone: zone, boards: boards.map((board) => ({ ...board, ...zonesPassed(board, changes.slice(0, index)) })) },
  }));
  const present = { timeZone, boards };
  return (seq) => before.find((change) => seq < change.seq && !change.waiting.has(seq))?.era ?? present;
}

/** A period that takes no facts from `seq` on, nor those that were in quarantine then. */
interface Frozen {
  seq: number;
  leftOut: number[];
}

async function frozenPeriods(tx: Transaction, environmentId: number): Promise<Map<string, Frozen>> {
  const rows = await tx<({ leaderboardId: number; start: string } & Frozen)[]>`
    select leaderboard_id, start, frozen_seq as seq, coalesce(left_out, '{}') as left_out from leaderboard_periods
    where environment_id = ${environmentId} and frozen_seq is not null`;
  return new Map(rows.map(({ leaderboardId, start, ...frozen }) => [`${leaderboardId}/${start}`, frozen]));
}

async function wrongScoresOf(
  tx: Transaction,
  boards: readonly Leaderboard[],
  eraOf: (seq: number) => Era,
  frozen: ReadonlyMap<string, Frozen>,
  isTold: (key: string, start: string) => boolean,
  page: readonly PlayerRow[],
): Promise<string[]> {
  const definitionIds = boards.flatMap(({ definitionId }) => (definitionId === null ? [] : [definitionId]));
  const grants = Map.groupBy(await grantsOf(tx, page), ({ playerId }) => playerId);
  const scores = Map.groupBy(await scoresOf(tx, boards, page), ({ playerId }) => playerId);
  const wasTaken = (board: Leaderboard, start: string, seq: number): boolean => {
    const period = frozen.get(`${board.id}/${start}`);
    return period === undefined || (seq < period.seq && !period.leftOut.includes(seq));
  };
  const found: string[] = [];
  for await (const [{ playerId, externalId }, facts] of appliedByPlayer(tx, page, definitionIds)) {
    const wrong = misscores(boards, eraOf, wasTaken, scores.get(playerId) ?? [], facts, grants.get(playerId) ?? []);
    for (const { leaderboardKey, start, stored, recounted } of wrong.filter((one) => isTold(one.leaderboardKey, one.start)))
      found.push(
        `player "${externalId}", ${periodName(leaderboardKey, start)}: score ${stored ?? "none"}, but the logs give ${recounted ?? "none"}`,
      );
  }
  return found;
}

async function grantsOf(tx: Transaction, page: readonly PlayerKey[]): Promise<(LoggedGrant & { playerId: string })[]> {
  return tx<(LoggedGrant & { playerId: string })[]>`
    select t.player_id, t.seq, t.amount, t.occurred_at as at
    from ${playersIn(tx, page)}
    join points_transactions t on t.part = k.part and t.player_id = k."playerId" and t.type = 'Grant' and t.source_type in ('Mission', 'StreakMilestone')
    order by t.seq`.execute();
}

async function scoresOf(tx: Transaction, boards: readonly Leaderboard[], page: readonly PlayerKey[]) {
  const orders = new Map(boards.map(({ id, rankOrder }) => [id, rankOrder]));
  const rows = await tx<{ playerId: string; leaderboardId: number; start: string; score: string }[]>`
    select s.player_id, p.leaderboard_id, p.start, s.sort_score::text as score
    from ${playersIn(tx, page)}
    join leaderboard_scores s on s.part = k.part and s.player_id = k."playerId"
    join leaderboard_periods p on p.id = abs(s.period_id)`;
  return rows.flatMap(({ score, ...row }) => {
    const order = orders.get(row.leaderboardId);
    return order === undefined ? [] : [{ ...row, score: sortScore(numberOf(score), order) }];
  });
}

const PAGE = 500;
