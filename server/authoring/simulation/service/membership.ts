import { type Database, inTime, readOnly, type Transaction } from "#db/client.ts";
import { loadPreview } from "../../definitions/service/preview.ts";
import { wordsOf } from "#server/model/definitions/words.ts";
import { readWholePlayer } from "#server/engine/apply.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { inputsIn, qualifies } from "#server/model/rules/condition.ts";
import { explainAudience } from "#server/game/segments/service/judge.ts";
import { resolveInputsOfPlayers } from "#server/engine/inputs.ts";
import { readDocument } from "../../definitions/service/read-one.ts";
import { playerKey } from "#server/model/players/identity.ts";

/**
 * Whether a player is in a segment now, stored or not, and why, condition by condition. Read-only. Null if the segment has problems, or the
 * environment does not know the player. `now` is on the environment's clock. Throws OperatorError if the player's history is too long to
 * read in time.
 */
export async function tryMembership(
  database: Database,
  environment: Environment,
  now: number,
  { document, player }: { document: string; player: string },
) {
  const read = await readDocument(document);
  if ("problems" in read) return { problems: read.problems, membership: null };
  const judged = readOnly(database, (tx) => judgeOne(tx, environment, now, read.document, player));
  return inTime(judged, "The player has too many events to check in time.");
}

async function judgeOne(tx: Transaction, environment: Environment, now: number, document: unknown, externalId: string) {
  const previewed = await loadPreview(tx, environment, now, "segments", document);
  if ("problems" in previewed) return { problems: previewed.problems, membership: null };
  const { definitions, stored, id } = previewed;
  const rule = definitions.segments.find((one) => one.id === id)?.rule;
  if (rule === undefined) throw new Error(`The segment ${id} that is tried is not compiled.`);
  const known = await readWholePlayer(tx, environment.id, playerKey(environment.id, externalId));
  if (known === null) return { problems: [], membership: null };
  const inputs = await resolveInputsOfPlayers(tx, definitions, now, [known], inputsIn(rule));
  const player = { ...known, inputs: inputs.get(known.playerId) ?? known.inputs };
  const words = wordsOf(stored, environment.defaultLanguage, player.timeZone ?? environment.timeZone);
  return { problems: [], membership: { isIn: qualifies(player, rule), lines: explainAudience(player, rule, definitions, words) } };
}
