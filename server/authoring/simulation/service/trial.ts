import type { DefinitionProblem } from "#server/model/definitions/problems.ts";
import { type Database, inTime, readOnly, type Transaction } from "#db/client.ts";
import type { DefinitionsPreview } from "#server/model/definitions/preview.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import { loadPreview } from "../../definitions/service/preview.ts";
import { instantInZone } from "#server/model/definitions/words.ts";
import { readPlayerToTry, unknownPlayer } from "#server/engine/apply.ts";
import { type Documents, readDocument } from "../../definitions/service/read-one.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { EventFact } from "#server/model/kernel/facts.ts";
import type { Player } from "#server/model/kernel/player.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import type { FieldProblem } from "#server/model/kernel/problem.ts";
import { parseInstant } from "#server/model/kernel/time.ts";
import { missionsReadingPlayer } from "#server/model/missions/automatic-entries.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { type Audience, inputsOfAudiences } from "#server/model/rules/audience.ts";
import { type Condition, qualifies } from "#server/model/rules/condition.ts";
import { shortened } from "#server/model/rules/naming.ts";
import { leaves } from "#server/model/rules/tree.ts";
import { explainAudience } from "#server/model/segments/explain.ts";
import { resolveInputsOfPlayers } from "#server/engine/inputs.ts";
import type { Scenario, Trial, TriedKind } from "../shapes.ts";
import { type Happening, inventedFacts, thatChange } from "../invented.ts";
import type { PreviewResult } from "../missions.ts";
import { type Scene, sceneOf } from "../steps.ts";
import { TooLong } from "../scenarios/world.ts";
import { beginOf, writeScenario } from "../scenarios/write.ts";
import { recentFacts } from "./recent-facts.ts";
import { compile } from "#server/model/definitions/compile.ts";
import { asIfCreatedAt } from "#server/model/definitions/stored.ts";
import { inTurns } from "#server/engine/turns.ts";
import { writeJson } from "#server/model/kernel/json.ts";

export interface Trying {
  kind: TriedKind;
  document: string;
  /** New definitions that it references, tried together with it. */
  along?: Documents;
  /** Null: a new player without any activity. */
  player: string | null;
  balance: number | null;
  scenario: Scenario;
  ignoreAudience: boolean;
  /** Whether to return the trial also as a scenario. */
  asScenario?: boolean;
}

export interface Tried {
  problems: DefinitionProblem[];
  factProblems: FieldProblem[];
  trial: Trial | null;
}

/** The most of a player's latest events that a trial uses. */
const RECENT = 200;

/** External ids are never empty, so this one matches no player. */
const NOBODY = "";

/** The state of a preview, for each of the four kinds. */
export interface Preview {
  tx: Transaction;
  environment: Environment;
  previewed: DefinitionsPreview & { definitions: Definitions };
  scene: Scene;
  input: Trying;
  /** Null if nothing was invented. */
  invented: Happening[] | null;
  /** The instant from which the player meets the definition; null if none was chosen. */
  from: number | null;
  notes: string[];
  /** The player with all state that these definitions and facts need; an empty one if unknown. */
  read(definitions: Definitions, audience: Audience | null, facts: readonly Happening[]): Promise<{ player: Player; isKnown: boolean }>;
  /** The player's latest events of these definitions. */
  history(definitionIds: readonly number[]): Promise<EventFact[]>;
}

export type ApplyPreview = (
  preview: Preview,
) => Promise<PreviewResult & { audience: Condition | null; player: Player; facts: readonly Happening[] }>;

/**
 * Previews a definition, stored, edited or new, for a player: with the rules for real facts, and without writing anything. `previews` has
 * the four kinds. Throws OperatorError if the player has too many events.
 */
export async function tryDefinition(
  database: Database,
  environment: Environment,
  now: number,
  input: Trying,
  previews: Record<TriedKind, ApplyPreview>,
): Promise<Tried> {
  const read = await readDocument(input.document, input.along ?? []);
  if ("problems" in read) return { problems: read.problems, factProblems: [], trial: null };
  const tried = readOnly<Tried>(database, async (tx) => {
    const previewed = await loadPreview(tx, environment, now, input.kind, read.document, read.along);
    if ("problems" in previewed) return { problems: previewed.problems, factProblems: [], trial: null };
    const { scenario } = input;
    const invented = scenario.kind === "Invented" ? inventedFacts(scenario.facts, previewed.definitions, now) : null;
    if (invented !== null && "problems" in invented) return { problems: [], factProblems: invented.problems, trial: null };
    const preview = openPreview(tx, environment, now, previewed, input, invented?.facts ?? null);
    return { problems: [], factProblems: [], trial: await applyPreview(preview, previews[input.kind]) };
  });
  return inTime(tried, "The player has too many events to replay in time. Try sample events.");
}

