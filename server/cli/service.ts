import { type Command, Option } from "commander";
import type { DashboardClient } from "../api/dashboard.ts";
import type { EnvironmentKind } from "../model/kernel/environment.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { variables } from "./connection.ts";

/** The options of nearly every command: `--project` and `--environment`. */
export interface Where {
  project?: string;
  environment?: string;
}

/** An environment, as the procedures take it. */
export interface EnvironmentRef {
  project: string;
  environment: EnvironmentKind;
}

/** The service as commands call it: over /rpc with a token, or in this process beside its database. */
export interface Service {
  rpc: DashboardClient;
  /** The named project, or the only one that can be meant. Throws OperatorError. */
  project(where: Pick<Where, "project">): Promise<string>;
  /** The command's environment. Throws OperatorError. */
  where(where: Where): Promise<EnvironmentRef>;
  /** The definitions file of an environment, on request with the bytes of its images. */
  definitions(place: EnvironmentRef, images: boolean): Promise<unknown>;
}

/** `--project`, or the variable that `test create` prints. A pipeline sets it to nothing if it has none. */
export function projectOption(description: string): Option {
  const option = new Option("--project <slug>", description);
  return variables()["ENGAGEMENT_PROJECT"] === "" ? option : option.env("ENGAGEMENT_PROJECT");
}

export const inProject = (command: Command): Command =>
  command.addOption(projectOption("may be left out where the token is for one, or there is one besides the demo"));

/** Adds the two options of `Where` to a command. */
export const inEnvironment = (command: Command): Command =>
  inProject(command).option("--environment <environment>", "sandbox or live; may be left out if the token is for one of them");

/** The environment that the user named; `option` is the option that names it. Throws OperatorError. */
export function kindOf(environment: string | undefined, option = "--environment"): EnvironmentKind {
  if (environment === undefined) throw new OperatorError(`Say which environment with ${option}: sandbox or live.`);
  const kind = environment.toLowerCase();
  if (kind !== "sandbox" && kind !== "live") throw new OperatorError(`${option} must be sandbox or live, not "${environment}".`);
  return kind;
}
