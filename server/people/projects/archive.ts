import type { Database } from "#db/client.ts";
import { recordChange } from "../audit-log/record.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { COMMAND_LINE } from "../../model/kernel/roles.ts";
import { projectEntry } from "../../model/projects/audit-entry.ts";
import * as store from "./store.ts";

/** Archives a project: requests with its keys get 404 project_environment.not_found. Throws OperatorError. */
export async function archiveProject({ sql }: Database, slug: string, actor = COMMAND_LINE): Promise<void> {
  await sql.begin(async (tx) => {
    const id = await store.setArchived(tx, slug);
    if (id === null) throw new OperatorError(`There is no project "${slug}".`);
    await recordChange(tx, { ...projectEntry(id, slug, actor), action: "archive" });
  });
}
