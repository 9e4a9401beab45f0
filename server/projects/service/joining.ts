import type { Transaction } from "../../../db/client.ts";
import { highest, type Role } from "../../kernel/roles.ts";
import type { Standing } from "../standing.ts";
import { type AuditEntry, insertAuditEntries } from "../store.ts";
import * as store from "../store/people.ts";
import { voidLinks } from "./open-links.ts";

/**
 * Gives somebody the standing that an invitation promised; what they have there already they keep when it is more. Links about them are
 * void from then on.
 */
export async function join(
  tx: Transaction,
  person: { userId: string; email: string },
  { organizationId, projectId, role }: Standing & { organizationId: string },
): Promise<void> {
  await store.lockOrganization(tx, organizationId);
  await store.lockPerson(tx, person.userId);
  const standings = await store.selectStandings(tx, person.userId, organizationId);
  const current = standings.filter((standing) => standing.projectId === projectId).map((standing) => standing.role);
  await store.upsertMembership(tx, { userId: person.userId, organizationId, projectId, role: highest([role, ...current])! });
  await voidLinks(tx, organizationId, person);
  const actor = { userId: person.userId, name: person.email };
  await recordAboutMember(
    tx,
    { organizationId, projectId },
    { actor, action: "join", subjectKey: person.email, difference: created(role) },
  );
}

export const created = (role: Role): unknown => [{ type: "CREATE", path: ["role"], value: role }];

type AboutMember = Pick<AuditEntry, "actor" | "action" | "subjectKey" | "difference">;

/** A change of who may do what: logged in the project that it is about, or in all of the organization. */
export async function recordAboutMember(
  tx: Transaction,
  { organizationId, projectId }: { organizationId: string; projectId: string | null },
  entry: AboutMember,
): Promise<void> {
  await recordInProjects(tx, await store.selectProjectIdsIn(tx, organizationId, projectId), entry);
}

/** A change of a person's own account: logged in every project that they take part in. */
export async function recordAboutPerson(tx: Transaction, userId: string, entry: AboutMember): Promise<void> {
  await recordInProjects(tx, await store.selectProjectIdsOf(tx, userId), entry);
}

const recordInProjects = (tx: Transaction, projectIds: readonly string[], entry: AboutMember): Promise<void> =>
  insertAuditEntries(
    tx,
    projectIds.map((projectId) => ({ ...entry, projectId, environmentId: null, subjectKind: "member" })),
  );
