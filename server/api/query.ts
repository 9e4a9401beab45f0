import { hasBadText } from "../model/kernel/json.ts";
import type { ProblemEntry } from "../model/kernel/problem.ts";

/** The query parameters of an endpoint as its contract spells them. */
export interface QueryParameter {
  name: string;
  /** Given by repeating the parameter; for any other, the last value counts. */
  isList: boolean;
}

export type QueryParameters = ReadonlyMap<string, QueryParameter>;

/** Parameters by their lower-case names, for matching them in any case. */
export const queryParameters = (parameters: readonly QueryParameter[]): QueryParameters =>
  new Map(parameters.map((parameter) => [parameter.name.toLowerCase(), parameter]));

/**
 * Reads a query, without its "?", into an object with the contract's names; unknown parameters are ignored. `problems`: request.invalid of
 * each text that is not percent-encoded UTF-8 or contains NUL, and is left out.
 */
export function readQuery(query: string, known: QueryParameters) {
  const found: Record<string, string | string[]> = {};
  const problems: ProblemEntry[] = [];
  if (query === "") return { found, problems };
  for (const pair of query.split("&")) {
    const equals = pair.indexOf("=");
    const parameter = known.get(decode(equals < 0 ? pair : pair.slice(0, equals))?.toLowerCase() ?? "");
    if (parameter === undefined) continue;
    const value = equals < 0 ? "" : decode(pair.slice(equals + 1));
    if (value === null || hasBadText(value)) problems.push(notText(parameter.name));
    else if (parameter.isList) ((found[parameter.name] ??= []) as string[]).push(value);
    else found[parameter.name] = value;
  }
  return { found, problems };
}

const notText = (parameter: string): ProblemEntry => ({
  code: "request.invalid",
  message: `${parameter} must be percent-encoded UTF-8 without NUL characters.`,
  parameter,
});

/** Decodes a query component; null if it is not percent-encoded UTF-8. */
function decode(component: string): string | null {
  if (!component.includes("%") && !component.includes("+")) return component;
  try {
    return decodeURIComponent(component.replaceAll("+", " "));
  } catch {
    return null;
  }
}
