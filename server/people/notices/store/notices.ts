import { affected, execute, type Sql, type Transaction } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { NoticeDetails, NoticeKind } from "#server/model/notices/kinds.ts";

/** A new notice, unique by its cause. */
export interface NewNotice {
  environmentId: number;
  projectId: string;
  kind: NoticeKind;
  cause: string;
  endpointId: string | null;
  /** Its subject, if not an endpoint. */
  subjectId?: string | null;
  details: NoticeDetails;
  /** Whether it reports an event rather than a problem, and so never ends. */
  hasNoEnd?: boolean;
}

/** Writes a notice unless its cause already has one. */
export const insertNotice = (
  tx: Transaction,
  { environmentId, projectId, kind, cause, endpointId, subjectId = null, details, hasNoEnd = false }: NewNotice,
) =>
  execute(tx`
    insert into notices (environment_id, project_id, kind, cause, endpoint_id, subject_id, details, over_at)
    values (${environmentId}, ${projectId}, ${kind}, ${cause}, ${endpointId}, ${subjectId}, ${writeJson(details)}::text::json,
      case when ${hasNoEnd} then now() end)
    on conflict do nothing`);

/** A notice of a change request. Its recipients are chosen when it is written. */
export type RequestNotice = Pick<NewNotice, "environmentId" | "projectId" | "kind" | "cause"> & {
  details: NoticeDetails & { request: { id: string } };
};

/**
 * Writes a notice for the approvers of a project, except some (`server/model/kernel/environment.ts` has the same rule). It has no end.
 */
export const noteApprovers = (
  tx: Transaction,
  { environmentId, projectId, kind, cause, details }: RequestNotice,
  except: readonly (string | null)[],
) =>
  execute(tx`
    insert into notices (environment_id, project_id, kind, cause, subject_id, for_users, details, over_at)
    select ${environmentId}, p.id, ${kind}, ${cause}, ${details.request.id}::uuid, array(
      select m.user_id from memberships m
      where m.organization_id = p.organization_id and (m.project_id is null or m.project_id = p.id)
        and m.user_id <> all(${except.filter((one) => one !== null)}::uuid[])
        and (coalesce(m.live_role, m.role) in ('Owner', 'Admin') or (m.approves and coalesce(m.live_role, m.role) = 'Editor'))
    ), ${writeJson(details)}::text::json, now()
    from projects p where p.id = ${projectId}
    on conflict do nothing`);

/** Writes such a notice for these people. */
export async function notePeople(
  tx: Transaction,
  { environmentId, projectId, kind, cause, details }: RequestNotice,
  people: readonly (string | null)[],
): Promise<void> {
  const forUsers = people.filter((one) => one !== null);
  await tx`
    insert into notices (environment_id, project_id, kind, cause, subject_id, for_users, details, over_at)
    values (${environmentId}, ${projectId}, ${kind}, ${cause}, ${details.request.id}::uuid, ${forUsers}::uuid[], ${writeJson(details)}::text::json,
      now())
    on conflict do nothing`;
}

/** Notes endpoints whose every attempt has failed for an hour, and for a day, once per outage each. Returns the number of notices. */
export const noteFailingEndpoints = (sql: Sql) =>
  affected(sql`
    insert into notices (environment_id, project_id, kind, cause, endpoint_id, details)
    select e.environment_id, s.project_id, k.kind, e.id || ' ' || extract(epoch from e.failing_since), e.id,
      json_build_object('url', shown_url(e.url), 'since', to_char(e.failing_since, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from webhook_endpoints e join environments s on s.id = e.environment_id
    join projects p on p.id = s.project_id and p.archived_at is null and p.test_of is null
    cross join (values ('EndpointFailingHour', interval '1 hour'), ('EndpointFailingDay', interval '1 day')) as k(kind, patience)
    where e.disabled_at is null and e.failing_since <= now() - k.patience
      and (k.kind = 'EndpointFailingDay' or e.failing_since > now() - interval '1 day')
    on conflict do nothing`);

/**
 * Notes environments with new facts in quarantine since their last notice, at most once an hour; returns the number of notices. The cause
 * is the previous notice, so of two concurrent workers one writes. Facts of the last seconds are left for the next poll, since an earlier
 * one may still be uncommitted.
 */
