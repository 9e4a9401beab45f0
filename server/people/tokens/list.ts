import type { Database } from "#db/client.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import type { Role } from "../../model/kernel/roles.ts";
import * as store from "./store.ts";
import { MAX_IN_FORCE_IN_PROJECT, seesAll } from "../../model/tokens/token.ts";

export type ListedToken = store.TokenRow & { isYours: boolean };

/** All valid tokens, and at least 500 ended ones. */
const MAX_LISTED = MAX_IN_FORCE_IN_PROJECT + 500;

/** A person's own tokens in a project, or all for Admins and Owners: valid ones, then ended ones, each newest first. */
export async function listTokens(
  { sql }: Database,
  { person, project, role }: Pick<InProject, "person" | "project"> & { role: Role },
): Promise<ListedToken[]> {
  const rows = await store.selectTokens(sql, project.projectId, seesAll(role) ? null : person.userId, MAX_LISTED);
  return rows.map((row) => ({ ...row, isYours: row.makerId === person.userId }));
}

/** Every token of a project, for the operator. */
export const listAllTokens = ({ sql }: Database, projectId: string): Promise<store.TokenRow[]> =>
  store.selectTokens(sql, projectId, null, MAX_LISTED);
