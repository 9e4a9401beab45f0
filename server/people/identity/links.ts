import { randomBytes } from "node:crypto";
import type { Sql, Transaction } from "#db/client.ts";
import { TOKEN_BYTES, tokenHash, writeToken } from "../../model/identity/mails.ts";
import { grantProblem, maySetPassword } from "../../model/identity/scoped-role.ts";
import { deleteInvitationsAbout, type InvitationRow } from "./store/invitations.ts";
import { selectScopedRoles, selectScopedRolesOf } from "./store/memberships.ts";
import { deleteResetsBy, deleteResetsOf, type ResetRow } from "./store/resets.ts";

/** A new token for a link; only its hash is stored. */
export function makeLinkToken(): { token: string; hash: Buffer } {
  const token = writeToken(randomBytes(TOKEN_BYTES));
  return { token, hash: tokenHash(token)! };
}

/**
 * Whether the maker of an invitation would still be allowed to make it. Lock the organization, or the result may be outdated immediately.
 */
export const mayStillInvite = async (sql: Sql, invitation: InvitationRow): Promise<boolean> =>
  grantProblem(await selectScopedRoles(sql, invitation.invitedById, invitation.organizationId), invitation) === null;

/** Whether the maker of a reset link would still be allowed to make it. Lock the organization and the person, likewise. */
export async function mayStillReset(sql: Sql, { userId, maker }: ResetRow): Promise<boolean> {
  if (maker === null) return true;
  const own = await selectScopedRoles(sql, maker.userId, maker.organizationId);
  return maySetPassword(own, maker.organizationId, await selectScopedRolesOf(sql, [userId]));
}

/**
 * Voids the links to and by a person whose role in an organization changes, in the transaction of the change. They were allowed by the
 * previous roles: otherwise an Admin's link to an Editor's password could become one to an Owner's.
 */
export async function voidLinks(tx: Transaction, organizationId: string, person: { userId: string; email: string }): Promise<void> {
  await deleteInvitationsAbout(tx, organizationId, person);
  await deleteResetsOf(tx, person.userId);
  await deleteResetsBy(tx, { userId: person.userId, organizationId });
}
