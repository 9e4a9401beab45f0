import type { Transaction } from "../../db/client.ts";
import type { InProject } from "../kernel/in-project.ts";
import { Refused } from "../kernel/refused.ts";
import { grantProblem, isOwnerOfAll, type Standing } from "./standing.ts";
import { countOwners, lockOrganization, type MemberRow, selectMember, selectStandings } from "./store/memberships.ts";

const NO_MEMBER = "There is no such member in this project any more.";

/** What who asks may do, with the organization's members held still. */
export async function holdStandings(tx: Transaction, { person, project }: InProject): Promise<Standing[]> {
  await lockOrganization(tx, project.organizationId);
  return selectStandings(tx, person.userId, project.organizationId);
}

/** A member of the project. Throws Refused where there is none of this id. */
export async function findMember(tx: Transaction, { project }: InProject, membershipId: string): Promise<MemberRow> {
  const member = await selectMember(tx, project.organizationId, project.projectId, membershipId);
  if (member === null) throw new Refused(NO_MEMBER);
  return member;
}

/** Throws Refused where somebody with these standings may not give or take that one. */
export function requireGrant(own: readonly Standing[], standing: Standing): void {
  const problem = grantProblem(own, standing);
  if (problem !== null) throw new Refused(problem);
}

/** Without an Owner nobody could ever make one again. */
export async function keepAnOwner(tx: Transaction, { project }: InProject, member: Standing): Promise<void> {
  if (!isOwnerOfAll(member) || (await countOwners(tx, project.organizationId)) > 1) return;
  throw new Refused("This is the last Owner of the organization. Make somebody else an Owner first.");
}