async function applyPreview(preview: Preview, run: ApplyPreview): Promise<Trial> {
  const { audience, player, facts, steps, summary, rewards } = await run(preview);
  const { definitions, words } = preview.scene;
  return {
    notes: preview.notes,
    audience:
      audience === null ? null : { qualifies: qualifies(player, audience), lines: explainAudience(player, audience, definitions, words) },
    steps,
    summary,
    rewards,
    scenario: preview.input.asScenario === true ? await scenarioOf(preview, player, facts, audience) : null,
  };
}

/** The trial as a scenario, which imports the definitions at its start. Throws OperatorError. */
async function scenarioOf(
  { previewed, environment, scene, input }: Preview,
  player: Player,
  facts: readonly Happening[],
  audience: Condition | null,
): Promise<string> {
  const { lists } = previewed.stored;
  const begin = beginOf(facts, scene.now);
  const stored = asIfCreatedAt(previewed.stored, begin);
  const basis = { stored, scene: sceneOf(environment, stored, await inTurns(compile(stored, environment, [])), begin) };
  const { key } = lists[input.kind].find(({ id }) => id === previewed.id)!.shaped;
  const name = scene.words.nameOf(previewed.id);
  try {
    return writeJson(await inTurns(writeScenario(basis, { kind: input.kind, key, name, audience }, player, facts, scene.now)));
  } catch (error) {
    if (error instanceof TooLong)
      throw new OperatorError("More happens in this trial than a scenario can hold. Try a shorter time, or fewer events.");
    throw error;
  }
}

function openPreview(
  tx: Transaction,
  environment: Environment,
  now: number,
  previewed: Preview["previewed"],
  input: Trying,
  invented: Happening[] | null,
): Preview {
  const { stored, definitions } = previewed;
  const scene = sceneOf(environment, stored, definitions, now);
  const key = { ...playerKey(environment.id, input.player ?? NOBODY), externalId: input.player ?? "a new player" };
  const { scenario } = input;
  const notes: string[] = [];
  return {
    tx,
    environment,
    previewed,
    scene,
    input,
    invented,
    from: scenario.kind === "History" && scenario.from !== null ? instantOf(scenario.from) : null,
    notes,
    async read(narrowed, audience, facts) {
      const events = facts.filter((fact) => fact.kind === "event");
      const known = input.player === null ? null : await readPlayerToTry(tx, environment.id, narrowed, key, events);
      const opened = known === null ? [] : missionsReadingPlayer(known, narrowed, facts);
      const wanted = inputsOfAudiences(audience === null ? opened : [{ audience }, ...opened]);
      if (known === null && input.player !== null) notes.push("The environment has never seen this player, who is treated as a new one.");
      const player = known ?? unknownPlayer(environment.id, key, wanted);
      if (player.timeZone !== null) scene.words.zone = player.timeZone;
      const inputs =
        known === null || wanted.length === 0
          ? player.inputs
          : ((await resolveInputsOfPlayers(tx, definitions, now, [known], wanted)).get(known.playerId) ?? known.inputs);
      if (wanted.length > 0 && invented !== null) notes.push("Conditions of the audience over history are evaluated as of now.");
      const asked = audience?.rule == null ? [] : leaves<Condition>(audience.rule);
      const readsOthers = asked.some(({ kind }) => kind === "balance" || kind === "missionCompleted");
      if (readsOthers && invented !== null && narrowed.missions !== definitions.missions)
        notes.push("Nothing else is played: points and missions that these events would bring elsewhere do not change the audience.");
      if (input.player === null && asked.some(({ kind }) => kind === "share"))
        notes.push("A share of players is chosen by their ids, and this new player has none: a real one may be in it or not.");
      return { player: { ...player, inputs, balance: input.balance ?? player.balance }, isKnown: known !== null || input.player === null };
    },
    async history(definitionIds) {
      if (input.player === null) return [];
      const { facts, isCut } = await recentFacts(tx, key, definitionIds, RECENT);
      if (isCut) notes.push(`The latest ${facts.length} of the player's events; what came before them is left out.`);
      return facts;
    },
  };
}

function instantOf(text: string): number {
  const instant = parseInstant(text);
  if (instant === null) throw new OperatorError(`"${shortened(text)}" is not an instant; write one such as 2026-01-31T09:00:00Z.`);
  return instant;
}

/** The invented facts that change this player; the others are reported as having no effect. */
export function changing({ scene, notes }: Preview, player: Player, facts: readonly Happening[]): Happening[] {
  const { facts: changes, idle } = thatChange(player.attributes, facts);
  for (const { attributeId, occurredAt } of idle) {
    const name = scene.words.nameOf(attributeId);
    notes.push(`${name} of ${instantInZone(occurredAt, scene.words)} changes nothing: the player has that value, or a later one.`);
  }
  return changes;
}
