import type { Command } from "commander";
import type { EnvironmentKind } from "../model/kernel/environment.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";

/** The options of nearly every command: `--project` and `--environment`. */
export interface Where {
  project?: string;
  environment?: string;
}

export const inProject = (command: Command): Command =>
  command.option("--project <slug>", "may be left out where the token is for one, or there is one besides the demo");

/** Adds the two options of `Where` to a command. */
export const inEnvironment = (command: Command): Command =>
  inProject(command).option("--environment <environment>", "sandbox or live; may be left out where the token is for one");

/** The environment that the user named; `option` is the option that names it. Throws OperatorError. */
export function kindOf(environment: string | undefined, option = "--environment"): EnvironmentKind {
  if (environment === undefined) throw new OperatorError(`Say which environment with ${option}: sandbox or live.`);
  const kind = environment.toLowerCase();
  if (kind !== "sandbox" && kind !== "live") throw new OperatorError(`${option} must be sandbox or live, not "${environment}".`);
  return kind;
}
