import { type Database, transact, type Transaction } from "#db/client.ts";
import type { AuditEntry } from "../../model/audit-log/entry.ts";
import { recordChange } from "../audit-log/record.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import type { Role } from "../../model/kernel/roles.ts";
import { tokenEntry } from "../../model/tokens/audit-entry.ts";
import * as store from "./store.ts";
import { type CallingToken, seesAll } from "../../model/tokens/token.ts";

/**
 * Revokes a token, from the next call on. People may revoke their own, Admins and Owners any of the project. Throws OperatorError if no
 * valid token of this id is theirs to revoke.
 */
export function revokeToken(
  database: Database,
  { person, actor, project, role }: InProject & { role: Role },
  id: string,
): Promise<{ name: string }> {
  return revoke(database, { actor, projectId: project.projectId }, id, seesAll(role) ? null : person.userId);
}

/** Revokes the calling token, from the next call on. Throws OperatorError if it has ended meanwhile. */
export const endToken = (
  database: Database,
  { id, projectId }: Pick<CallingToken, "id" | "projectId">,
  actor: AuditEntry["actor"],
): Promise<{ name: string }> => revoke(database, { actor, projectId }, id, null);

/** The same for the operator. Throws OperatorError. */
export const revokeAnyToken = (database: Database, where: Pick<AuditEntry, "actor" | "projectId">, id: string): Promise<{ name: string }> =>
  revoke(database, where, id, null);

/** Revokes all of a person's valid tokens in every project when the transaction commits; returns their number. */
export const revokeAllOf = (tx: Transaction, userId: string): Promise<number> => store.revokeTokenRowsOf(tx, userId);

async function revoke(
  database: Database,
  { actor, projectId }: Pick<AuditEntry, "actor" | "projectId">,
  id: string,
  makerId: string | null,
): Promise<{ name: string }> {
  return transact(database, async (tx) => {
    const token = await store.revokeTokenRow(tx, projectId, id, makerId);
    if (token === null) throw new OperatorError("There is no such token in force; it may have been revoked already.");
    const difference = [{ type: "REMOVE", path: ["token"], oldValue: token.hint }];
    await recordChange(tx, { ...tokenEntry(projectId, actor, token.name), action: "revoke", difference });
    return token;
  });
}
