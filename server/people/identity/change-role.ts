import { type Database, transact } from "#db/client.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import type { Role } from "../../model/kernel/roles.ts";
import { endImpostors } from "./end-impostors.ts";
import { findMember, lockScopedRoles, keepAnOwner, requireGrant } from "./lock-members.ts";
import { recordMemberChange } from "./record-member-change.ts";
import { updateRole } from "./store/memberships.ts";
import { lockPerson, selectProviders } from "./store/users.ts";
import { voidLinks } from "./void-links.ts";

/** Changes a member's role from their next request on, and voids the links to them and by them. Throws OperatorError. */
export async function changeRole(database: Database, where: InProject, membershipId: string, role: Role): Promise<void> {
  await transact(database, async (tx) => {
    const own = await lockScopedRoles(tx, where);
    const member = await findMember(tx, where, membershipId);
    requireGrant(own, member);
    requireGrant(own, { ...member, role });
    if (member.role === role) return;
    await keepAnOwner(tx, where, member);
    await lockPerson(tx, member.userId);
    await updateRole(tx, member.id, role);
    // A password that others may know must not open a higher role; people with a provider do not need one.
    if ((await selectProviders(tx, member.userId)).length > 0) await endImpostors(tx, member);
    await voidLinks(tx, where.project.organizationId, member);
    await recordMemberChange(tx, where, member, {
      action: "update",
      subjectKey: member.email,
      difference: [{ type: "CHANGE", path: ["role"], oldValue: member.role, value: role }],
    });
  });
}
