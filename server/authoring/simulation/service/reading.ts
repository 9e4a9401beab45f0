import { type Along, type Documents, readAlong } from "../../definitions/service/read-one.ts";
import { type DefinitionProblem, problemAt } from "#server/model/definitions/problems.ts";
import { parseJsonInSteps } from "#server/model/kernel/json.ts";
import { mistake } from "#server/model/rules/finding.ts";
import { inTurns } from "#server/engine/turns.ts";

/** Parses a JSON text. */
export async function readDocument(text: string): Promise<{ document: unknown } | { problems: DefinitionProblem[] }> {
  try {
    return { document: await inTurns(parseJsonInSteps(text)) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problems: [problemAt("", mistake("document.not_json", { reason: error.message, isFile: false }))] };
  }
}

/** The same of a definition and of those that come along with it. */
export async function readWithAlong(
  text: string,
  along: Documents,
): Promise<{ document: unknown; along: Along[] } | { problems: DefinitionProblem[] }> {
  const read = await readDocument(text);
  if ("problems" in read) return read;
  const others = await readAlong(along);
  return "refused" in others ? { problems: [problemAt("", others.refused)] } : { ...read, along: others };
}
