import type { Definitions } from "../../../model/definitions/compiled.ts";
import type { Player } from "../../../model/kernel/player.ts";
import { formatInstant } from "../../../model/kernel/time.ts";
import type { Condition } from "../../../model/rules/condition.ts";
import { isInShare } from "../../../model/rules/share.ts";
import { leaves } from "../../../model/rules/tree.ts";
import type { TriedKind } from "../shapes.ts";
import type { Happening } from "../invented.ts";
import type { Basis } from "./rules.ts";
import { Impossible, Run } from "./run.ts";
import type { Steps } from "../../../model/kernel/steps.ts";
import { scenarioShape, stepShape } from "./shape.ts";

interface Tried {
  kind: TriedKind;
  key: string;
  name: string;
  /** Null: open to all players. */
  audience: Condition | null;
}

/** The most folds while a scenario is written: fewer than when one is run, since the service does this work. */
const MAX_FOLDS = 20_000;

/** The start of a scenario with these facts. */
export const beginOf = (facts: readonly Happening[], now: number): number => Math.min(now, ...facts.map(({ receivedAt }) => receivedAt));

/**
 * A file with one scenario: a new player with the attributes and the balance of `player`, these facts until `now`, and then the player's
 * view of the tried definition. Every offer of it is accepted. `basis` has the definitions at the start. Facts that the present definitions
 * refuse are left out. Throws TooLong.
 */
export function* writeScenario(
  basis: Basis,
  { kind, key, name, audience }: Tried,
  player: Player,
  facts: readonly Happening[],
  now: number,
): Steps<object> {
  const { definitions, language } = basis.scene;
  const attributes = Object.fromEntries(
    [...player.attributes].flatMap(([id, { value }]) => {
      const attribute = definitions.attributesById.get(id);
      return attribute?.active === true ? [[attribute.key, value]] : [];
    }),
  );
  const begin = { ...(player.timeZone === null ? {} : { timeZone: player.timeZone }), attributes, points: player.balance };
  const own = nameInSharesOf(player, audience);
  const scenario = { name, ...(own === NAME ? {} : { player: own }), clock: formatInstant(basis.scene.now), players: { [own]: begin } };
  const steps: object[] = [];
  const run = new Run(basis, scenarioShape.parse({ ...scenario, steps: [{ read: "missions" }] }), [], MAX_FOLDS);
  function* take(step: object): Steps<void> {
    yield;
    try {
      yield* run.take(stepShape.parse(step), steps.length);
      steps.push(step);
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
    }
  }
  function* acceptOffer(): Steps<void> {
    if (kind === "missions" && (yield* run.isOffered(key))) yield* take({ accept: key });
  }
  run.begin();
  for (const fact of facts) {
    if (fact.receivedAt > run.now) yield* take({ until: formatInstant(fact.receivedAt) });
    yield* acceptOffer();
    yield* take(stepOf(fact, definitions));
  }
  if (now > run.now) yield* take({ until: formatInstant(now) });
  yield* acceptOffer();
  steps.push({ expect: { [kind]: { [key]: yield* run.seen(kind, key) } } });
  return { timeZone: definitions.timeZone, language, scenarios: [{ ...scenario, steps }] };
}

const NAME = "player";
/** Enough names for any likely shares; beyond it the scenario may differ from the trial. */
const MAX_NAMES = 1_000;

/** A name in the same shares as the tried player, whose own id stays out of the file: shares are chosen by id. */
function nameInSharesOf({ externalId }: Player, audience: Condition | null): string {
  const shares = (audience === null ? [] : leaves<Condition>(audience)).filter((leaf) => leaf.kind === "share");
  for (let at = 1; at <= MAX_NAMES; at++) {
    const name = at === 1 ? NAME : `${NAME} ${at}`;
    if (shares.every((share) => isInShare(name, share) === isInShare(externalId, share))) return name;
  }
  return NAME;
}

function stepOf(fact: Happening, { attributesById, eventsById, metricsById }: Definitions): object {
  const at = fact.occurredAt === fact.receivedAt ? {} : { at: formatInstant(fact.occurredAt) };
  if (fact.kind === "attribute") return { attribute: attributesById.get(fact.attributeId)?.key, value: fact.value, ...at };
  const { definitionId, properties, value } = fact;
  const given = { ...(Object.keys(properties).length === 0 ? {} : { properties }), ...at };
  const metric = metricsById.get(definitionId);
  return metric === undefined ? { event: eventsById.get(definitionId)?.key, ...given } : { metric: metric.key, value, ...given };
}
