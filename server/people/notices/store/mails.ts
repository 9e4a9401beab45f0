import { affectsRow, execute, firstRow, type Sql, type Transaction } from "#db/client.ts";
import { isPersonal, type NoticeKind } from "#server/model/notices/kinds.ts";
import type { Mailing } from "#server/model/notices/mail.ts";

/** Notices that are mailed together. */
export interface BegunMailing {
  mailing: string;
  projectId: string;
  kind: NoticeKind;
}

/**
 * Begins a mailing for each project and kind with waiting notices whose last mailing was at least an hour ago. Its row decides between
 * concurrent workers. Notices older than a day are no longer mailed: the dashboard shows them.
 */
export async function beginMailings(tx: Transaction): Promise<BegunMailing[]> {
  const rows = await tx<BegunMailing[]>`
    with waiting as (
      select distinct project_id, kind from notices where mailing is null and created_at > now() - interval '1 day'
    ), begun as (
      insert into notice_mailings as m (project_id, kind, mailed_at) select project_id, kind, now() from waiting order by 1, 2
      on conflict (project_id, kind) do update set mailed_at = excluded.mailed_at where m.mailed_at <= now() - interval '1 hour'
      returning m.project_id, m.kind, gen_random_uuid() as mailing
    ), taken as (
      update notices n set mailing = b.mailing from begun b
      where n.project_id = b.project_id and n.kind = b.kind and n.mailing is null and n.created_at > now() - interval '1 day'
      returning b.mailing
    )
    select b.mailing, b.project_id, b.kind from begun b where exists (select from taken t where t.mailing = b.mailing)`;
  return rows;
}

/**
 * Schedules a mail to each member who gets this kind: by their own choice, or by default if they are an Admin or Owner. A notice with
 * recipients goes to them alone.
 */
export const insertMails = (tx: Transaction, { mailing, projectId, kind }: BegunMailing) =>
  execute(tx`
    insert into notice_mails (mailing, user_id)
    select ${mailing}::uuid, w.user_id from (${wanting(tx, projectId, kind)}) w
    where exists (select from notices n where n.mailing = ${mailing}::uuid and (n.for_users is null or w.user_id = any(n.for_users)))`);

const wanting = (sql: Sql, projectId: string, kind: NoticeKind) => sql`
  select m.user_id
  from projects p join memberships m on m.organization_id = p.organization_id and (m.project_id is null or m.project_id = p.id)
  left join notice_choices c on c.user_id = m.user_id and c.project_id = p.id and c.kind = ${kind}
  where p.id = ${projectId}::uuid and p.archived_at is null
  group by m.user_id having coalesce(bool_or(c.is_on), ${isPersonal(kind)} or bool_or(m.role in ('Owner', 'Admin')))`;

/** A mail that this process may send until its lease runs out. */
export interface ClaimedMail {
  mailing: string;
  userId: string;
  email: string;
  projectId: string;
  projectSlug: string;
  projectName: string;
  kind: NoticeKind;
  /** Whether the person is still in the project. */
  isWanted: boolean;
}

/** Attempts per mail. */
const TRIES = 6;

/** Leases the next due mail, longer after each failure, since a mail server takes up to a minute to fail. Null if none is due. */
export const claimMail = (sql: Sql) =>
  firstRow(sql<ClaimedMail[]>`
    with claimed as (
      update notice_mails m set attempts = m.attempts + 1, leased_until = now() + interval '2 minutes' * power(2, m.attempts)
      where m.ctid = any(array(
        select d.ctid from notice_mails d
        where d.sent_at is null and d.attempts < ${TRIES} and (d.leased_until is null or d.leased_until <= now())
        order by d.created_at limit 1 for update skip locked
      ))
      returning m.mailing, m.user_id
    )
    select c.mailing, c.user_id, u.email, p.id as project_id, p.slug as project_slug, p.name as project_name, n.kind,
      p.archived_at is null and exists (
        select from memberships m
        where m.user_id = c.user_id and m.organization_id = p.organization_id and (m.project_id is null or m.project_id = p.id)
      ) as is_wanted
    from claimed c join users u on u.id = c.user_id
    join lateral (select project_id, kind from notices where notices.mailing = c.mailing limit 1) n on true
    join projects p on p.id = n.project_id`);

/** A person's notices of a mailing, oldest first, at most `limit`. */
export const selectMailed = (sql: Sql, mailing: string, userId: string, limit: number): Promise<Mailing["notices"]> =>
  sql<Mailing["notices"]>`
    select s.kind as environment, n.endpoint_id, n.details, n.over_of is not null as is_over
    from notices n join environments s on s.id = n.environment_id
    where n.mailing = ${mailing} and (n.for_users is null or ${userId}::uuid = any(n.for_users)) order by n.created_at limit ${limit}::int`.execute();

export const markSent = (sql: Sql, { mailing, userId }: Pick<ClaimedMail, "mailing" | "userId">) =>
  execute(sql`update notice_mails set sent_at = now(), leased_until = null where mailing = ${mailing} and user_id = ${userId}`);

/** Deletes mails sent or given up over a month ago, and notices older than a year. */
export async function deleteOld(sql: Sql): Promise<void> {
  await sql`delete from notice_mails where created_at < now() - interval '30 days'`;
  await sql`delete from notices where created_at < now() - interval '1 year'`;
}

/** A person's choices in a project, with their role there. */
export interface ChoiceRow {
  slug: string;
  name: string;
  roles: string[];
  /** Explicit choices; other kinds follow the role. */
  chosen: { kind: NoticeKind; isOn: boolean }[];
}

export const selectChoices = (sql: Sql, userId: string): Promise<ChoiceRow[]> =>
  sql<ChoiceRow[]>`
    select p.slug, p.name, array_agg(distinct m.role) as roles,
      (select coalesce(json_agg(json_build_object('kind', c.kind, 'isOn', c.is_on)), '[]') from notice_choices c
        where c.user_id = ${userId} and c.project_id = p.id) as chosen
    from projects p join memberships m on m.organization_id = p.organization_id and (m.project_id is null or m.project_id = p.id)
    where m.user_id = ${userId} and p.archived_at is null and p.test_of is null
    group by p.id order by p.created_at, p.slug`.execute();

/** Stores a choice; false if the person had made it before. */
export const upsertChoice = (tx: Transaction, userId: string, projectId: string, kind: NoticeKind, isOn: boolean) =>
  affectsRow(tx`
    insert into notice_choices as c (user_id, project_id, kind, is_on) values (${userId}, ${projectId}, ${kind}, ${isOn})
    on conflict (user_id, project_id, kind) do update set is_on = excluded.is_on where c.is_on <> excluded.is_on`);
