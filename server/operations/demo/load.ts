import { readFile } from "node:fs/promises";
import type { Database } from "#db/client.ts";
import { createApiKey } from "../../people/api-keys/api-keys.ts";
import { type Environment, DEMO } from "../../model/kernel/environment.ts";
import { parseJson } from "../../model/kernel/json.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { createProject, listProjects } from "../../people/projects/projects.ts";
import { DEMO_SLUG } from "../../model/projects/settings.ts";
import { joinRealTime } from "../sandbox/move-clock.ts";
import { CUSTOMERS, EXAMPLE_CUSTOMER } from "./history.ts";
import { announceHistory, HISTORY } from "./load-history.ts";
import { play } from "./play.ts";
import { goShopping } from "./shopping.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { DAY } from "../../model/kernel/instant.ts";

export interface Demo {
  slug: string;
  /** The Sandbox's API key, shown this once. */
  sandboxKey: string;
  /** A player with missions in every state. */
  playerId: string;
}

const SETTINGS = { slug: DEMO_SLUG, name: "Demo coffee shop", defaultLanguage: "en", timeZone: "Europe/Amsterdam" };

/**
 * Creates the demo project on an installation's first start, if there is no project yet: a coffee shop with definitions, customers and four
 * weeks of activity; a short demo is not followed by the regulars' longer history. Null if there is nothing to create. Its Sandbox clock
 * starts before all history, so that the definitions are as old, and joins real time after the four weeks. A clock that is behind means
 * that an earlier first start was interrupted: this one completes it. Only one of several processes creates the demo; the others wait.
 */
export function ensureDemo(database: Database, options: { days?: number; isShort?: boolean } = {}): Promise<Demo | null> {
  const demo = Promise.withResolvers<Demo | null>();
  const holding = database.sql.begin(async (lock) => {
    // This transaction only holds the lock while the history is played.
    await lock`set local idle_in_transaction_session_timeout = 0`;
    await lock`select pg_advisory_xact_lock(hashtext('engagement demo'))`;
    const loading = loadDemo(database, options);
    demo.resolve(loading);
    await loading;
  });
  // If the lock's connection is lost later, the demo is still being loaded, and only this call returns its key. Another process that waits
  // for the lock may then load it as well.
  holding.catch(demo.reject);
  return demo.promise;
}

async function loadDemo(database: Database, { days = 28, isShort = false }: { days?: number; isShort?: boolean }): Promise<Demo | null> {
  if ((await listProjects(database)).length === 0) {
    const behind = (isShort ? days : HISTORY.days) * DAY;
    await createProject(database, SETTINGS, undefined, behind, DEMO);
  }
  const demo = (await listProjects(database)).find(({ slug }) => slug === DEMO_SLUG);
  if (demo === undefined || demo.isArchived) return null;
  const sandbox = await findEnvironment(database, DEMO_SLUG, "sandbox");
  if (sandbox.clockOffsetMs >= 0) return null;
  const endsAt = demo.createdAt;
  const span = { startsAt: endsAt - days * DAY, endsAt };
  await play(database, await withDefinitions(database, sandbox), span);
  await goShopping(database, await findEnvironment(database, DEMO_SLUG, "sandbox"), CUSTOMERS, span, 0);
  const sandboxKey = await createApiKey(database, sandbox, "demo", DEMO);
  if (!isShort) await announceHistory(database, sandbox);
  await joinRealTime(database, sandbox);
  return { slug: DEMO_SLUG, sandboxKey, playerId: EXAMPLE_CUSTOMER };
}

/** The Sandbox with the demo's definitions. Existing definitions are kept, even if a newer version has others. */
async function withDefinitions(database: Database, sandbox: Environment): Promise<Environment> {
  if (sandbox.definitionsVersion > 0) return sandbox;
  const file = await readFile(new URL("definitions.json", import.meta.url), "utf8");
  const result = await importDefinitions(database, sandbox, parseJson(file), { actor: DEMO });
  if ("problems" in result) throw new Error(`The demo's definitions are refused: ${JSON.stringify(result.problems)}`);
  return findEnvironment(database, DEMO_SLUG, "sandbox");
}
