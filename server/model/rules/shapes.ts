import { type FindingCode, issueText, type ParamsOf, type Mistake, mistake } from "./finding.ts";
import { z } from "zod";
import { formatInstant, parseInstant } from "../kernel/time.ts";

/**
 * The building blocks of the shapes of definitions, which are in the `definition.ts` of each domain. Their results have the members in the
 * order of declaration, which is the order of an export, and defaults written out. Messages say what a member must be; `zod-error-map.ts`
 * adds that it is missing.
 */

/** How many entries a list inside a definition may have: places in lists are stored as two bytes. */
export const MAX_LIST = 1_000;
export const MAX_TEXT_LENGTH = 10_000;

export const codePoints = (text: string): number => [...text].length;

/** Unknown members and kinds have their own messages, with the closest known name. */
export const must = <Code extends FindingCode>(code: Code, ...params: ParamsOf<Code>) => {
  const text = issueText(mistake(code, ...params));
  return { error: (issue: { code: string }) => (issue.code === "unrecognized_keys" || issue.code === "invalid_union" ? undefined : text) };
};

/** A null counts as absent. */
export const optional = <Output>(shape: z.ZodType<Output>) => shape.nullish().transform((value) => value ?? null);

export const defaulted = <Output>(shape: z.ZodType<Output>, value: Output) => shape.nullish().transform((given) => given ?? value);

export const list = <Output>(shape: z.ZodType<Output>) =>
  z.array(shape, must("shape.list")).max(MAX_LIST, must("shape.entries_most", { most: MAX_LIST }));

export const filledList = <Output>(shape: z.ZodType<Output>) => list(shape).min(1, must("shape.entries_least"));

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values);

/** One of several forms of an object; the message is for values that resemble none of them. */
export const oneForm = <Output>(what: Mistake, forms: [z.ZodType<Output>, ...z.ZodType<Output>[]]) =>
  z.union(forms, { error: () => issueText(what) });

export const KEY = /^[a-z][a-z0-9_]{0,99}$/;

export const key = z.string(must("shape.string")).regex(KEY, must("shape.key"));

/** The key of another definition. Whether it exists is checked with all definitions at hand. */
export const reference = z.string(must("shape.reference"));

export const flag = z.boolean(must("shape.flag"));

/** Normalised to UTC with milliseconds. */
export const instant = z
  .custom<string>((value) => typeof value === "string" && parseInstant(value) !== null, {
    error: () => issueText(mistake("shape.instant")),
  })
  .meta({ type: "string", format: "date-time" })
  .transform((text) => formatInstant(parseInstant(text) ?? 0));

export const wholeNumber = (least: number, most: number) =>
  z
    .custom<number>((value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most, {
      error: () => issueText(mistake("shape.whole_number", { least, most })),
    })
    .meta({ type: "integer", minimum: least, maximum: most });

export function sorted<Value>(record: Record<string, Value | null | undefined>): Record<string, Value> {
  const filled = Object.entries(record).filter((entry): entry is [string, Value] => entry[1] !== null && entry[1] !== undefined);
  return Object.fromEntries(filled.sort(([a], [b]) => (a < b ? -1 : 1)));
}
