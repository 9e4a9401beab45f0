import type { Sql, Transaction } from "../../../db/client.ts";
import { grantProblem, maySetPassword } from "../standing.ts";
import { deleteInvitationsAbout, type InvitationRow } from "../store/invitations.ts";
import { selectStandings, selectStandingsOf } from "../store/people.ts";
import { deleteResetsBy, deleteResetsOf, type ResetRow } from "../store/resets.ts";

/**
 * Ends the links about somebody whose standing in an organization changes, and those that they made there; in the transaction of the
 * change. Each was made by what both were until then: an Admin's link to an Editor's password would be one to an Owner's.
 */
export async function voidLinks(tx: Transaction, organizationId: string, person: { userId: string; email: string }): Promise<void> {
  await deleteInvitationsAbout(tx, organizationId, person);
  await deleteResetsOf(tx, person.userId);
  await deleteResetsBy(tx, { userId: person.userId, organizationId });
}

/** Whether who made an invitation might still make it. Hold the organization, or it is only true for the moment. */
export const mayStillInvite = async (sql: Sql, invitation: InvitationRow): Promise<boolean> =>
  grantProblem(await selectStandings(sql, invitation.invitedById, invitation.organizationId), invitation) === null;

/** Whether who made a link for a new password might still make it. Hold the organization and the person, likewise. */
export async function mayStillReset(sql: Sql, { userId, maker }: ResetRow): Promise<boolean> {
  if (maker === null) return true;
  const own = await selectStandings(sql, maker.userId, maker.organizationId);
  return maySetPassword(own, maker.organizationId, await selectStandingsOf(sql, [userId]));
}
