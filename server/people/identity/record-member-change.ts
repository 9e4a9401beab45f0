import type { Transaction } from "#db/client.ts";
import type { AuditEntry } from "../../model/audit-log/entry.ts";
import { recordChange } from "../audit-log/record.ts";
import type { InProject } from "../../model/kernel/in-project.ts";
import type { Role } from "../../model/kernel/roles.ts";
import type { ScopedRole } from "../../model/identity/scoped-role.ts";
import { selectProjectIdsIn, selectProjectIdsOf } from "./store/memberships.ts";

/** The difference for a first role. */
export const created = (role: Role): unknown => [{ type: "CREATE", path: ["role"], value: role }];

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

/** The same, for a change made from a project. */
export const recordMemberChange = (
  tx: Transaction,
  { actor, project }: InProject,
  { projectId }: ScopedRole,
  entry: { action: string; subjectKey: string; difference: unknown },
): Promise<void> => recordAboutMember(tx, { organizationId: project.organizationId, projectId }, { actor, ...entry });
