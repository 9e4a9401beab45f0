import type { Transaction } from "#db/client.ts";
import { wholePlayer } from "#server/engine/apply.ts";
import { loadAudienceInputs } from "#server/engine/store/players.ts";
import type { Player } from "#server/model/kernel/player.ts";
import type { Steps } from "#server/model/kernel/steps.ts";
import { type Condition, inputsIn, qualifies } from "#server/model/rules/condition.ts";
import { type ReadingBounds, resolveInputsOfPlayers, TooMuchToRead } from "#server/engine/inputs.ts";
import { inTurns } from "#server/engine/turns.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";

export { explainAudience } from "#server/model/segments/explain.ts";
export { type ReadingBounds, TooMuchToRead } from "#server/engine/inputs.ts";

interface JudgedPlayer extends PlayerKey {
  externalId: string;
  timeZone: string | null;
}

/**
 * The ids of the players, among those given, who meet a condition. Read-only; it yields to other work. `now` is on the environment's
 * clock. Throws TooMuchToRead.
 */
export async function judge(
  tx: Transaction,
  environmentId: number,
  definitions: Definitions,
  now: number,
  page: readonly JudgedPlayer[],
  rule: Condition,
  bounds?: ReadingBounds,
): Promise<Set<string>> {
  const parts = new Map((await loadAudienceInputs(tx, page)).map((one) => [one.playerId, one]));
  const players = page.flatMap((one): Player[] => {
    const known = parts.get(one.playerId);
    if (known === undefined) return [];
    const { attributes, balance, completed } = known;
    return [wholePlayer(environmentId, { row: { ...one, completed, isHidden: false }, partitions: [], attributes, balance })];
  });
  const wanted = inputsIn(rule);
  const inputs = wanted.length === 0 ? null : await resolveInputsOfPlayers(tx, definitions, now, players, wanted, bounds);
  return inTurns(qualifying());

  function* qualifying(): Steps<Set<string>> {
    const found = new Set<string>();
    for (const player of players) {
      if (performance.now() > (bounds?.until ?? Infinity)) throw new TooMuchToRead("time");
      yield;
      if (qualifies({ ...player, inputs: inputs?.get(player.playerId) ?? player.inputs }, rule)) found.add(player.playerId);
    }
    return found;
  }
}
