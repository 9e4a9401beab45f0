import { randomUUID } from "node:crypto";
import { createRouterClient } from "@orpc/server";
import type { Database } from "../../db/client.ts";
import { checkNodes, distribute } from "../../db/scale/distribute.ts";
import { openServiceDatabase } from "../../db/service.ts";
import { dashboardRouter } from "../api/rpc/router.ts";
import { exportDefinitions } from "../authoring/definitions/service/import.ts";
import { reencryptSecrets } from "../delivery/service/secrets.ts";
import { readLanes, setLanes } from "../engine/store/installation.ts";
import { recount } from "../insight/analytics/service/counting.ts";
import type { Environment } from "../model/kernel/environment.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { DEMO_SLUG } from "../model/projects/settings.ts";
import { SecretCipher } from "../model/webhooks/secret-cipher.ts";
import { checkIntegrity } from "../operations/integrity/check.ts";
import { listErasures, repeatErasures } from "../operations/privacy/repeat.ts";
import { createUser } from "../people/identity/accounts.ts";
import { renewPassword } from "../people/identity/change-password.ts";
import { reencryptFactors, resetFactorOf } from "../people/identity/second-factor.ts";
import { createProject, listProjects } from "../people/projects/projects.ts";
import { findEnvironment } from "../people/projects/environments.ts";
import { createTokenFor, listAllTokens, revokeAnyToken } from "../people/tokens/tokens.ts";
import { note } from "./output.ts";
import { kindOf, type Service, type Where } from "./service.ts";

/** The service's settings, for commands beside its database. The process that runs the command line passes them in. */
export interface Installation {
  databaseUrl: string | undefined;
  dataDir: string;
  allowPrivateAddresses: boolean;
  /** For webhook secrets. Throws OperatorError. */
  openCipher(): Promise<SecretCipher>;
}

/** The verbs that work only beside the database: no procedure runs them. */
const verbs = {
  checkIntegrity,
  checkNodes,
  countAgain: recount,
  createProject,
  createTokenFor,
  createUser,
  distribute,
  listAllTokens,
  listErasures,
  readLanes,
  reencryptSecrets,
  renewPassword,
  reencryptFactors,
  repeatErasures,
  resetFactorOf,
  revokeAnyToken,
  setLanes,
};

/** The service beside its database: its procedures as the operator calls them, and what only works there. */
export interface Beside extends Service {
  database: Database;
  verbs: typeof verbs;
  installation: Installation;
  /** Throws OperatorError. */
  environment(where: Where): Promise<Environment>;
}

/** Runs a command on the service's database: DATABASE_URL, or the embedded one, which is started if necessary. */
export async function besideDatabase<T>(installation: Installation, work: (beside: Beside) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir, allowPrivateAddresses } = installation;
  const database = await openServiceDatabase({ databaseUrl, dataDir, connections: 3, onChange: note });
  const project: Service["project"] = async (where) => where.project ?? (await onlyProject(database));
  const where: Service["where"] = async (given) => {
    const environment = kindOf(given.environment);
    return { project: await project(given), environment };
  };
  try {
    const cipher = await installation.openCipher().catch(withoutSecret);
    const operator = { isOperator: true, sessionId: null, baseUrl: "", wake: () => {} } as const;
    return await work({
      rpc: createRouterClient(dashboardRouter, { context: { ...operator, database, allowPrivateAddresses, cipher } }),
      project,
      where,
      definitions: async ({ project: slug, environment }, images) =>
        exportDefinitions(database, await findEnvironment(database, slug, environment), { images }),
      database,
      verbs,
      installation,
      async environment(given) {
        const found = await where(given);
        return findEnvironment(database, found.project, found.environment);
      },
    });
  } finally {
    await database.close();
  }
}

/** Without AUTH_SECRET, only commands that encrypt something fail. */
function withoutSecret(error: unknown): SecretCipher {
  class WithoutSecret extends SecretCipher {
    override encrypt(): never {
      throw error;
    }
  }
  return new WithoutSecret(randomUUID());
}

async function onlyProject(database: Database): Promise<string> {
  const projects = (await listProjects(database)).filter(({ isArchived }) => !isArchived);
  const own = projects.filter(({ slug }) => slug !== DEMO_SLUG);
  const [only] = own.length > 0 ? own : projects;
  if (!only) throw new OperatorError("There is no project yet; create one with `project create`.");
  if (own.length > 1) throw new OperatorError(`Say which project with --project: ${own.map(({ slug }) => slug).join(", ")}.`);
  return only.slug;
}
