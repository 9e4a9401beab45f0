import type { Database } from "../../db/client.ts";
import type { InProject } from "../kernel/in-project.ts";
import type { Role } from "../kernel/roles.ts";
import * as store from "./store.ts";
import { seesAll } from "./token.ts";

export type ListedToken = store.TokenRow & { isYours: boolean };

const MOST_LISTED = 500;

/** A person's own tokens in a project, the newest first, ended ones too; everybody's for Admins and Owners. */
export async function listTokens(
  { sql }: Database,
  { person, project, role }: Pick<InProject, "person" | "project"> & { role: Role },
): Promise<ListedToken[]> {
  const rows = await store.selectTokens(sql, project.projectId, seesAll(role) ? null : person.userId, MOST_LISTED);
  return rows.map((row) => ({ ...row, isYours: row.makerId === person.userId }));
}

/** Every token of a project, for the operator. */
export const listAllTokens = ({ sql }: Database, projectId: string): Promise<store.TokenRow[]> =>
  store.selectTokens(sql, projectId, null, MOST_LISTED);
