import type { Transaction } from "#db/client.ts";
import { deleteInvitationsAbout } from "./store/invitations.ts";
import { deleteResetsBy, deleteResetsOf } from "./store/resets.ts";

/**
 * Ends the links about somebody whose role in an organization changes, and those that they made there; in the transaction of the change.
 * Each was allowed by the roles of both until then: an Admin's link to an Editor's password would otherwise become one to an Owner's.
 */
export async function voidLinks(tx: Transaction, organizationId: string, person: { userId: string; email: string }): Promise<void> {
  await deleteInvitationsAbout(tx, organizationId, person);
  await deleteResetsOf(tx, person.userId);
  await deleteResetsBy(tx, { userId: person.userId, organizationId });
}
