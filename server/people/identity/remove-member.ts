import { type Database, transact } from "#db/client.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { findMember, lockScopedRoles, keepAnOwner, requireGrant } from "./lock-members.ts";
import { recordMemberChange } from "./record-member-change.ts";
import type { ScopedRole } from "../../model/identity/scoped-role.ts";
import { deleteMembership, type MemberRow } from "./store/memberships.ts";
import { lockPerson } from "./store/users.ts";
import { voidLinks } from "./void-links.ts";

/**
 * Removes a membership, from the next request on, and voids the links to the person and by them. A person without a remaining role is
 * deleted, with their sessions; with another role they stay signed in. Throws OperatorError.
 */
export const removeMember = (database: Database, where: InProject, membershipId: string): Promise<void> =>
  remove(database, where, membershipId, (own, member) => requireGrant(own, member));

/** Removes one's own membership; the last Owner may not leave. Throws OperatorError. */
export const leaveProject = (database: Database, where: InProject, membershipId: string): Promise<void> =>
  remove(database, where, membershipId, (_, member) => {
    if (member.userId !== where.person.userId) throw new OperatorError("That is somebody else's membership.");
  });

async function remove(
  database: Database,
  where: InProject,
  membershipId: string,
  check: (own: readonly ScopedRole[], member: MemberRow) => void,
): Promise<void> {
  await transact(database, async (tx) => {
    const own = await lockScopedRoles(tx, where);
    const member = await findMember(tx, where, membershipId);
    check(own, member);
    await keepAnOwner(tx, where, member);
    await recordMemberChange(tx, where, member, {
      action: "remove",
      subjectKey: member.email,
      difference: [{ type: "REMOVE", path: ["role"], oldValue: member.role }],
    });
    await lockPerson(tx, member.userId);
    await voidLinks(tx, where.project.organizationId, member);
    await deleteMembership(tx, member.id, member.userId);
  });
}
