import { execute, hasRow, type Sql, type Transaction } from "#db/client.ts";

/** The maker of a link, and the organization; null for a link that the person requested. */
export interface LinkMaker {
  userId: string;
  organizationId: string;
}

export interface ResetRow {
  userId: string;
  email: string;
  maker: LinkMaker | null;
}

/** Stores a link to set a new password. It replaces the previous link of the same maker; those of others stay. */
export const upsertReset = (
  sql: Sql,
  { userId, maker, tokenHash, lastsMs }: { userId: string; maker: LinkMaker | null; tokenHash: Buffer; lastsMs: number },
) =>
  execute(sql`
    insert into password_resets (user_id, made_by, organization_id, token_hash, expires_at)
    values (${userId}, ${maker?.userId ?? null}, ${maker?.organizationId ?? null}, ${tokenHash},
      now() + ${lastsMs} * interval '1 millisecond')
    on conflict (user_id, made_by) do update set
      organization_id = excluded.organization_id, token_hash = excluded.token_hash, created_at = now(), expires_at = excluded.expires_at`);

/** The person whose password the link sets; null if it expired, was used or is void. */
export async function selectReset(sql: Sql, tokenHash: Buffer): Promise<ResetRow | null> {
  const [row] = await sql<{ userId: string; email: string; madeBy: string | null; organizationId: string | null }[]>`
    select u.id as user_id, u.email, r.made_by, r.organization_id
    from password_resets r join users u on u.id = r.user_id
    where r.token_hash = ${tokenHash} and r.expires_at > now()`;
  if (!row) return null;
  const { madeBy, organizationId, ...person } = row;
  return { ...person, maker: madeBy === null || organizationId === null ? null : { userId: madeBy, organizationId } };
}

/** Takes a link, once: the caller that gets true owns it. */
export const takeReset = (tx: Transaction, tokenHash: Buffer) =>
  hasRow(tx<{ id: string }[]>`delete from password_resets where token_hash = ${tokenHash} and expires_at > now() returning user_id as id`);

/** Deletes all links to a person's password, of all makers. */
export const deleteResetsOf = (tx: Transaction, userId: string) => execute(tx`delete from password_resets where user_id = ${userId}`);

export const deleteResetsBy = (tx: Transaction, maker: LinkMaker) =>
  execute(tx`delete from password_resets where made_by = ${maker.userId} and organization_id = ${maker.organizationId}`);
