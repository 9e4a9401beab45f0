import type { Database } from "#db/client.ts";
import { hasRequest } from "#server/people/audit-log/read.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { applyDecision } from "#server/engine/apply.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { reasonFrom } from "#server/model/kernel/input-text.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { playerEntry } from "../../players/service/players.ts";
import { isLimit } from "#server/model/rules/objective.ts";
import { canAward, hasMet } from "#server/model/missions/advance.ts";
import { stateOf } from "#server/model/missions/state.ts";

export interface Award {
  externalId: string;
  missionKey: string;
  /** Null: the whole mission. */
  objectiveId: string | null;
  reason: string;
  /** The idempotency key of the click, a UUID. */
  requestId: string;
}

/**
 * Grants a known player the open occurrence of a mission, or one objective of it, as a separate fact: a completion happens once, with
 * its rewards and webhooks. The audit entry in the same transaction marks the request as done, so a repeating mission is not granted twice.
 * The player's queued events are applied first. Throws OperatorError if the mission is completed, closed or off, or the objective is met.
 */
export async function awardMission(database: Database, environment: Environment, wanted: Award, actor: Actor): Promise<void> {
  try {
    await award(database, environment, wanted, actor);
  } catch (error) {
    if (!(await hasRequest(database.sql, environment.id, wanted.requestId))) throw error;
  }
}

async function award(
  database: Database,
  environment: Environment,
  { externalId, missionKey, objectiveId, reason, requestId }: Award,
  actor: Actor,
): Promise<void> {
  const why = reasonFrom(reason);
  const key = { ...playerKey(environment.id, externalId), externalId };
  const absent = () => new OperatorError("There is no such player in this environment.");
  await applyDecision(database, environment.id, key, ({ definitions, now }) => {
    const mission = definitions.missionsByKey.get(missionKey);
    if (mission === undefined) throw new OperatorError("This environment has no such mission.");
    const index = mission.objectives.findIndex(({ id }) => id === objectiveId);
    if (objectiveId !== null && index === -1) throw new OperatorError("This mission has no such objective.");
    let isDone = false;
    return {
      absent,
      decide: (player, seq) => {
        if (isDone) return [];
        isDone = true;
        const state = stateOf(player, mission);
        const isFinished = player.completedMissions.has(mission.id);
        if (!canAward(mission, state, isFinished, now, player.timeZone ?? definitions.timeZone))
          throw new OperatorError("This mission cannot be granted now: the player has completed it already, or it is closed.");
        if (index !== -1 && (isLimit(mission.objectives[index]!) || hasMet(mission, state, index, now)))
          throw new OperatorError("The player has met this objective already.");
        return [{ kind: "award", seq, receivedAt: now, missionId: mission.id, objectiveId }];
      },
      beside: (tx) =>
        recordChange(tx, {
          ...(index === -1
            ? playerEntry(environment, actor, "award", externalId, { mission: mission.key, reason: why })
            : playerEntry(environment, actor, "award_objective", externalId, {
                mission: mission.key,
                objective: index + 1,
                reason: why,
              })),
          requestId,
        }),
    };
  });
}
