import { type ErrorMap, type HTTPPath, oc } from "@orpc/contract";
import { z } from "zod";
import type { Numeric } from "../kernel/decimal.ts";
import { describeError, type ErrorCode } from "../kernel/errors.ts";
import { isNumeric, type TaggedValue } from "../kernel/values.ts";

/** What the edge has to know about an endpoint beyond its route. */
export interface ApiMeta {
  /** Strings with a NUL or a lone surrogate are left to the procedure, which answers for each item (`context.rawBody` helps it). */
  textIsJudgedPerItem?: boolean;
}

interface EndpointOptions extends ApiMeta {
  method: "GET" | "POST" | "PUT";
  path: HTTPPath;
  /** Unique and stable: clients are generated with it. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** 200 unless said otherwise; a 204 has no output. */
  successStatus?: number;
  /** The codes that are this endpoint's own; those that every endpoint answers are added. */
  refuses?: readonly ErrorCode[];
}

const OF_EVERY_ENDPOINT = [
  "request.invalid",
  "auth.api_key_invalid",
  "project_environment.not_found",
  "internal_error",
  "service.unavailable",
] as const satisfies ErrorCode[];
const OF_EVERY_BODY = ["request.malformed", "request.too_large"] as const satisfies ErrorCode[];

/**
 * The beginning of an endpoint's contract: `endpoint({ … }).input(z.object({ … })).output(…)`. The input is one flat object
 * of path parameters and either the members of the body or, for a GET, the query parameters in PascalCase.
 */
export function endpoint({ tag, refuses = [], textIsJudgedPerItem, ...route }: EndpointOptions) {
  const codes = [...OF_EVERY_ENDPOINT, ...(route.method === "GET" ? [] : OF_EVERY_BODY), ...refuses];
  return oc
    .$meta<ApiMeta>({ textIsJudgedPerItem })
    .errors(errorMap(codes))
    .route({ ...route, tags: [tag] });
}

const errorMap = (codes: readonly ErrorCode[]): ErrorMap =>
  Object.fromEntries(codes.map((code) => [code, { status: describeError(code).status, message: describeError(code).title }]));

/** Which code a field answers with, instead of request.invalid, when it is missing, too long or otherwise wrong. */
export interface FieldCodes {
  missing?: ErrorCode;
  tooLong?: ErrorCode;
  invalid?: ErrorCode;
}

/** Where a contract's fields carry their codes: `someSchema.register(fieldCodes, { missing: "…" })`. */
export const fieldCodes = z.registry<FieldCodes>();

/** The codes of one member of an endpoint's input; null where it has none of its own. */
export function codesOfField(input: unknown, name: string): FieldCodes | null {
  if (!(input instanceof z.ZodObject)) return null;
  for (let field: unknown = (input.shape as z.ZodRawShape)[name]; field instanceof z.ZodType; field = innerOf(field)) {
    const codes = fieldCodes.get(field);
    if (codes) return codes;
  }
  return null;
}

const innerOf = (schema: z.ZodType): unknown => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return schema.unwrap();
  return schema instanceof z.ZodPipe ? schema.in : null;
};

/** Every code that the members of an input can answer with. */
export const codesOfFields = (input: unknown): ErrorCode[] =>
  input instanceof z.ZodObject ? Object.keys(input.shape as object).flatMap((name) => Object.values(codesOfField(input, name) ?? {})) : [];

/** A member that the contract only describes: the procedure judges it. */
export const unchecked = (described: z.ZodType) => z.unknown().meta(jsonSchemaOf(described, "input") as z.core.GlobalMeta);

/** A schema as the API reference shows it. Answers may gain members, and every integer is one that JavaScript holds: neither is said. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return json;
}

/** A check of a string's length in Unicode code points, as all lengths of the API count. */
export const atMost = (maximum: number) => (payload: z.core.ParsePayload<string>) => {
  const { value } = payload;
  if (value.length <= maximum || (value.length <= 2 * maximum && [...value].length <= maximum)) return;
  payload.issues.push({ code: "too_big", origin: "string", maximum, inclusive: true, input: value });
};

