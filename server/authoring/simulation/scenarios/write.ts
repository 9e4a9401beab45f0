import type { Definitions } from "../../../model/definitions/compiled.ts";
import type { Player } from "../../../model/kernel/player.ts";
import { formatInstant } from "../../../model/kernel/time.ts";
import type { TriedKind } from "../shapes.ts";
import type { Happening } from "../invented.ts";
import type { Basis } from "./rules.ts";
import { Impossible, Run } from "./run.ts";
import { scenarioShape, stepShape } from "./shape.ts";

interface Tried {
  kind: TriedKind;
  key: string;
  name: string;
}

/** When a scenario of these facts begins. */
export const beginOf = (facts: readonly Happening[], now: number): number => Math.min(now, ...facts.map(({ receivedAt }) => receivedAt));

/**
 * A file with one scenario: a new player with the attributes and the balance of `player`, to whom these facts happen until `now`, and what
 * is seen of the tried definition then. Every offer of it is accepted. `basis` has the definitions as of the begin. A fact that today's
 * definitions refuse is left out.
 */
export function writeScenario(basis: Basis, { kind, key, name }: Tried, player: Player, facts: readonly Happening[], now: number): object {
  const { definitions, language } = basis.scene;
  const attributes = Object.fromEntries(
    [...player.attributes].flatMap(([id, { value }]) => {
      const attribute = definitions.attributesById.get(id);
      return attribute?.active === true ? [[attribute.key, value]] : [];
    }),
  );
  const begin = { ...(player.timeZone === null ? {} : { timeZone: player.timeZone }), attributes, points: player.balance };
  const scenario = { name, clock: formatInstant(basis.scene.now), players: { player: begin } };
  const steps: object[] = [];
  const run = new Run(basis, scenarioShape.parse({ ...scenario, steps: [{ read: "missions" }] }), []);
  const take = (step: object): void => {
    try {
      run.take(stepShape.parse(step), steps.length);
      steps.push(step);
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
    }
  };
  const acceptOffer = () => (kind === "missions" && run.isOffered(key) ? take({ accept: key }) : undefined);
  run.begin();
  for (const fact of facts) {
    if (fact.receivedAt > run.now) take({ until: formatInstant(fact.receivedAt) });
    acceptOffer();
    take(stepOf(fact, definitions));
  }
  if (now > run.now) take({ until: formatInstant(now) });
  acceptOffer();
  steps.push({ expect: { [kind]: { [key]: run.seen(kind, key) } } });
  return { timeZone: definitions.timeZone, language, scenarios: [{ ...scenario, steps }] };
}

function stepOf(fact: Happening, { attributesById, eventsById, metricsById }: Definitions): object {
  const at = fact.occurredAt === fact.receivedAt ? {} : { at: formatInstant(fact.occurredAt) };
  if (fact.kind === "attribute") return { attribute: attributesById.get(fact.attributeId)?.key, value: fact.value, ...at };
  const { definitionId, properties, value } = fact;
  const given = { ...(Object.keys(properties).length === 0 ? {} : { properties }), ...at };
  const metric = metricsById.get(definitionId);
  return metric === undefined ? { event: eventsById.get(definitionId)?.key, ...given } : { metric: metric.key, value, ...given };
}
