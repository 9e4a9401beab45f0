import { type ErrorMap, type HTTPPath, oc } from "@orpc/contract";
import { z } from "zod";
import { ANY_PERIODS } from "../kernel/calendar.ts";
import type { Numeric } from "../kernel/decimal.ts";
import { describeError, type ErrorCode } from "../kernel/errors.ts";
import { isNumeric, type TaggedValue } from "../kernel/values.ts";

/** What the HTTP layer needs to know of an endpoint besides its route. */
export interface ApiMeta {
  /** Strings with a NUL or a lone surrogate are left to the procedure, which reports them item by item (`context.rawBody` helps it). */
  textIsJudgedPerItem?: boolean;
  /** Its statement confirms the remembered API key (`RememberedKey`), so that a small request takes one round trip to the database. */
  confirmsKey?: boolean;
}

/** The groups of the reference, in its order. */
export const TAGS = {
  Events: "What players do. Missions move by events; a player is created by their first event.",
  Metrics: "What players add up: money, steps, minutes. Each event adds its value to the player's total.",
  Attributes: "What is true of a player until it is set to something else: their tier, their city, their plan.",
  Players: "Players are known by your own ids. They are created automatically; here they can get a name and a time zone.",
  Missions: "What players can do and earn. Reading missions enters the player into them.",
  Streaks: `How many ${ANY_PERIODS} in a row a player has kept at something.`,
  Leaderboards: "Who is ahead: ranks, teams and leagues, period by period.",
  Marketplace: "What players buy with their points.",
  Points: "Balances, and the ledger that they are the sum of.",
  Webhooks: "What the service sends to your endpoints, signed as Standard Webhooks say.",
} as const satisfies Record<string, string>;

interface EndpointOptions extends ApiMeta {
  method: "GET" | "POST" | "PUT";
  path: HTTPPath;
  /** Unique and stable: clients are generated with it. */
  operationId: string;
  tag: keyof typeof TAGS;
  summary: string;
  description: string;
  /** The status of a success. */
  answers: string;
  /** 200 unless said otherwise; a 204 has no output. */
  successStatus?: number;
  /** This endpoint's own codes; those common to all endpoints are added. */
  refuses?: readonly ErrorCode[];
}

const OF_EVERY_ENDPOINT = [
  "request.invalid",
  "auth.api_key_invalid",
  "project_environment.not_found",
  "rate_limit.concurrency_exceeded",
  "internal_error",
  "service.unavailable",
] as const satisfies ErrorCode[];
const OF_EVERY_BODY = ["request.malformed", "request.too_large", "request.timeout"] as const satisfies ErrorCode[];

/**
 * The beginning of an endpoint's contract: `endpoint({ … }).input(z.object({ … })).output(…)`. The input is one flat object
 * of path parameters and either the members of the body or, for a GET, the query parameters in PascalCase.
 */
export function endpoint({ tag, answers, refuses = [], textIsJudgedPerItem, confirmsKey, ...route }: EndpointOptions) {
  const codes = [...OF_EVERY_ENDPOINT, ...(route.method === "GET" ? [] : OF_EVERY_BODY), ...refuses];
  return oc
    .$meta<ApiMeta>({ textIsJudgedPerItem, confirmsKey })
    .errors(errorMap(codes))
    .route({ ...route, tags: [tag], successDescription: answers });
}

const errorMap = (codes: readonly ErrorCode[]): ErrorMap =>
  Object.fromEntries(codes.map((code) => [code, { status: describeError(code).status, message: describeError(code).title }]));

/** The names of the parameters in a path such as "/v1/missions/{missionKey}/accept". */
export const namesInPath = (template: string): ReadonlySet<string> =>
  new Set(Array.from(template.matchAll(/\{(\w+)\}/g), ([, name]) => name!));

/** Which code a field answers with, instead of request.invalid, when it is missing, too long or otherwise wrong. */
export interface FieldCodes {
  missing?: ErrorCode;
  tooLong?: ErrorCode;
  invalid?: ErrorCode;
}

/** The registry of a contract's field codes: `someSchema.register(fieldCodes, { missing: "…" })`. */
export const fieldCodes = z.registry<FieldCodes>();

/** The codes of one member of an endpoint's input, or of the texts in a list; null if it has none of its own. */
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
  if (schema instanceof z.ZodArray) return schema.element;
  if (!(schema instanceof z.ZodPipe)) return null;
  return schema.in instanceof z.ZodTransform ? schema.out : schema.in;
};

/** Schemas that the reference shows for members that the contract does not check. */
export const descriptions = z.registry<{ shape: unknown }>();

/** A member that the contract only describes, with its codes: the procedure judges it. */
export const unchecked = (described: z.ZodType) =>
  z
    .unknown()
    .register(descriptions, { shape: described })
    .register(fieldCodes, fieldCodes.get(described) ?? {});

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

/** How the reference describes a text. */
interface TextMeta {
  description: string;
  examples: [string];
}

