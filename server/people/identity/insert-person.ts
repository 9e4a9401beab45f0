import { type Database, transact } from "#db/client.ts";
import type { Role } from "../../model/kernel/roles.ts";
import { ensureOrganization } from "../projects/ensure-organization.ts";
import { hashed } from "./hash-password.ts";
import { lockOrganization, upsertMembership } from "./store/memberships.ts";
import { insertUser } from "./store/users.ts";
import { voidLinks } from "./void-links.ts";

/** The credentials of a new person; the password is shown once. */
export interface SignIn {
  email: string;
  password: string;
}

/** Creates a person with their first role. False when the address is taken. Their invitations to that organization become void. */
export async function insertPerson(
  database: Database,
  { email, password }: SignIn,
  role: Role,
  scope: { organizationId: string; projectId: string } | null,
): Promise<boolean> {
  const passwordHash = await hashed(password);
  const organizationId = scope?.organizationId ?? (await ensureOrganization(database.sql)).id;
  return transact(database, async (tx) => {
    await lockOrganization(tx, organizationId);
    const userId = await insertUser(tx, email, passwordHash);
    if (userId === null) return false;
    await upsertMembership(tx, { userId, organizationId, projectId: scope?.projectId ?? null, role });
    await voidLinks(tx, organizationId, { userId, email });
    return true;
  });
}
