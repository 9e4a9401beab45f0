import { parseInstant } from "../kernel/time.ts";
import { pickText } from "../kernel/texts.ts";
import type { Operator, Scalar, ScalarType } from "../kernel/values.ts";
import { KINDS } from "./contract.ts";
import type { StoredDefinitions } from "./stored.ts";

/** How explanations for people name definitions and write instants. */
export interface Words {
  /** The name of a definition of any kind; ids are given to all of them together. */
  nameOf(id: number): string;
  /** IANA zone in which instants are written. */
  zone: string;
}

/** Names in the project's language. */
export function wordsOf({ lists }: StoredDefinitions, language: string, zone: string): Words {
  const names = new Map<number, string>();
  for (const kind of KINDS) {
    for (const { id, shaped } of lists[kind]) names.set(id, "name" in shaped ? pickText(shaped.name, language) : shaped.key);
  }
  return { zone, nameOf: (id) => names.get(id) ?? `definition ${id}` };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** "10 Mar 2026, 12:00" on the clocks of the zone. */
export function instantText(instant: number, { zone }: Pick<Words, "zone">): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "medium", timeStyle: "short" });
  formats.set(zone, format);
  return format.format(instant);
}

type ZoneWords = Pick<Words, "zone">;

/** A value as people read it. */
export function valueText(type: ScalarType, value: Scalar, words: ZoneWords): string {
  if (type !== "DateTime" || typeof value !== "string") return typeof value === "string" ? JSON.stringify(value) : value.toString();
  const instant = parseInstant(value);
  return instant === null ? value : instantText(instant, words);
}

/** What a comparison asks for: "more than 10". */
export function needText(type: ScalarType, operator: Operator, target: Scalar | readonly Scalar[], words: ZoneWords): string {
  const texts = (Array.isArray(target) ? (target as readonly Scalar[]) : [target as Scalar]).map((one) => valueText(type, one, words));
  const text = texts.join(", ");
  const isInstant = type === "DateTime";
  switch (operator) {
    case "EqualTo":
      return text;
    case "NotEqualTo":
      return `anything but ${text}`;
    case "GreaterThan":
      return `${isInstant ? "later than" : "more than"} ${text}`;
    case "GreaterThanOrEqualTo":
      return isInstant ? `${text} or later` : `at least ${text}`;
    case "LessThan":
      return `${isInstant ? "earlier than" : "less than"} ${text}`;
    case "LessThanOrEqualTo":
      return isInstant ? `${text} or earlier` : `at most ${text}`;
    case "In":
      return texts.length === 1 ? text : `one of ${text}`;
    case "NotIn":
      return `none of ${text}`;
  }
}

/** How a value stands to what is asked for: "amount is 8, needs more than 10". */
export function standingText(
  subject: string,
  actual: Scalar | null | undefined,
  asked: { type: ScalarType; operator: Operator; value: Scalar | readonly Scalar[] },
  words: ZoneWords,
): string {
  const has = actual === null || actual === undefined ? "has no value" : `is ${valueText(asked.type, actual, words)}`;
  return `${subject} ${has}, needs ${needText(asked.type, asked.operator, asked.value, words)}`;
}
