import type { Transaction } from "#db/client.ts";
import { highest } from "../../model/kernel/roles.ts";
import { created, recordAboutMember } from "./record-member-change.ts";
import type { ScopedRole } from "../../model/identity/scoped-role.ts";
import { lockOrganization, selectScopedRoles, upsertMembership } from "./store/memberships.ts";
import { lockPerson } from "./store/users.ts";
import { voidLinks } from "./void-links.ts";

/** Gives a person the role of an invitation, unless they already have a higher one there. Voids the links to them. */
export async function join(
  tx: Transaction,
  person: { userId: string; email: string },
  { organizationId, projectId, role }: ScopedRole & { organizationId: string },
): Promise<void> {
  await lockOrganization(tx, organizationId);
  await lockPerson(tx, person.userId);
  const scopedRoles = await selectScopedRoles(tx, person.userId, organizationId);
  const current = scopedRoles.filter((scopedRole) => scopedRole.projectId === projectId).map((scopedRole) => scopedRole.role);
  await upsertMembership(tx, { userId: person.userId, organizationId, projectId, role: highest([role, ...current])! });
  await voidLinks(tx, organizationId, person);
  const actor = { userId: person.userId, name: person.email };
  await recordAboutMember(
    tx,
    { organizationId, projectId },
    { actor, action: "join", subjectKey: person.email, difference: created(role) },
  );
}
