import microdiff from "microdiff";
import type { Transaction } from "#db/client.ts";
import type { InProject, RoleWithLive } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { grantProblem, isOwnerOfAll, type ScopedRole } from "../../model/identity/scoped-role.ts";
import {
  countOwners,
  lockOrganization,
  type MemberRow,
  selectMember,
  selectProjectIdsIn,
  selectProjectIdsOf,
  selectScopedRoles,
} from "./store/memberships.ts";
import type { AuditEntry } from "../../model/audit-log/entry.ts";
import { recordChange } from "../audit-log/record.ts";

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
  throw new OperatorError("This is the last Owner of the organization. Make another member an Owner first.");
}

/** The difference for a first role, with what else there is to say of it. */
export const created = ({ role, liveRole }: RoleWithLive, more: object = {}): unknown =>
  microdiff({}, { role, ...(liveRole !== null && { liveRole }), ...more });

type AboutMember = Pick<AuditEntry, "actor" | "action" | "subjectKey" | "difference">;

/** Logs a change of a role in its project, or in every project of its organization. */
export async function recordAboutMember(
  tx: Transaction,
  { organizationId, projectId }: { organizationId: string; projectId: string | null },
  entry: AboutMember,
): Promise<void> {
  await recordInProjects(tx, await selectProjectIdsIn(tx, organizationId, projectId), entry);
}

/** Logs a change of a person's own account in every project where they are a member. */
export async function recordAboutPerson(tx: Transaction, userId: string, entry: AboutMember): Promise<void> {
  await recordInProjects(tx, await selectProjectIdsOf(tx, userId), entry);
}

const recordInProjects = (tx: Transaction, projectIds: readonly string[], entry: AboutMember): Promise<void> =>
  recordChange(tx, ...projectIds.map((projectId) => ({ ...entry, projectId, environmentId: null, subjectKind: "member" })));

/** Like `recordAboutMember`, for a change made from a project. */
export const recordMemberChange = (
  tx: Transaction,
  { actor, project }: InProject,
  { projectId }: ScopedRole,
  entry: { action: string; subjectKey: string; difference: unknown },
): Promise<void> => recordAboutMember(tx, { organizationId: project.organizationId, projectId }, { actor, ...entry });
