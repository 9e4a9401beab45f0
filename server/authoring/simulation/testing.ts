import fc from "fast-check";
import type { Definitions } from "../../model/definitions/compiled.ts";
import { soundFiles } from "../../model/definitions/testing/files.ts";
import { DefinitionsInMemory } from "../../model/definitions/testing/in-memory.ts";
import { NOON } from "../../model/missions/testing.ts";
import type { AttributeFact, EventFact } from "../../model/kernel/facts.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { isNumeric, type Scalar, type ScalarType } from "../../model/kernel/values.ts";
import { HOUR } from "../../model/kernel/instant.ts";

/** Values that the definitions compare with, and others, so that filters accept some events. */
function valuesIn(definitions: Definitions): Record<ScalarType, Scalar[]> {
  const values: Record<ScalarType, Scalar[]> = {
    String: ["", "tea"],
    Number: [0, 1, 2.5],
    Boolean: [true, false],
    DateTime: [formatInstant(NOON)],
  };
  const add = (value: unknown): void => {
    if (isNumeric(value)) values.Number.push(value);
    else if (typeof value === "string") values[/^\d{4}-\d\d-\d\dT/.test(value) ? "DateTime" : "String"].push(value);
    else if (Array.isArray(value)) value.forEach(add);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(add);
  };
  add(definitions.missions.flatMap(({ objectives }) => objectives.map(({ criteria }) => criteria)));
  add(definitions.streaks.map(({ criterion }) => criterion));
  return values;
}

/** Facts of the definitions, in order, received some time after they happened. */
function happenings(definitions: Definitions): fc.Arbitrary<(EventFact | AttributeFact)[]> {
  const values = valuesIn(definitions);
  const sources = [...definitions.eventsById.values(), ...definitions.metricsById.values()].filter(({ active }) => active);
  const valueOf = (type: ScalarType) => fc.constantFrom(...values[type]);
  const event = fc.constantFrom(...sources).chain(({ id, properties }) =>
    fc
      .tuple(
        ...[...properties.values()].map(({ key, type }) => fc.option(valueOf(type)).map((value) => [key, value] as const)),
        valueOf("Number"),
      )
      .map((drawn) => {
        const value = drawn.at(-1) as Scalar;
        const given = (drawn.slice(0, -1) as (readonly [string, Scalar | null])[]).filter(
          (entry): entry is [string, Scalar] => entry[1] !== null,
        );
        return {
          kind: "event" as const,
          definitionId: id,
          properties: Object.fromEntries(given),
          value: definitions.metricsById.has(id) ? value : null,
        };
      }),
  );
  const attribute = fc
    .constantFrom(...[...definitions.attributesById.values()].filter(({ active }) => active))
    .chain(({ id, type }) => valueOf(type).map((value) => ({ kind: "attribute" as const, attributeId: id, value })));
  const happening = fc.tuple(
    fc.oneof({ arbitrary: event, weight: 5 }, attribute),
    fc.integer({ min: -40, max: 40 }),
    fc.integer({ min: 0, max: 30 }),
  );
  return fc.array(happening, { minLength: 1, maxLength: 25 }).map((drawn) =>
    drawn.map(([one, hours, late], index) => {
      const receivedAt = NOON + (index * 3 + late) * HOUR;
      return { ...one, seq: index + 1, id: `e${index}`, occurredAt: receivedAt - Math.max(-24, hours) * HOUR, receivedAt } as
        | EventFact
        | AttributeFact;
    }),
  );
}

/** Definitions with facts. */
export const worlds = soundFiles()
  .map((file) => DefinitionsInMemory.after(file).compile())
  .chain((definitions) => happenings(definitions).map((facts) => ({ definitions, facts })));
