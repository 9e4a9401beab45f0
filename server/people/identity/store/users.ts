import { allValues, execute, firstRow, firstValue, hasRow, type Sql, type Transaction } from "#db/client.ts";

export interface UserRow {
  id: string;
  email: string;
  /** Null for people who only sign in with a provider. */
  passwordHash: string | null;
}

export const selectUserByEmail = (sql: Sql, email: string) =>
  firstRow(sql<UserRow[]>`select id, email, password_hash from users where email = ${email}`);

export const selectUser = (sql: Sql, userId: string) =>
  firstRow(sql<UserRow[]>`select id, email, password_hash from users where id = ${userId}`);

/** Creates a person and returns their id; null if the address is taken. */
export const insertUser = (tx: Transaction, email: string, passwordHash: string | null) =>
  firstValue(tx<{ id: string }[]>`
    insert into users (email, password_hash) values (${email}, ${passwordHash}) on conflict do nothing returning id`);

/** Sets the person's password. Without `isConfirmed` the previous value stays. */
export const updatePassword = (tx: Transaction, userId: string, passwordHash: string, isConfirmed?: boolean) =>
  execute(tx`
    update users set password_hash = ${passwordHash}, is_password_confirmed = coalesce(${isConfirmed ?? null}, is_password_confirmed)
    where id = ${userId}`);

/** Deletes a password that others may know; false if there is none, or it is confirmed. */
export const dropUnconfirmedPassword = (tx: Transaction, userId: string) =>
  hasRow(tx<{ id: string }[]>`
    update users set password_hash = null where id = ${userId} and password_hash is not null and not is_password_confirmed returning id`);

export const selectUserByAccount = (sql: Sql, provider: string, providerAccountId: string) =>
  firstRow(sql<UserRow[]>`
    select u.id, u.email, u.password_hash
    from accounts a join users u on u.id = a.user_id
    where a.provider = ${provider} and a.provider_account_id = ${providerAccountId}`);

export const insertAccount = (tx: Transaction, provider: string, providerAccountId: string, userId: string) =>
  execute(tx`
    insert into accounts (provider, provider_account_id, user_id) values (${provider}, ${providerAccountId}, ${userId})
    on conflict do nothing`);

/** Whether the person has signed in by another account of the same provider. */
export const hasOtherAccount = (
  tx: Transaction,
  userId: string,
  { provider, providerAccountId }: { provider: string; providerAccountId: string },
) =>
  hasRow(tx`
    select from accounts where user_id = ${userId} and provider = ${provider} and provider_account_id <> ${providerAccountId} limit 1`);

export const selectProviders = (sql: Sql, userId: string) =>
  allValues(sql<{ provider: string }[]>`select distinct provider from accounts where user_id = ${userId} order by provider`);

/**
 * Locks a person until the end of the transaction: their password and all their roles. If both locks are needed, take `lockOrganization`
 * first. False if the person no longer exists.
 */
export const lockPerson = (tx: Transaction, userId: string) => hasRow(tx`select from users where id = ${userId} for no key update`);

/**
 * Keeps a person as they are until the end of the transaction: no password, role or second factor changes meanwhile. False if that is no
 * longer their password.
 */
export const holdPassword = (tx: Transaction, { userId, passwordHash }: { userId: string; passwordHash: string }) =>
  hasRow(tx`select from users where id = ${userId} and password_hash = ${passwordHash} for share`);

export const hasUsers = (sql: Sql) => hasRow(sql`select from users limit 1`);