const notBlank = (payload: z.core.ParsePayload<string>) => {
  if (payload.value.trim() !== "") return;
  payload.issues.push({ code: "too_small", origin: "string", minimum: 1, inclusive: true, input: payload.value });
};

/** A required text; a blank one counts as missing. */
export const requiredText = (max: number, codes: FieldCodes = {}, description?: string) =>
  z.string().check(notBlank, atMost(max)).meta({ minLength: 1, maxLength: max, description }).register(fieldCodes, codes);

/** A text that may be left out; null and a blank one count as left out, which is read as null. */
export const optionalText = (max: number, codes: FieldCodes = {}, description?: string) =>
  z
    .string()
    .check(atMost(max))
    .meta({ maxLength: max, description })
    .nullish()
    .transform((text) => (text === undefined || text === null || text.trim() === "" ? null : text))
    .register(fieldCodes, codes);

/** The caller's own id of a player (api.md 2.1): `playerId` in a body, `PlayerId` in a query. */
export const playerId = requiredText(
  200,
  { missing: "player.external_id_missing", tooLong: "player.external_id_too_long" },
  "Your own id of the player, at most 200 characters.",
);

/** `languageCode` or `LanguageCode`: null when left out or empty. */
export const languageCode = optionalText(
  100,
  {},
  'A language tag such as "nl-BE"; each text comes in its default language when it is left out.',
);

const MAX_INT32 = 2_147_483_647;

/** `take` of a body: an integer from 1. */
export const take = z.int().min(1).max(MAX_INT32).nullish();

/** `Take` of a query: an integer from 1. */
export const Take = z
  .string()
  .transform((text, context) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
    if (value >= 1 && value <= MAX_INT32) return value;
    context.addIssue({ code: "custom", message: "must be an integer from 1." });
    return z.NEVER;
  })
  .meta({ type: "integer", format: "int32", minimum: 1 })
  .optional();

/** An exact number (api.md 2.1, Numbers). */
export const decimal = z.custom<Numeric>(isNumeric).meta({ type: "number" });

const integerOf = (value: Numeric): number => {
  if (typeof value === "number") return value;
  const rounded = value.toNumber();
  return Number.isSafeInteger(rounded) && value.equals(rounded) ? rounded : Number.NaN;
};

/** A whole number within ±(2^53 − 1); 16 digits are read exactly too. */
export const integer = z
  .custom<Numeric>(
    (value) => isNumeric(value) && Number.isSafeInteger(integerOf(value)),
    "must be a whole number within ±9007199254740991.",
  )
  .transform(integerOf)
  .meta({ type: "integer" });

/** A UTC instant as the API shows it: "2026-01-31T09:00:00.000Z". */
export const timestamp = z.string().meta({ format: "date-time", examples: ["2026-01-31T09:00:00.000Z"] });

export const uuid = z.string().meta({ format: "uuid" });

export const images = z.record(z.string(), z.string().meta({ format: "uri" })).meta({
  description: "Absolute URLs by image slot; empty when there are none.",
  examples: [{ icon: "https://example.com/coffee.png" }],
});

/** api.md 2.1, Tagged value. */
export const taggedValue: z.ZodType<TaggedValue> = z
  .union([
    z.object({ type: z.literal("string"), value: z.string() }),
    z.object({ type: z.literal("number"), value: decimal }),
    z.object({ type: z.literal("boolean"), value: z.boolean() }),
    z.object({ type: z.literal("dateTime"), value: timestamp }),
    z.object({
      type: z.literal("collection"),
      get items() {
        return z.array(taggedValue);
      },
    }),
  ])
  .meta({ id: "TaggedValue", examples: [{ type: "number", value: 5 }] });
