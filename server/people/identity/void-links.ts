import type { Transaction } from "#db/client.ts";
import { deleteInvitationsAbout } from "./store/invitations.ts";
import { deleteResetsBy, deleteResetsOf } from "./store/resets.ts";

/**
 * Voids the links to and by a person whose role in an organization changes, in the transaction of the change. They were allowed by the
 * previous roles: otherwise an Admin's link to an Editor's password could become one to an Owner's.
 */
export async function voidLinks(tx: Transaction, organizationId: string, person: { userId: string; email: string }): Promise<void> {
  await deleteInvitationsAbout(tx, organizationId, person);
  await deleteResetsOf(tx, person.userId);
  await deleteResetsBy(tx, { userId: person.userId, organizationId });
}
