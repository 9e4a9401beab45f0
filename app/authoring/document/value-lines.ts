import { IMAGE_ID } from "../../../server/kernel/images.ts";
import { parseJson, writeJson } from "../../../server/kernel/json.ts";
import { isJsonObject } from "../../../server/kernel/values.ts";
import { KEYS_ALONE, operatorInWords, ruleInWords } from "../../../server/rules/describe.ts";
import { capitalised } from "../../_components/words.ts";

/** A place in a definition, for people: "Rewards › #1 › points". Members are told in words, keys as they are. */
export function pathWords(path: readonly string[]): string {
  const words = path.filter((name) => name !== "texts").map((name) => (/^\d+$/.test(name) ? `#${Number(name) + 1}` : spaced(name)));
  return capitalised(words.join(" › "));
}

const spaced = (name: string): string =>
  name.replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);

/** A part of a value; what is single has no path. */
export interface ValueLine {
  path: string;
  text: string;
}

/**
 * A value that comes as JSON text, for people, part by part; what says nothing is left out. Numbers are told digit for digit,
 * rules as the sentences that a form shows of them.
 */
export function valueLines(json: string | null): ValueLine[] {
  const lines = json === null ? [] : linesOf(parseJson(json), []);
  return lines.length > 0 ? lines : [{ path: "", text: json === null || json === "null" ? "nothing" : "none" }];
}

function linesOf(value: unknown, path: readonly string[]): ValueLine[] {
  if (value === null) return [];
  const rule = ruleInWords(value, KEYS_ALONE);
  if (rule !== null) {
    const { description = null } = value as { description?: unknown };
    return [{ path: pathWords(path), text: rule }, ...linesOf(description, [...path, "description"])];
  }
  if (Array.isArray(value) && value.some((one) => typeof one === "object")) {
    return value.flatMap((one, at) => linesOf(one, [...path, String(at)]));
  }
  if (!isJsonObject(value)) return [{ path: pathWords(path), text: single(value) }];
  // A text in several languages says which one is the default by being the first of them.
  const members = Object.entries(value).filter(([name]) => !(name === "default" && "texts" in value));
  return members.flatMap(([name, one]) => linesOf(one, [...path, name]));
}

const LONGEST = 600;

function single(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(single).join(", ");
  const operator = typeof value === "string" ? operatorInWords(value) : null;
  if (operator !== null) return operator;
  const text = typeof value === "string" ? value || "(empty)" : writeJson(value);
  if (IMAGE_ID.test(text)) return `uploaded image ${text.slice(0, 8)}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
