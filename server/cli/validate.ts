import { planImport } from "../model/definitions/plan.ts";
import type { DefinitionProblem } from "../model/definitions/problems.ts";
import { readFile } from "../model/definitions/file.ts";
import { readStored } from "../model/definitions/stored.ts";
import { atOnce } from "../model/kernel/steps.ts";

/**
 * What an environment that defines nothing yet would say of a definitions file: every problem of its shape, its references and its rules.
 * No service is asked. Whether uploaded images are there is not looked at, nor what an environment that has players keeps as it was made.
 */
export function problemsOf(document: unknown, now: number): DefinitionProblem[] {
  const nothing = atOnce(readStored([]));
  const plan = atOnce(planImport(atOnce(readFile(document)), nothing, { now, language: "en", prune: false, hasMoney: false }));
  return "problems" in plan ? plan.problems : [];
}
