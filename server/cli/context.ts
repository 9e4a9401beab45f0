import type { Command } from "commander";
import type { Database } from "../../db/client.ts";
import { openServiceDatabase } from "../../db/service.ts";
import type { Environment, EnvironmentKind } from "../kernel/environment.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import { findEnvironment } from "../projects/find-environment.ts";
import { listProjects } from "../projects/list.ts";
import { DEMO_SLUG } from "../projects/settings.ts";
import { readSettings } from "../settings.ts";

/** The options of nearly every command: `--project` and `--environment`. */
export interface Where {
  project?: string;
  environment: string;
}

export const inProject = (command: Command): Command =>
  command.option("--project <slug>", "may be left out where there is one project besides the demo, or only the demo");

/** Adds the two options of `Where` to a command. */
export const inEnvironment = (command: Command): Command =>
  inProject(command).requiredOption("--environment <environment>", "sandbox or live");

/** Runs a command on the service's database: DATABASE_URL, or the embedded one, which is started for the command if it does not run. */
export async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir } = readSettings();
  const database = await openServiceDatabase({ databaseUrl, dataDir, connections: 3, onChange: (message) => console.error(message) });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

/** The environment a command is about; `option` is the one that names it. Throws OperatorError. */
export async function environmentOf(database: Database, { project, environment }: Where, option = "--environment"): Promise<Environment> {
  const kind = environment.toLowerCase();
  if (!isKind(kind)) throw new OperatorError(`${option} must be sandbox or live, not "${environment}".`);
  return findEnvironment(database, project ?? (await onlyProject(database)), kind);
}

const isKind = (text: string): text is EnvironmentKind => text === "sandbox" || text === "live";

async function onlyProject(database: Database): Promise<string> {
  const projects = (await listProjects(database)).filter(({ isArchived }) => !isArchived);
  const own = projects.filter(({ slug }) => slug !== DEMO_SLUG);
  const [only] = own.length > 0 ? own : projects;
  if (!only) throw new OperatorError("There is no project yet; create one with `project create`.");
  if (own.length > 1) throw new OperatorError(`Say which project with --project: ${own.map(({ slug }) => slug).join(", ")}.`);
  return only.slug;
}
