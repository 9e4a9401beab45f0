import type { Transaction } from "#db/client.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { grantProblem, isOwnerOfAll, type ScopedRole } from "../../model/identity/scoped-role.ts";
import { countOwners, lockOrganization, type MemberRow, selectMember, selectScopedRoles } from "./store/memberships.ts";

const NO_MEMBER = "There is no such member in this project any more.";

/** The caller's roles, with the organization's members locked. */
export async function lockScopedRoles(tx: Transaction, { person, project }: InProject): Promise<ScopedRole[]> {
  await lockOrganization(tx, project.organizationId);
  return selectScopedRoles(tx, person.userId, project.organizationId);
}

/** A member of the project. Throws OperatorError if unknown. */
export async function findMember(tx: Transaction, { project }: InProject, membershipId: string): Promise<MemberRow> {
  const member = await selectMember(tx, project.organizationId, project.projectId, membershipId);
  if (member === null) throw new OperatorError(NO_MEMBER);
  return member;
}

/** Throws OperatorError if these roles do not allow giving or taking the wanted one. */
export function requireGrant(own: readonly ScopedRole[], wanted: ScopedRole): void {
  const problem = grantProblem(own, wanted);
  if (problem !== null) throw new OperatorError(problem);
}

/** Throws for the last Owner: only an Owner can appoint another one. */
export async function keepAnOwner(tx: Transaction, { project }: InProject, member: ScopedRole): Promise<void> {
  if (!isOwnerOfAll(member) || (await countOwners(tx, project.organizationId)) > 1) return;
  throw new OperatorError("This is the last Owner of the organization. Make somebody else an Owner first.");
}
