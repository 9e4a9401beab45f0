import type { Database, Sql } from "#db/client.ts";
import type { Role } from "../../model/kernel/roles.ts";
import { mayStillInvite } from "./check-links.ts";
import { tokenHash } from "../../model/identity/links.ts";
import { type OpenInvitation, selectOpenInvitation } from "./store/invitations.ts";
import { selectUserByEmail } from "./store/users.ts";

/** The data of the page behind an invitation's link. */
export interface InvitationView {
  email: string;
  role: Role;
  invitedBy: string;
  organization: string;
  /** Null for an invitation to the whole organization. */
  project: string | null;
  /** Whether the address has an account: then the person signs in instead of creating one. */
  hasAccount: boolean;
}

/** The invitation of a link; null if it expired, was used or withdrawn, or is void. */
export async function findInvitation({ sql }: Database, token: string): Promise<InvitationView | null> {
  const found = await openInvitation(sql, tokenHash(token));
  if (found === null) return null;
  const hasAccount = (await selectUserByEmail(sql, found.email)) !== null;
  const { email, role, invitedBy, organizationName, projectId, projectName } = found;
  return { email, role, invitedBy, organization: organizationName, project: projectId === null ? null : projectName, hasAccount };
}

export async function openInvitation(sql: Sql, hash: Buffer | null): Promise<OpenInvitation | null> {
  const found = hash === null ? null : await selectOpenInvitation(sql, hash);
  return found !== null && (await mayStillInvite(sql, found)) ? found : null;
}
