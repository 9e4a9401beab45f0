import { Decimal } from "../kernel/decimal.ts";
import { writeJson } from "../kernel/json.ts";
import type { Properties, Scalar } from "../kernel/values.ts";
import type { PropertyDefinition } from "../rules/property.ts";

export interface RecentValues {
  key: string;
  /** The most frequent first. */
  values: Scalar[];
  /** Whether no value was left out because of a bound. */
  areAll: boolean;
}

/** Values of a property, the length of a text among them, and the characters of all values together. */
export const MAX_VALUES = { ofProperty: 200, text: 100, characters: 60_000 } as const;

/**
 * The property values of some events, as suggestions for the author of a rule. Private properties and instants are left out. `null` in
 * place of properties means that they were too large to read.
 */
export function recentValues(properties: Iterable<PropertyDefinition>, events: readonly (Properties | null)[]): RecentValues[] {
  let characters: number = MAX_VALUES.characters;
  return [...properties].flatMap((property): RecentValues[] => {
    if (property.private === true || property.type === "DateTime") return [];
    const { counts, isCut } = countsOf(property, events);
    const sorted = [...counts.values()].sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
    const values = sorted.slice(0, MAX_VALUES.ofProperty).flatMap(({ value, text }) => {
      characters -= text.length;
      return characters < 0 ? [] : [value];
    });
    return [{ key: property.key, values, areAll: !isCut && values.length === counts.size }];
  });
}

interface Counted {
  value: Scalar;
  text: string;
  count: number;
}

function countsOf({ key, type }: PropertyDefinition, events: readonly (Properties | null)[]) {
  const counts = new Map<string, Counted>();
  let isCut = false;
  for (const event of events) {
    const value = event === null || !Object.hasOwn(event, key) ? undefined : event[key];
    // The property may have had another type in an earlier definition of the same key.
    if (event !== null && (value === undefined || typeOf(value) !== type)) continue;
    if (value === undefined || (typeof value === "string" && value.length > MAX_VALUES.text)) {
      isCut = true;
      continue;
    }
    const text = writeJson(value);
    const counted = counts.get(text);
    if (counted === undefined) counts.set(text, { value, text, count: 1 });
    else counted.count++;
  }
  return { counts, isCut };
}

const typeOf = (value: Scalar) =>
  typeof value === "boolean" ? "Boolean" : typeof value === "number" || value instanceof Decimal ? "Number" : "String";