export const noteQuarantined = (sql: Sql) =>
  affected(sql`
    insert into notices (environment_id, project_id, kind, cause, details)
    select s.id, s.project_id, 'Quarantined', 'after ' || coalesce(last.id::text, 'the beginning'),
      json_build_object('count', q.count, 'since', to_char(q.since, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'until', q.until)
    from (select distinct environment_id from quarantined_facts) found
    join environments s on s.id = found.environment_id
    join projects p on p.id = s.project_id and p.archived_at is null and p.test_of is null
    left join lateral (
      select n.id, n.created_at, (n.details ->> 'until')::timestamptz as until from notices n
      where n.environment_id = s.id and n.kind = 'Quarantined' order by n.created_at desc limit 1
    ) last on true
    cross join lateral (
      select count(*) as count, min(quarantined_at) as since, now() - interval '5 seconds' as until from quarantined_facts f
      where f.environment_id = s.id and f.quarantined_at <= now() - interval '5 seconds'
        and (last.until is null or f.quarantined_at > last.until)
    ) q
    where q.count > 0 and (last.created_at is null or last.created_at <= now() - interval '1 hour')
    on conflict do nothing`);

/** The subjects of notices `n`: an endpoint, a channel or an alert. */
const subjects = (sql: Sql) => sql`
  left join webhook_endpoints e on e.id = n.endpoint_id left join notice_channels c on c.id = n.subject_id
  left join alerts a on a.id = n.subject_id`;

/** Whether the problem of a notice still exists; cases of `n.kind`. */
const stillExists = (sql: Sql) => sql`
  when 'Quarantined' then exists (select from quarantined_facts q where q.environment_id = n.environment_id)
  when 'EndpointSwitchedOff' then coalesce(e.disabled_at is not null, false)
  when 'ChannelSwitchedOff' then coalesce(c.disabled_at is not null, false)
  when 'Alert' then coalesce(a.breached_at is not null and n.cause = a.id || ' ' || a.breaches, false)`;

/** Whether there is a later notice about the same problem. Each notice about a change request is about one of its revisions. */
const hasLater = (sql: Sql) => sql`exists (
  select from notices later
  where n.kind <> 'ChangeRequested' and later.environment_id = n.environment_id and later.created_at > n.created_at and later.over_of is null
    and later.endpoint_id is not distinct from n.endpoint_id and later.subject_id is not distinct from n.subject_id
)`;

/** Notices per statement; the next poll takes the others. */
const MAX_OVER = 1000;

/**
 * Notes the end of problems; returns the number of notices. Each notice is marked once, in the statement that writes the notice of its end,
 * so only one of two concurrent workers writes it. Of several notices about the same problem only the last gets an end.
 */
export const noteOver = (sql: Sql) =>
  affected(sql`
    with ended as (
      update notices n set over_at = now() from (
        select n.id from notices n ${subjects(sql)}
        where n.over_at is null and n.over_of is null and not case n.kind ${stillExists(sql)}
          when 'EndpointFailingHour' then coalesce(e.disabled_at is not null or n.cause = e.id || ' ' || extract(epoch from e.failing_since), false)
          when 'EndpointFailingDay' then coalesce(e.disabled_at is not null or n.cause = e.id || ' ' || extract(epoch from e.failing_since), false)
          else true
        end
        limit ${MAX_OVER} for update of n skip locked
      ) found where n.id = found.id returning n.*
    )
    insert into notices (environment_id, project_id, kind, cause, endpoint_id, subject_id, details, over_of)
    select n.environment_id, n.project_id, n.kind, n.cause || ' over', n.endpoint_id, n.subject_id, n.details, n.id from ended n
    where not ${hasLater(sql)} on conflict do nothing`);

/** A notice as it is shown. `createdAt` is real time, epoch milliseconds. */
export interface NoticeRow {
  id: string;
  kind: NoticeKind;
  createdAt: number;
  endpointId: string | null;
  details: NoticeDetails;
  isOpen: boolean;
  /** False if it reports an event, such as a decision or a used budget, which is never over. */
  hasEnd: boolean;
}

/**
 * The notices of problems of an environment: open ones, then the newest. A notice is open while its endpoint still fails since the same
 * instant or is off, its channel is off, its change request waits, its alert's figure is past the bound, or facts are in quarantine. Of
 * several notices about the same problem only the last is open.
 */
export const selectNotices = (sql: Sql, environmentId: number, limit: number): Promise<NoticeRow[]> =>
  sql<NoticeRow[]>`
    select n.id, n.kind, n.created_at, n.endpoint_id, n.details, case n.kind ${stillExists(sql)}
        when 'ChangeRequested' then exists (
          select from change_requests r where r.id = n.subject_id and r.state = 'Open' and n.cause = r.id || ' ' || r.revision
        )
        else coalesce(e.disabled_at is null and n.cause = e.id || ' ' || extract(epoch from e.failing_since), false)
      end and not ${hasLater(sql)} as is_open, n.kind = 'ChangeRequested' or n.over_at is distinct from n.created_at as has_end
    from notices n ${subjects(sql)}
    where n.environment_id = ${environmentId} and n.over_of is null order by is_open desc, n.created_at desc, n.kind limit ${limit}::int`.execute();
