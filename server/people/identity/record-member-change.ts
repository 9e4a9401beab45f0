import type { Transaction } from "#db/client.ts";
import type { AuditEntry } from "../../model/audit-log/entry.ts";
import { recordChange } from "../audit-log/record.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import type { Role } from "../../model/kernel/roles.ts";
import type { ScopedRole } from "../../model/identity/scoped-role.ts";
import { selectProjectIdsIn, selectProjectIdsOf } from "./store/memberships.ts";

/** The difference that giving a first role makes. */
export const created = (role: Role): unknown => [{ type: "CREATE", path: ["role"], value: role }];

type AboutMember = Pick<AuditEntry, "actor" | "action" | "subjectKey" | "difference">;

/** Logs a change of a role in the project that it is about, or in all of the organization. */
export async function recordAboutMember(
  tx: Transaction,
  { organizationId, projectId }: { organizationId: string; projectId: string | null },
  entry: AboutMember,
): Promise<void> {
  await recordInProjects(tx, await selectProjectIdsIn(tx, organizationId, projectId), entry);
}

/** A change of a person's own account: logged in every project that they take part in. */
export async function recordAboutPerson(tx: Transaction, userId: string, entry: AboutMember): Promise<void> {
  await recordInProjects(tx, await selectProjectIdsOf(tx, userId), entry);
}

const recordInProjects = (tx: Transaction, projectIds: readonly string[], entry: AboutMember): Promise<void> =>
  recordChange(tx, ...projectIds.map((projectId) => ({ ...entry, projectId, environmentId: null, subjectKind: "member" })));

/** The same, of a change that somebody makes from a project. */
export const recordMemberChange = (
  tx: Transaction,
  { actor, project }: InProject,
  { projectId }: ScopedRole,
  entry: { action: string; subjectKey: string; difference: unknown },
): Promise<void> => recordAboutMember(tx, { organizationId: project.organizationId, projectId }, { actor, ...entry });
