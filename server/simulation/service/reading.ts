import { type DefinitionProblem, problemAt } from "../../definitions/problems.ts";
import { parseJsonInSteps } from "../../kernel/json.ts";
import { mistake } from "../../rules/finding.ts";
import { inTurns } from "../../turns.ts";

/** Parses a JSON text. */
export async function readDocument(text: string): Promise<{ document: unknown } | { problems: DefinitionProblem[] }> {
  try {
    return { document: await inTurns(parseJsonInSteps(text)) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problems: [problemAt("", mistake("document.not_json", { reason: error.message, isFile: false }))] };
  }
}
