import type { Transaction } from "#db/client.ts";
import { nextSeq, untilOthersWrote } from "#server/engine/store/locks.ts";
import { ensurePeriods, type NewPeriod, planPeriod, takesScores, unsettledPeriods } from "#server/engine/store/periods.ts";
import { insertZoneChange } from "#server/engine/store/zones.ts";
import type { Definitions, Leaderboard } from "#server/model/definitions/compiled.ts";
import type { ScorePeriod } from "#server/model/rules/effects.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { boundsOf, firstDue, settlesAt, standingPeriod } from "#server/model/leaderboards/periods.ts";
import { isHeld } from "#server/model/leaderboards/shape.ts";
import { keepFills } from "../store/fills.ts";

/**
 * Schedules the periods of every active leaderboard: creates the current one and sets when unsettled ones fall due, by the current
 * definitions and the project's zone; periods that are over keep their end. A board switched on again settles its unsettled periods. A
 * board over an attribute that is new, or switched on again, is to be filled. `now` is on the environment's clock; the environment lock is
 * held exclusively, so clock and definitions do not change.
 */
export async function keepPeriods(tx: Transaction, environmentId: number, definitions: Definitions, now: number): Promise<void> {
  const active = definitions.leaderboards.filter((board) => board.active);
  for (const period of await unsettledPeriods(tx, environmentId)) {
    const board = definitions.leaderboardsById.get(period.leaderboardId);
    if (!board?.active || !takesScores(period)) continue;
    const isOver = board.period.kind === "Calendar" && period.endsAt !== null && period.endsAt <= now;
    const { startsAt, endsAt } = isOver ? period : boundsOf(board, period.start, definitions.timeZone);
    const settles = settlesAt(board, { endsAt });
    const plan = { startsAt, endsAt, settlesAt: settles, dueAt: period.step === "Ended" ? settles : firstDue(board, { endsAt }) };
    const fields = ["startsAt", "endsAt", "settlesAt", "dueAt"] as const;
    if (fields.some((field) => plan[field] !== period[field])) await planPeriod(tx, period.id, plan);
  }
  const standing = active.flatMap((board) => {
    const period = standingPeriod(board, now, definitions.timeZone);
    return period === null ? [] : [newPeriod(board, period)];
  });
  if (standing.length > 0) await ensurePeriods(tx, environmentId, standing);
  const held = active.filter(isHeld);
  await keepFills(
    tx,
    environmentId,
    now,
    held.map(({ id, audience: { rule } }) => ({ leaderboardId: id, audience: rule === null ? "" : writeJson(rule) })),
  );
}

/** A period as it is when it begins. */
export const newPeriod = (board: Leaderboard, period: ScorePeriod): NewPeriod => ({
  ...period,
  leaderboardId: board.id,
  settlesAt: settlesAt(board, period),
  dueAt: firstDue(board, period),
});

/**
 * Records that an environment's project moves to another zone at `now` (the environment's clock): running periods continue, and the
 * integrity check knows each fact's zone. The environment lock is held exclusively.
 */
export async function leaveZone(tx: Transaction, environmentId: number, now: number, zone: string): Promise<void> {
  const seq = await nextSeq(tx);
  const isWaitingKnown = await untilOthersWrote(tx, environmentId);
  await insertZoneChange(tx, environmentId, { at: now, zone, seq }, isWaitingKnown);
}
