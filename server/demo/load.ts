import { readFile } from "node:fs/promises";
import type { Database } from "../../db/client.ts";
import { importDefinitions } from "../definitions/service.ts";
import { parseJson } from "../kernel/json.ts";
import { createApiKey, createProject, DEMO_SLUG, findEnvironment, hasApiKeys, listProjects } from "../projects/service.ts";

export interface Demo {
  slug: string;
  /** Shown this once. */
  sandboxKey: string;
}

/**
 * Makes the demo project, a coffee shop, on an installation's first start: where there is no project yet, or where an
 * earlier first start broke off before the demo had its key. Null where there is nothing to make. Of several processes
 * that start at once one makes it and the others wait.
 */
export function ensureDemo(database: Database): Promise<Demo | null> {
  return database.sql.begin(async (lock) => {
    await lock`select pg_advisory_xact_lock(hashtext('engagement demo'))`;
    const projects = await listProjects(database);
    if (projects.some(({ slug }) => slug !== DEMO_SLUG)) return null;
    if (projects.length === 0) {
      await createProject(database, { slug: DEMO_SLUG, name: "Demo coffee shop", defaultLanguage: "en", timeZone: "Europe/Amsterdam" });
    }
    return finishDemo(database);
  });
}

async function finishDemo(database: Database): Promise<Demo | null> {
  const sandbox = await findEnvironment(database, DEMO_SLUG, "sandbox");
  if (await hasApiKeys(database, sandbox)) return null;
  const file = await readFile(new URL("definitions.json", import.meta.url), "utf8");
  const result = await importDefinitions(database, sandbox, parseJson(file));
  if ("problems" in result) throw new Error(`The demo's definitions are refused: ${JSON.stringify(result.problems)}`);
  return { slug: DEMO_SLUG, sandboxKey: await createApiKey(database, sandbox, "demo") };
}
