import { languageName } from "#server/model/kernel/languages.ts";
import { IMAGE_ID } from "#server/model/kernel/images.ts";
import { parseJson, writeJson } from "#server/model/kernel/json.ts";
import { isJsonObject } from "#server/model/kernel/values.ts";
import { KEYS_ALONE, operatorInWords, partInWords, ruleInWords } from "#server/model/rules/describe.ts";
import type { DescribeScope } from "#server/model/rules/scope.ts";
import { givenInstantInWords, writtenInstantInWords } from "#server/model/rules/value.ts";
import { capitalised } from "../../components/words.ts";
import { typeName } from "./type-names.ts";

/** A path for people: "Rewards › #1 › points". Members have labels, keys stay as they are. */
export function pathWords(path: readonly string[]): string {
  const words = path.filter((name) => name !== "texts").map((name) => (/^\d+$/.test(name) ? `#${Number(name) + 1}` : spaced(name)));
  return capitalised(words.join(" › "));
}

const spaced = (name: string): string =>
  name.replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);

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
    return [{ path: pathWords(path), text: rule }, ...linesOf(description, [...path, "description"], around)];
  }
  if (Array.isArray(value) && value.some((one) => typeof one === "object")) {
    return value.flatMap((one, index) => linesOf(one, [...path, String(index)], around));
  }
  if (!isJsonObject(value)) return [{ path: pathWords(path), text: (around && memberInWords(at, value, around)) ?? single(value) }];
  if (around !== undefined && "texts" in value && isJsonObject(value.texts)) return textLines(value.texts, path);
  // In a text with several languages the first is the default.
  const members = Object.entries(value).filter(([name]) => !(name === "default" && "texts" in value));
  return members.flatMap(([name, one]) => linesOf(one, [...path, name], around));
}

/** A text in one language does not name it. */
function textLines(texts: Record<string, unknown>, path: readonly string[]): ValueLine[] {
  const all = Object.entries(texts);
  if (all.length === 1) return [{ path: pathWords(path), text: single(all[0]![1]) }];
  const place = pathWords(path);
  return all.map(([tag, text]) => ({ path: place === "" ? languageName(tag) : `${place} in ${languageName(tag)}`, text: single(text) }));
}

/** The form's labels for a member's choices. */
const CHOICES: Record<string, Record<string, string>> = {
  optIn: { Automatic: "automatic", Manual: "opt-in" },
  objectiveOrder: { AnyOrder: "any order", InOrder: "in order" },
  appearsIn: { Feed: "feed and collections", Shop: "shop and collections", CollectionOnly: "collections only" },
  rankOrder: { HighestFirst: "highest first", LowestFirst: "lowest first" },
  active: { true: "on", false: "off" },
};
const TYPES: ReadonlySet<string> = new Set(["type", "valueType"]);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function memberInWords(at: readonly string[], value: unknown, { scope }: Surroundings): string | null {
  const member = at.at(-1) ?? "";
  if (typeof value === "string" && INSTANT.test(value)) {
    return (at.includes("value") ? givenInstantInWords : writtenInstantInWords)(value, scope.timeZone);
  }
  if (TYPES.has(member)) return typeName(String(value));
  const choices = CHOICES[member];
  return choices !== undefined && Object.hasOwn(choices, String(value)) ? choices[String(value)]! : null;
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
