import type { Sql } from "#db/client.ts";
import { grantProblem, maySetPassword } from "../../model/identity/scoped-role.ts";
import type { InvitationRow } from "./store/invitations.ts";
import { selectScopedRoles, selectScopedRolesOf } from "./store/memberships.ts";
import type { ResetRow } from "./store/resets.ts";

/** Whether the maker of an invitation would still be allowed to make it. Lock the organization, or the result may be outdated at once. */
export const mayStillInvite = async (sql: Sql, invitation: InvitationRow): Promise<boolean> =>
  grantProblem(await selectScopedRoles(sql, invitation.invitedById, invitation.organizationId), invitation) === null;

/** Whether the maker of a reset link would still be allowed to make it. Lock the organization and the person, likewise. */
export async function mayStillReset(sql: Sql, { userId, maker }: ResetRow): Promise<boolean> {
  if (maker === null) return true;
  const own = await selectScopedRoles(sql, maker.userId, maker.organizationId);
  return maySetPassword(own, maker.organizationId, await selectScopedRolesOf(sql, [userId]));
}
