import type { Database } from "../../db/client.ts";
import { openServiceDatabase } from "../../db/service.ts";
import type { Environment } from "../model/kernel/environment.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { findEnvironment } from "../people/projects/find-environment.ts";
import { listProjects } from "../people/projects/list.ts";
import { DEMO_SLUG } from "../model/projects/settings.ts";
import type { SecretCipher } from "../model/webhooks/secret-cipher.ts";
import * as verbs from "./verbs.ts";
import { kindOf, type Where } from "./where.ts";

/** The service's settings, for commands beside its database. The process that runs the command line passes them in. */
export interface Installation {
  databaseUrl: string | undefined;
  dataDir: string;
  allowPrivateAddresses: boolean;
  /** For webhook secrets. Throws OperatorError. */
  openCipher(): Promise<SecretCipher>;
}

/** What a command beside the service's database may use. */
export interface Beside {
  database: Database;
  verbs: typeof verbs;
  installation: Installation;
  /** The command's environment; `option` is the option that names it. Throws OperatorError. */
  environment(where: Where, option?: string): Promise<Environment>;
  /** The project's Sandbox, which stands for the project. */
  project(where: Pick<Where, "project">): Promise<Environment>;
}

/** Runs a command on the service's database: DATABASE_URL, or the embedded one, which is started if necessary. */
export async function besideDatabase<T>(installation: Installation, work: (beside: Beside) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = installation;
  const database = await openServiceDatabase({ databaseUrl, dataDir, connections: 3, onChange: (message) => console.error(message) });
  const environment: Beside["environment"] = async (where, option) => {
    const kind = kindOf(where.environment, option);
    return findEnvironment(database, where.project ?? (await onlyProject(database)), kind);
  };
  try {
    return await work({
      database,
      verbs,
      installation,
      environment,
      project: ({ project }) => environment({ project, environment: "sandbox" }),
    });
  } finally {
    await database.close();
  }
}

async function onlyProject(database: Database): Promise<string> {
  const projects = (await listProjects(database)).filter(({ isArchived }) => !isArchived);
  const own = projects.filter(({ slug }) => slug !== DEMO_SLUG);
  const [only] = own.length > 0 ? own : projects;
  if (!only) throw new OperatorError("There is no project yet; create one with `project create`.");
  if (own.length > 1) throw new OperatorError(`Say which project with --project: ${own.map(({ slug }) => slug).join(", ")}.`);
  return only.slug;
}
