import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../audit-log/record.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import type { Actor } from "../../model/kernel/roles.ts";
import { testProjectEntry } from "../../model/projects/audit-entry.ts";
import { archiveTestProject } from "./store/test-projects.ts";

/**
 * Removes a test project: from the next call on it is unknown and its keys get 404. The worker deletes its data soon after, in slices.
 * Throws OperatorError if the project no longer has such a test project.
 */
export function removeTestProject(
  database: Database,
  { projectId }: Pick<Environment, "projectId">,
  actor: Actor,
  slug: string,
): Promise<void> {
  return transact(database, async (tx) => {
    if (!(await archiveTestProject(tx, projectId, slug)))
      throw new OperatorError(`There is no test project "${slug}"; it may have been removed already.`);
    await recordChange(tx, { ...testProjectEntry(projectId, slug, actor), action: "remove", difference: null });
  });
}
