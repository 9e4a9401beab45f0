import type { OpenAPI } from "@orpc/openapi";
import { z } from "zod";
import { descriptions, MAX_INT32 } from "../model/contract/v1.ts";

export type Schema = OpenAPI.SchemaObject;

const COMPONENTS = "#/components/schemas/";

/** Contract shapes as schemas of one OpenAPI document; a shape with an id is included once, under its name. */
export class Schemas {
  readonly named: Record<string, Schema> = {};

  /** The schema of a shape as sent (`input`) or as returned (`output`). */
  of(shape: z.ZodType, io: "input" | "output"): Schema {
    const text = JSON.stringify(jsonSchemaOf(shape, io)).replaceAll('"#/$defs/', `"${COMPONENTS}`);
    return JSON.parse(text, (name, value: unknown) => (name === "$defs" ? void Object.assign(this.named, value) : value)) as Schema;
  }

  /** As the content of a request or a response. */
  contentOf(schema: Schema): Record<string, OpenAPI.MediaTypeObject> {
    return { "application/json": { schema, example: this.exampleOf(schema) } };
  }

  /** An object's members as parameters or headers, by name. */
  parametersOf({ properties = {}, required = [] }: Schema): [string, OpenAPI.HeaderObject][] {
    return (Object.entries(properties) as [string, Schema][]).map(([name, member]) => {
      const { description, examples: _, ...schema } = member;
      return [name, { description, required: required.includes(name), schema, example: this.exampleOf(member) } as OpenAPI.HeaderObject];
    });
  }

  /** The schema's own example, or one composed from its parts. Throws if one is missing. */
  exampleOf(schema: Schema): unknown {
    const { $ref, const: only, examples, enum: values, oneOf, anyOf = oneOf, items, properties } = schema as AnySchema;
    if (examples) return examples[0];
    if ($ref) return this.exampleOf(this.named[$ref.slice(COMPONENTS.length)]!);
    if (only !== undefined) return only;
    if (values) return values[0];
    if (anyOf) return this.exampleOf(anyOf[0]!);
    if (items) return [this.exampleOf(items)];
    if (!properties) throw new Error(`The reference has no example for ${JSON.stringify(schema)}`);
    return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, this.exampleOf(member)]));
  }
}

interface AnySchema {
  $ref?: string;
  const?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

type Json = z.core.JSONSchema.BaseSchema;

/**
 * Zod's JSON schema of a shape, adapted for customers: zod drops the examples of transformed values, but ours show what is sent; responses
 * may gain members, so no object is closed.
 */
function jsonSchemaOf(shape: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(shape, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const described = descriptions.get(zodSchema)?.shape;
      if (described) Object.assign(jsonSchema, jsonSchemaOf(described as z.ZodType, io));
      const examples = z.globalRegistry.get(zodSchema)?.examples;
      if (examples) jsonSchema.examples = examples as [];
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.propertyNames;
      if (jsonSchema.type === "integer") addIntegerFormat(jsonSchema);
      if (jsonSchema.anyOf) mergeNull(jsonSchema);
    },
  });
  return json;
}

/** Adds a format: client generators treat an integer without one as 32 bits wide. Removes bounds that the format implies. */
function addIntegerFormat(json: Json): void {
  json.format ??= json.maximum === MAX_INT32 ? "int32" : "int64";
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER || json.maximum === MAX_INT32) delete json.maximum;
}

/** A nullable simple value becomes one schema with two types, so that its annotations apply to the member. */
function mergeNull(json: Json): void {
  const [value, nothing, ...more] = json.anyOf as Json[];
  if (more.length > 0 || nothing?.type !== "null" || typeof value?.type !== "string") return;
  const { anyOf: _, ...own } = json;
  const values = value.enum ? { enum: [...value.enum, null] } : {};
  delete json.anyOf;
  if (value.type === "integer") addIntegerFormat(value);
  Object.assign(json, value, values, own, { type: [value.type, "null"] });
}
