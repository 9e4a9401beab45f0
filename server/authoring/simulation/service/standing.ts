import { type Database, inTime, readOnly } from "#db/client.ts";
import { wordsOf } from "#server/model/definitions/words.ts";
import { readWholePlayer } from "#server/engine/apply.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { mapInSteps } from "#server/model/kernel/steps.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { inputsOfAudiences } from "#server/model/rules/audience.ts";
import { inputsIn, qualifies } from "#server/model/rules/condition.ts";
import { explainAudience } from "#server/model/segments/explain.ts";
import { resolveInputsOfPlayers } from "#server/engine/inputs.ts";
import { missionStanding } from "../mission-standing.ts";
import { inTurns } from "#server/engine/turns.ts";
import type { Scene } from "../steps.ts";
import { definitionsOf, loadStored } from "#server/engine/definitions.ts";

/**
 * Why a player is in each active mission and each segment, or why not, by the rules for entries and audiences. Read-only; null for an
 * unknown player. Throws OperatorError if the player's history is too long to read in time.
 */
export function standingOf(database: Database, environment: Environment, now: number, externalId: string) {
  const standing = readOnly(database, async (tx) => {
    const known = await readWholePlayer(tx, environment.id, playerKey(environment.id, externalId));
    if (known === null) return null;
    const definitions = await definitionsOf(tx, environment);
    const language = environment.defaultLanguage;
    const words = wordsOf(await loadStored(tx, environment.id), language, known.timeZone ?? environment.timeZone);
    const scene: Scene = { definitions, words, now, language, itemName: (key) => key };
    const missions = definitions.missions.filter(({ active }) => active);
    const wanted = [...inputsOfAudiences(missions), ...definitions.segments.flatMap(({ rule }) => inputsIn(rule))];
    const inputs = await resolveInputsOfPlayers(tx, definitions, now, [known], wanted);
    const player = { ...known, inputs: inputs.get(known.playerId) ?? known.inputs };
    return {
      missions: await inTurns(mapInSteps(missions, (mission) => missionStanding(scene, player, mission))),
      segments: await inTurns(
        mapInSteps(definitions.segments, ({ key, rule }) => ({
          key,
          isIn: qualifies(player, rule),
          lines: explainAudience(player, rule, definitions, words),
        })),
      ),
    };
  });
  return inTime(standing, "The player has too many events to judge in time.");
}
