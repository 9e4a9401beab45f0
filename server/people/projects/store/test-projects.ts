import { affectsRow, execute, onlyRow, type Sql, type Transaction } from "#db/client.ts";

/**
 * Locks a project's row until the transaction ends; rows that refer to it can still be written. Returns whether it is a test project.
 */
export async function lockProject(tx: Transaction, projectId: string): Promise<{ isTest: boolean }> {
  const [row] = await tx<{ isTest: boolean }[]>`
    select test_of is not null as is_test from projects where id = ${projectId} for no key update`;
  return row ?? { isTest: false };
}

/**
 * Test projects whose data still exist, including removed ones, of a project and of its organization. Locks the organization, so that
 * concurrent creations see each other.
 */
export async function countKept(tx: Transaction, projectId: string, organizationId: string) {
  await tx`select from organizations where id = ${organizationId} for no key update`;
  return onlyRow(tx<{ project: number; organization: number }[]>`
    select (count(*) filter (where t.test_of = ${projectId}))::int as project, count(*)::int as organization
    from projects home join projects t on t.test_of = home.id where home.organization_id = ${organizationId}`);
}

export const selectTestProjects = (sql: Sql, projectId: string): Promise<{ id: string; expiresAt: number }[]> =>
  sql<{ id: string; expiresAt: number }[]>`
    select id, coalesce(expires_at, 'epoch') as expires_at from projects
    where test_of = ${projectId} and archived_at is null`.execute();

/**
 * Archives a test project of that project; false if it is unknown or already archived. Every process drops its known players, so that
 * requests that began earlier write nothing for them.
 */
export const archiveTestProject = (tx: Transaction, projectId: string, slug: string) =>
  affectsRow(tx`
    with gone as (
      update projects set archived_at = now() where test_of = ${projectId} and slug = ${slug} and archived_at is null returning id
    )
    update environments e set resets = resets + 1 from gone where e.project_id = gone.id`);

/** The same for every expired test project. */
export const archiveExpired = (sql: Sql) =>
  execute(sql`
    with gone as (
      update projects set archived_at = now() where test_of is not null and expires_at <= now() and archived_at is null returning id
    )
    update environments e set resets = resets + 1 from gone where e.project_id = gone.id`);