/** A required text; a blank one counts as missing. */
export const requiredText = (max: number, codes: FieldCodes, meta: TextMeta) =>
  z
    .string()
    .check(notBlank, atMost(max))
    .meta({ minLength: 1, maxLength: max, ...meta })
    .register(fieldCodes, codes);

/** An optional text; absent, null and blank ones are read as null. */
export const optionalText = (max: number, codes: FieldCodes, meta: TextMeta) =>
  z
    .string()
    .check(atMost(max))
    .meta({ maxLength: max, ...meta })
    .nullish()
    .transform((text) => (text === undefined || text === null || text.trim() === "" ? null : text))
    .register(fieldCodes, codes);

/** The caller's own id of a player: `playerId` in a body, `PlayerId` in a query. */
export const playerId = requiredText(
  200,
  { missing: "player.external_id_missing", tooLong: "player.external_id_too_long" },
  { description: "Your own id for the player, at most 200 characters.", examples: ["customer-1042"] },
);

/** `languageCode` or `LanguageCode`: null when left out or empty. */
export const languageCode = optionalText(
  100,
  {},
  {
    description: "A language tag; each text comes in its default language when it is left out, or where it has no such translation.",
    examples: ["nl-BE"],
  },
);

export const MAX_INT32 = 2_147_483_647;

/** An integer from 0 that counts something. */
export const count = z.int().min(0).max(MAX_INT32);

const TAKE = `must be an integer from 1 to ${MAX_INT32}.`;
const takeMeta = {
  description: "The most to return; everything when it is left out.",
  examples: [20],
};

/** `Take` of a query: an integer from 1. */
export const Take = z
  .string()
  .transform((text, context) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
    if (value >= 1 && value <= MAX_INT32) return value;
    context.addIssue({ code: "custom", message: TAKE });
    return z.NEVER;
  })
  .meta({ type: "integer", format: "int32", minimum: 1, ...takeMeta })
  .optional();

/** An exact number. */
export const decimal = z.custom<Numeric>(isNumeric).meta({ type: "number" });

const integerOf = (value: Numeric): number => {
  if (typeof value === "number") return value;
  const rounded = value.toNumber();
  return Number.isSafeInteger(rounded) && value.equals(rounded) ? rounded : Number.NaN;
};

/** A whole number between two bounds; 16 digits are read exactly too. */
const integerWithin = (least: number, most: number, words: string) =>
  z
    .custom<Numeric>((value) => {
      const whole = isNumeric(value) ? integerOf(value) : Number.NaN;
      return Number.isSafeInteger(whole) && whole >= least && whole <= most;
    }, words)
    .transform(integerOf);

/** Within ±(2^53 − 1). */
export const integer = integerWithin(
  Number.MIN_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER,
  "must be a whole number within ±9007199254740991.",
).meta({ type: "integer" });

/** `take` of a body: an integer from 1. */
export const take = integerWithin(1, MAX_INT32, TAKE)
  .meta({ type: "integer", minimum: 1, maximum: MAX_INT32, ...takeMeta })
  .nullish();

/** A UTC instant as the API shows it: "2026-01-31T09:00:00.000Z". */
export const timestamp = z.string().meta({ format: "date-time", examples: ["2026-01-31T09:00:00.000Z"] });

export const uuid = z.string().meta({ format: "uuid", examples: ["0197f1c4-6f5b-7c3a-9d2e-5b1f0a7c4e21"] });

/** The source of points or items. */
export const sourceType = z.string().meta({ enum: ["Mission", "StreakMilestone", "Leaderboard", "MarketplacePurchase"] });

export const images = z.record(z.string(), z.string().meta({ format: "uri" })).meta({
  description: "Absolute URLs by image slot; empty when there are none.",
  examples: [{ icon: "https://images.example.com/coffee.png" }],
});

export const taggedValue: z.ZodType<TaggedValue> = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("number"), value: decimal.meta({ examples: [5] }) }).meta({ id: "NumberValue" }),
    z.object({ type: z.literal("string"), value: z.string().meta({ examples: ["flat_white"] }) }).meta({ id: "StringValue" }),
    z.object({ type: z.literal("boolean"), value: z.boolean().meta({ examples: [true] }) }).meta({ id: "BooleanValue" }),
    z.object({ type: z.literal("dateTime"), value: timestamp }).meta({ id: "DateTimeValue" }),
    z
      .object({
        type: z.literal("collection"),
        get items() {
          return z.array(taggedValue).meta({ examples: [[{ type: "string", value: "flat_white" }]] });
        },
      })
      .meta({ id: "CollectionValue" }),
  ])
  .meta({
    id: "TaggedValue",
    description: "A value with its type. Switch on `type`; a collection has `items` instead of a `value`.",
    examples: [{ type: "number", value: 5 }],
    discriminator: {
      propertyName: "type",
      mapping: {
        number: "#/$defs/NumberValue",
        string: "#/$defs/StringValue",
        boolean: "#/$defs/BooleanValue",
        dateTime: "#/$defs/DateTimeValue",
        collection: "#/$defs/CollectionValue",
      },
    },
  });
