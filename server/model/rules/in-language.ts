import { Decimal } from "../kernel/decimal.ts";
import { PROJECT_LANGUAGE } from "./text-shapes.ts";

/** Adds the project's language to texts in short form. */
export const inLanguage = <Value>(value: Value, language: string): Value => withLanguage(value, language) as Value;

function withLanguage(value: unknown, language: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withLanguage(one, language));
  if (typeof value !== "object" || value === null || value instanceof Decimal) return value;
  const members = value as Record<string, unknown>;
  if (members.default === PROJECT_LANGUAGE)
    return { default: language, texts: { [language]: (members.texts as Record<string, string>)[PROJECT_LANGUAGE] } };
  return Object.fromEntries(Object.entries(members).map(([name, one]) => [name, withLanguage(one, language)]));
}
