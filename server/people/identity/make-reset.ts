import { type Database, transact, type Transaction } from "#db/client.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { findMember, lockScopedRoles } from "./lock-members.ts";
import { RESET_MS } from "../../model/identity/links.ts";
import { makeLinkToken } from "./make-link-token.ts";
import { recordAboutPerson } from "./record-member-change.ts";
import { maySetPassword } from "../../model/identity/scoped-role.ts";
import { type MemberRow, selectScopedRolesOf } from "./store/memberships.ts";
import { upsertReset } from "./store/resets.ts";
import { lockPerson } from "./store/users.ts";

/** A link to set a member's password, for an Admin to hand on. Throws OperatorError if the caller may not. */
export async function makeReset(database: Database, where: InProject, membershipId: string): Promise<{ token: string; email: string }> {
  const { token, hash } = makeLinkToken();
  const { email } = await transact(database, async (tx) => {
    const member = await memberForReset(tx, where, membershipId);
    const { actor, person, project } = where;
    const maker = { userId: person.userId, organizationId: project.organizationId };
    await upsertReset(tx, { userId: member.userId, maker, tokenHash: hash, lastsMs: RESET_MS });
    await recordAboutPerson(tx, member.userId, {
      actor,
      action: "reset_password",
      subjectKey: member.email,
      difference: null,
    });
    return member;
  });
  return { token, email };
}

/** A member whose password the caller may set, locked until the end of the transaction. Throws OperatorError. */
async function memberForReset(tx: Transaction, where: InProject, membershipId: string): Promise<MemberRow> {
  const own = await lockScopedRoles(tx, where);
  const member = await findMember(tx, where, membershipId);
  if (member.userId === where.person.userId) throw new OperatorError("Change your own password on the page of your account.");
  await lockPerson(tx, member.userId);
  if (!maySetPassword(own, where.project.organizationId, await selectScopedRolesOf(tx, [member.userId]))) {
    throw new OperatorError(`${member.email} has roles that are not yours to give, so their password is not yours to set. Ask an Owner.`);
  }
  return member;
}
