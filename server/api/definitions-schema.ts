import { z } from "zod";
import { fileShape, type Kind, KINDS, SHAPES } from "../model/definitions/contract.ts";

/** The schema of one list of the file, for editors. */
const listOf = (kind: Kind): z.ZodType => z.array(SHAPES[kind]).nullish();

/**
 * The JSON Schema of the definitions file, for completion and validation in editors. It is generated from the shapes that read files, so
 * the two agree; references and rules between definitions are checked by `definitions validate`.
 */
export function definitionsSchema(): object {
  const lists = Object.fromEntries(KINDS.map((kind) => [kind, listOf(kind)]));
  const file = fileShape.extend({
    ...lists,
    $schema: z.string().optional().meta({ description: "For editors; the command line leaves it out." }),
  });
  const { $schema, ...schema } = z.toJSONSchema(file, { io: "input", unrepresentable: "any", reused: "ref", override: withoutNothing });
  return { $schema, title: "Definitions of an engagement service", ...schema };
}

/** Anything is allowed by an empty schema; "anything or null" adds nothing. */
function withoutNothing({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { anyOf } = jsonSchema;
  if (anyOf?.some((one) => Object.keys(one).length === 0)) delete jsonSchema.anyOf;
}
