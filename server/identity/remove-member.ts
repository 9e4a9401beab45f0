import { type Database, transact } from "../../db/client.ts";
import type { InProject } from "../kernel/in-project.ts";
import { Refused } from "../kernel/refused.ts";
import { findMember, holdStandings, keepAnOwner, requireGrant } from "./hold-members.ts";
import { recordMemberChange } from "./record-member-change.ts";
import type { Standing } from "./standing.ts";
import { deleteMembership, type MemberRow } from "./store/memberships.ts";
import { lockPerson } from "./store/users.ts";
import { voidLinks } from "./void-links.ts";

/**
 * Takes a member's role away, from their next request on, with the links about them and of theirs. Who takes part in nothing any more is
 * gone, and their sessions with them; elsewhere they stay signed in. Throws Refused.
 */
export const removeMember = (database: Database, where: InProject, membershipId: string): Promise<void> =>
  remove(database, where, membershipId, (own, member) => requireGrant(own, member));

/** Takes one's own role away: everybody may leave but the last Owner. Throws Refused. */
export const leaveProject = (database: Database, where: InProject, membershipId: string): Promise<void> =>
  remove(database, where, membershipId, (_, member) => {
    if (member.userId !== where.person.userId) throw new Refused("That is somebody else's membership.");
  });

async function remove(
  database: Database,
  where: InProject,
  membershipId: string,
  check: (own: readonly Standing[], member: MemberRow) => void,
): Promise<void> {
  await transact(database, async (tx) => {
    const own = await holdStandings(tx, where);
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
