import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../audit-log/record.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { canonicalLanguage } from "../../model/kernel/languages.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import type { Actor } from "../../model/kernel/roles.ts";
import { projectEntry } from "../../model/projects/audit-entry.ts";
import { ensureOrganization } from "./ensure-organization.ts";
import { projectProblems, type ProjectSettings } from "../../model/projects/settings.ts";
import * as store from "./store.ts";
import { selectEnvironmentsOf } from "../../engine/store/environments.ts";

/**
 * Creates a project with its Sandbox and Live, in the organization of that slug (created if new) or the first one. Its Sandbox clock starts
 * `sandboxBehindMs` milliseconds behind real time. Logged if there is an actor. Throws OperatorError.
 */
export async function createProject(
  database: Database,
  settings: ProjectSettings,
  organization?: string,
  sandboxBehindMs = 0,
  actor?: Actor,
): Promise<{ id: string; sandbox: Environment; live: Environment }> {
  const problems = projectProblems(settings, organization);
  if (problems.length > 0) throw new OperatorError(...problems);
  const defaultLanguage = canonicalLanguage(settings.defaultLanguage) ?? settings.defaultLanguage;
  return transact(database, async (tx) => {
    const { id: organizationId } = await ensureOrganization(tx, organization);
    const id = await store.insertProject(
      tx,
      organizationId,
      { ...settings, name: settings.name.trim(), defaultLanguage },
      -sandboxBehindMs,
    );
    if (id === null) throw new OperatorError(`There is already a project "${settings.slug}"; choose another slug.`);
    if (actor) await recordChange(tx, { ...projectEntry(id, settings.slug, actor), action: "create" });
    const [sandbox, live] = await selectEnvironmentsOf(tx, settings.slug);
    return { id, sandbox: sandbox!, live: live! };
  });
}
