import { type Database, transact, type Transaction } from "#db/client.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { holdPlayers, lockExclusive } from "#server/engine/store/locks.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { reasonFrom } from "#server/model/kernel/input-text.ts";
import { playerEntry } from "../../players/service/players.ts";
import { CountChanges, difference, type TeamChange } from "#server/model/leaderboards/changes.ts";
import {
  lockHidden,
  type MovedContribution,
  moveContributions,
  moveScores,
  moveSeats,
  movingBoardOf,
  setHidden,
  type Side,
} from "../store/hiding.ts";
import { saveTeams } from "#server/engine/store/scores.ts";
import { teamKey } from "#server/model/leaderboards/scores.ts";
import { isHeld } from "#server/model/leaderboards/shape.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { type PlayerKey, playerKey } from "#server/model/players/identity.ts";
import { environmentNow, loadEnvironment } from "#server/engine/environment.ts";

/**
 * Hides a player from all leaderboards: immediately from unsettled periods, and from every later one. Their scores are kept separately and
 * continue, and their contributions leave the teams' sums. Settled periods stay as they ended. Throws OperatorError.
 */
export const hideFromBoards = (database: Database, environment: Environment, externalId: string, reason: string, actor: Actor) =>
  change(database, environment, externalId, reason, actor, "hidden");

/** Shows a hidden player again with their current scores. Periods settled meanwhile stay without them. Throws OperatorError. */
export const showOnBoards = (database: Database, environment: Environment, externalId: string, reason: string, actor: Actor) =>
  change(database, environment, externalId, reason, actor, "shown");

/** Holds the environment lock exclusively for some milliseconds: meanwhile no fact is applied and no settlement proceeds. */
function change(database: Database, environment: Environment, externalId: string, reason: string, actor: Actor, to: Side): Promise<void> {
  const why = reasonFrom(reason);
  const key = playerKey(environment.id, externalId);
  return transact(database, async (tx) => {
    await holdPlayers(tx, environment.id);
    await lockExclusive(tx, environment.id);
    const player = await lockHidden(tx, key);
    if (player === undefined) throw new OperatorError("There is no such player in this environment.");
    if ((player.hiddenAt !== null) === (to === "hidden"))
      throw new OperatorError(
        to === "hidden" ? "This player is hidden from leaderboards already." : "This player is on leaderboards already.",
      );
    const board = await movingBoardOf(tx, key);
    if (board !== null)
      throw new OperatorError(`A period of the leaderboard ${board} that the player is in is being settled. Try again in a minute.`);
    const current = (await loadEnvironment(tx, environment.id)) ?? environment;
    const [now, definitions] = await Promise.all([environmentNow(tx, current), definitionsOf(tx, current)]);
    await setHidden(tx, key, to === "hidden" ? now : null);
    await moveRows(tx, definitions, key, to);
    const action = to === "hidden" ? "hide_from_boards" : "show_on_boards";
    await recordChange(tx, playerEntry(environment, actor, action, externalId, { reason: why }));
  });
}

async function moveRows(tx: Transaction, { leaderboardsById }: Definitions, key: PlayerKey, to: Side): Promise<void> {
  const counts = new CountChanges();
  for (const { periodId, sortScore } of await moveScores(tx, key, to)) {
    const [before, after] = to === "hidden" ? [sortScore, null] : [null, sortScore];
    counts.move({ part: key.part, periodId }, before, after);
  }
  const teams = await moveContributions(tx, key, to, [...leaderboardsById.keys()]);
  await moveSeats(tx, key, to);
  await saveTeams(tx, teamChanges(teams, leaderboardsById, to), counts);
}

/** On an erasure, subtracts the player's attribute values from their teams' scores. What they earned for a team, by events or points, stays. */
export async function withdrawHeldValues(tx: Transaction, { leaderboardsById }: Definitions, key: PlayerKey): Promise<void> {
  const held = [...leaderboardsById.values()].filter(isHeld).map(({ id }) => id);
  const teams = await moveContributions(tx, key, "hidden", held);
  await saveTeams(tx, teamChanges(teams, leaderboardsById, "hidden"), new CountChanges());
}

const teamChanges = (moved: readonly MovedContribution[], boards: Definitions["leaderboardsById"], to: Side): TeamChange[] =>
  moved.flatMap((one) => {
    const board = boards.get(one.leaderboardId);
    return board === undefined ? [] : [teamChange(one, board, to)];
  });

/** Hiding a member does not change the instant at which a team reached its score. */
const teamChange = (
  { periodId, leaderboardId, team, score, reachedSeq }: MovedContribution,
  board: TeamChange["board"],
  to: Side,
): TeamChange => ({
  ...teamKey(leaderboardId, team),
  periodId,
  team,
  board,
  ...(to === "hidden" ? { score: difference(0, score), members: -1, reachedSeq: 0 } : { score, members: 1, reachedSeq }),
});
