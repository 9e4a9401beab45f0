import { planImport } from "../model/definitions/plan.ts";
import type { DefinitionProblem } from "../model/definitions/problems.ts";
import { readFile } from "../model/definitions/file.ts";
import { readStored } from "../model/definitions/stored.ts";
import { atOnce } from "../model/kernel/steps.ts";

/**
 * The problems that an empty environment would report for a definitions file: shape, references and rules. No service is called. It does
 * not check whether uploaded images exist, nor what an environment with players no longer lets change.
 */
export function problemsOf(document: unknown, now: number): DefinitionProblem[] {
  const nothing = atOnce(readStored([]));
  const plan = atOnce(planImport(atOnce(readFile(document)), nothing, { now, language: "en", prune: false, hasMoney: false }));
  return "problems" in plan ? plan.problems : [];
}
