import { IMAGE_ID } from "#server/model/kernel/texts.ts";
import { parseJson, writeJson } from "#server/model/kernel/json.ts";
import { isJsonObject } from "#server/model/kernel/values.ts";
import { KEYS_ALONE, operatorInWords, partInWords, ruleInWords } from "#server/model/rules/describe.ts";
import type { DescribeScope } from "#server/model/rules/scope.ts";
import { givenInstantInWords, writtenInstantInWords } from "#server/model/rules/value-words.ts";
import { choiceName, pathInWords, typeName } from "./labels.ts";

/** A part of a value; a scalar has no path. */
export interface ValueLine {
  path: string;
  text: string;
}

/** Where a value is in a definition, and the names of related definitions. */
export interface Surroundings {
  path: readonly string[];
  scope: DescribeScope;
}

/**
 * A value from JSON text, for people, part by part; empty parts are left out. Numbers are exact, and rules read as the form's sentences.
 * With its context, everything that a form shows as a sentence is one.
 */
export function valueLines(json: string | null, around?: Surroundings): ValueLine[] {
  const lines = json === null ? [] : linesOf(parseJson(json), [], around);
  return lines.length > 0 ? lines : [{ path: "", text: json === null || json === "null" ? "nothing" : "none" }];
}

function linesOf(value: unknown, path: readonly string[], around: Surroundings | undefined): ValueLine[] {
  if (value === null) return [];
  const at = [...(around?.path ?? []), ...path];
  const rule = around === undefined ? ruleInWords(value, KEYS_ALONE) : partInWords(at, value, around.scope);
  if (rule !== null) {
    const { description = null } = value as { description?: unknown };
    return [{ path: pathInWords(path), text: rule }, ...linesOf(description, [...path, "description"], around)];
  }
  if (Array.isArray(value) && value.some((one) => typeof one === "object")) {
    return value.flatMap((one, index) => linesOf(one, [...path, String(index)], around));
  }
  if (!isJsonObject(value)) return [{ path: pathInWords(path), text: (around && memberInWords(at, value, around)) ?? single(value) }];
  if (around !== undefined && "texts" in value && isJsonObject(value.texts)) return textLines(value.texts, path);
  // In a text with several languages the first is the default.
  const members = Object.entries(value).filter(([name]) => !(name === "default" && "texts" in value));
  return members.flatMap(([name, one]) => linesOf(one, [...path, name], around));
}

/** The words of a text. Languages are only named if there are several. */
function textLines(texts: Record<string, unknown>, path: readonly string[]): ValueLine[] {
  const all = Object.entries(texts);
  if (all.length === 1) return [{ path: pathInWords(path), text: single(all[0]![1]) }];
  return all.map(([tag, text]) => ({ path: pathInWords([...path, "texts", tag]), text: single(text) }));
}

const TYPES: ReadonlySet<string> = new Set(["type", "valueType"]);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function memberInWords(at: readonly string[], value: unknown, { scope }: Surroundings): string | null {
  const member = at.at(-1) ?? "";
  if (typeof value === "string" && INSTANT.test(value)) {
    return (at.includes("value") ? givenInstantInWords : writtenInstantInWords)(value, scope.timeZone);
  }
  if (TYPES.has(member)) return typeName(String(value));
  return choiceName(member, value);
}

const MAX_LENGTH = 600;

function single(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(single).join(", ");
  const operator = typeof value === "string" ? operatorInWords(value) : null;
  if (operator !== null) return operator;
  const text = typeof value === "string" ? value || "(empty)" : writeJson(value);
  if (IMAGE_ID.test(text)) return `uploaded image ${text.slice(0, 8)}`;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
