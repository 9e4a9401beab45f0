import { z } from "zod";
import { scenarioFileShape } from "../authoring/simulation/scenarios/shape.ts";
import { fileShape, type Kind, KINDS, SHAPES } from "../model/definitions/contract.ts";

/** The schema of one list of the file, for editors. */
const listOf = (kind: Kind): z.ZodType => z.array(SHAPES[kind]).nullish();

/**
 * The JSON Schema of the definitions file, and of files of scenarios, for completion and validation in editors. It is generated from the
 * shapes that read files, so that they agree; references and rules between definitions are checked by `definitions validate`.
 */
export function definitionsSchema(): object {
  const lists = Object.fromEntries(KINDS.map((kind) => [kind, listOf(kind)]));
  const both = z.toJSONSchema(z.union([fileShape.extend(lists), scenarioFileShape]), {
    io: "input",
    unrepresentable: "any",
    reused: "ref",
    override: removeOpenAnyOf,
  });
  const { $schema, $defs, anyOf: [definitions, scenarios] = [] } = both;
  // Not `anyOf`, so that an editor reports the mistakes of the intended form.
  const chosen = { if: { required: ["scenarios"] }, then: { $ref: "#/$defs/Scenarios" }, else: { $ref: "#/$defs/Definitions" } };
  const title = "Definitions of an engagement service";
  return { $schema, title, ...chosen, $defs: { Definitions: definitions, Scenarios: scenarios, ...$defs } };
}

/** Removes an `anyOf` with an empty schema, such as "anything or null": that allows everything already. */
function removeOpenAnyOf({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { anyOf } = jsonSchema;
  if (anyOf?.some((one) => Object.keys(one).length === 0)) delete jsonSchema.anyOf;
}
