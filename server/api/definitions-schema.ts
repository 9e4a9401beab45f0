import { z } from "zod";
import { fileShape, type Kind, KINDS, SHAPES } from "../model/definitions/contract.ts";

/** What a list of the file has in it, for whoever reads the schema in an editor. */
const listOf = (kind: Kind): z.ZodType => z.array(SHAPES[kind]).nullish();

/**
 * The JSON Schema of the definitions file: what an editor completes and underlines while somebody writes one. It is made from the shapes by
 * which files are read, so it says what they say; references and rules between definitions are left to `definitions validate`.
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

/** A member whose value may be anything is left open by an empty schema; "anything or null" says no more. */
function withoutNothing({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { anyOf } = jsonSchema;
  if (anyOf?.some((one) => Object.keys(one).length === 0)) delete jsonSchema.anyOf;
}
