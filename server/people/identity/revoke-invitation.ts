import { type Database, transact } from "#db/client.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { lockScopedRoles, requireGrant } from "./lock-members.ts";
import { NO_INVITATION } from "./invite.ts";
import { recordMemberChange } from "./record-member-change.ts";
import { deleteInvitation, selectInvitation } from "./store/invitations.ts";

/** Withdraws an invitation, which voids its link. Throws OperatorError. */
export async function revokeInvitation(database: Database, where: InProject, id: string): Promise<void> {
  const { organizationId, projectId } = where.project;
  await transact(database, async (tx) => {
    const own = await lockScopedRoles(tx, where);
    const invitation = await selectInvitation(tx, organizationId, projectId, id);
    if (invitation === null) throw new OperatorError(NO_INVITATION);
    requireGrant(own, invitation);
    await deleteInvitation(tx, invitation.id);
    await recordMemberChange(tx, where, invitation, {
      action: "withdraw_invitation",
      subjectKey: invitation.email,
      difference: [{ type: "REMOVE", path: ["role"], oldValue: invitation.role }],
    });
  });
}
