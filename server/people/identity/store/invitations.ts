import { allValues, execute, firstRow, onlyRow, type Sql, type Transaction } from "#db/client.ts";
import type { ScopedRole } from "#server/model/identity/scoped-role.ts";

export interface InvitationRow extends ScopedRole {
  id: string;
  organizationId: string;
  email: string;
  /** The maker's address at that time. */
  invitedBy: string;
  invitedById: string;
  /** Epoch milliseconds. */
  expiresAt: number;
  isExpired: boolean;
}

const invitationColumns = (sql: Sql) => sql`
  i.id, i.organization_id, i.project_id, i.email, i.role, i.live_role, i.invited_by, i.invited_by_id, i.expires_at, i.expires_at <= now() as is_expired`;

/** The invitations to a project or its whole organization, including expired ones, by address. */
export const selectInvitations = (sql: Sql, organizationId: string, projectId: string): Promise<InvitationRow[]> =>
  sql<InvitationRow[]>`
    select ${invitationColumns(sql)} from invitations i
    where i.organization_id = ${organizationId} and (i.project_id is null or i.project_id = ${projectId})
    order by i.email, i.project_id nulls first`;

/** One invitation of `selectInvitations`, by its id. */
export const selectInvitation = (sql: Sql, organizationId: string, projectId: string, id: string) =>
  firstRow(sql<InvitationRow[]>`
    select ${invitationColumns(sql)} from invitations i
    where i.organization_id = ${organizationId} and (i.project_id is null or i.project_id = ${projectId}) and i.id = ${id}`);

/** The invitation of an address in exactly that scope. */
export const selectInvitationFor = (sql: Sql, organizationId: string, projectId: string | null, email: string) =>
  firstRow(sql<InvitationRow[]>`
    select ${invitationColumns(sql)} from invitations i
    where i.organization_id = ${organizationId} and i.project_id is not distinct from ${projectId}::uuid and i.email = ${email}`);

/** An organization's number of open invitations, including expired ones, and of memberships. */
export const countPeople = (sql: Sql, organizationId: string) =>
  onlyRow(sql<{ invitations: number; memberships: number }[]>`
    select (select count(*)::int from invitations where organization_id = ${organizationId}) as invitations,
      (select count(*)::int from memberships where organization_id = ${organizationId}) as memberships`);

export interface NewInvitation extends ScopedRole {
  organizationId: string;
  email: string;
  invitedBy: { userId: string; name: string };
  tokenHash: Buffer;
  lastsMs: number;
}

/** Creates or replaces an invitation; a previous link becomes void. */
export async function upsertInvitation(tx: Transaction, invitation: NewInvitation): Promise<void> {
  const { organizationId, projectId, email, role, liveRole, invitedBy, tokenHash, lastsMs } = invitation;
  await tx`
    insert into invitations (organization_id, project_id, email, role, live_role, token_hash, invited_by, invited_by_id, expires_at)
    values (${organizationId}, ${projectId}, ${email}, ${role}, ${liveRole}, ${tokenHash}, ${invitedBy.name}, ${invitedBy.userId},
      now() + ${lastsMs} * interval '1 millisecond')
    on conflict (organization_id, project_id, email) do update set
      role = excluded.role, live_role = excluded.live_role, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
      invited_by_id = excluded.invited_by_id, created_at = now(), expires_at = excluded.expires_at`;
}

/** An invitation as its link shows it, with its project. */
export interface OpenInvitation extends InvitationRow {
  organizationName: string;
  /** The project of the invitation; for the whole organization, its first that is not archived. */
  projectSlug: string | null;
  projectName: string | null;
}

/** The invitation of a link, unless it has expired or its project is archived. */
export const selectOpenInvitation = (sql: Sql, hash: Buffer) =>
  firstRow(sql<OpenInvitation[]>`
    select ${invitationColumns(sql)}, o.name as organization_name, p.slug as project_slug, p.name as project_name
    from invitations i join organizations o on o.id = i.organization_id
      left join lateral (
        select slug, name from projects
        where organization_id = i.organization_id and (i.project_id is null or id = i.project_id) and archived_at is null
          and test_of is null
        order by created_at, slug limit 1) p on true
    where i.token_hash = ${hash} and i.expires_at > now() and (i.project_id is null or p.slug is not null)`);

/** Takes an invitation, once: the caller that gets it back owns it. */
export const takeInvitation = (tx: Transaction, hash: Buffer) =>
  firstRow(tx<InvitationRow[]>`
    delete from invitations i where i.token_hash = ${hash} and i.expires_at > now() returning ${invitationColumns(tx)}`);

/** The organizations that an address is invited to, in locking order. */
export const selectOrganizationsInviting = (sql: Sql, email: string) =>
  allValues(sql<{ id: string }[]>`
    select distinct organization_id as id from invitations where email = ${email} and expires_at > now() order by 1`);

/** Claims all open invitations of an address to these organizations. */
export const takeInvitationsTo = (tx: Transaction, email: string, organizationIds: readonly string[]): Promise<InvitationRow[]> =>
  tx<InvitationRow[]>`
    delete from invitations i
    where i.email = ${email} and i.organization_id = any(${organizationIds as string[]}::uuid[]) and i.expires_at > now()
    returning ${invitationColumns(tx)}`;

export const deleteInvitation = (tx: Transaction, id: string) => execute(tx`delete from invitations where id = ${id}`);

/** Deletes the invitation of an address in exactly that scope. */
export const deleteInvitationFor = (tx: Transaction, organizationId: string, projectId: string | null, email: string) =>
  execute(tx`
    delete from invitations
    where organization_id = ${organizationId} and project_id is not distinct from ${projectId}::uuid and email = ${email}`);

/** Deletes the invitations to and from a person in one organization. */
export const deleteInvitationsAbout = (tx: Transaction, organizationId: string, { userId, email }: { userId: string; email: string }) =>
  execute(tx`delete from invitations where organization_id = ${organizationId} and (email = ${email} or invited_by_id = ${userId})`);
