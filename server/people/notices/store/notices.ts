import type { Sql, Transaction } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { NoticeDetails, NoticeKind } from "#server/model/notices/kinds.ts";

/** A new notice, unique by its cause. */
export interface NewNotice {
  environmentId: number;
  projectId: string;
  kind: NoticeKind;
  cause: string;
  endpointId: string | null;
  details: NoticeDetails;
}

/** Writes a notice unless its cause already has one. */
export async function insertNotice(
  tx: Transaction,
  { environmentId, projectId, kind, cause, endpointId, details }: NewNotice,
): Promise<void> {
  await tx`
    insert into notices (environment_id, project_id, kind, cause, endpoint_id, details)
    values (${environmentId}, ${projectId}, ${kind}, ${cause}, ${endpointId}, ${writeJson(details)}::text::json)
    on conflict do nothing`;
}

/** Notes endpoints whose every attempt has failed for an hour, and for a day, once per outage each. Returns the number of notices. */
export async function noteFailingEndpoints(sql: Sql): Promise<number> {
  const { count } = await sql`
    insert into notices (environment_id, project_id, kind, cause, endpoint_id, details)
    select e.environment_id, s.project_id, k.kind, e.id || ' ' || extract(epoch from e.failing_since), e.id,
      json_build_object('url', e.url, 'since', to_char(e.failing_since, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from webhook_endpoints e join environments s on s.id = e.environment_id
    join projects p on p.id = s.project_id and p.archived_at is null and p.test_of is null
    cross join (values ('EndpointFailingHour', interval '1 hour'), ('EndpointFailingDay', interval '1 day')) as k(kind, patience)
    where e.disabled_at is null and e.failing_since <= now() - k.patience
      and (k.kind = 'EndpointFailingDay' or e.failing_since > now() - interval '1 day')
    on conflict do nothing`;
  return count;
}

/**
 * Notes environments with new facts in quarantine since their last notice, at most once an hour; returns the number of notices. The cause
 * is the previous notice, so of two concurrent workers one writes. Facts of the last seconds are left for the next poll, since an earlier
 * one may still be uncommitted.
 */
export async function noteQuarantined(sql: Sql): Promise<number> {
  const { count } = await sql`
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
    on conflict do nothing`;
  return count;
}

/** A notice as it is shown. `createdAt` is real time, epoch milliseconds. */
export interface NoticeRow {
  id: string;
  kind: NoticeKind;
  createdAt: number;
  endpointId: string | null;
  details: NoticeDetails;
  isOpen: boolean;
}

/**
 * The notices of an environment: open ones, then the newest. A notice is open while its endpoint still fails since the same instant or is
 * off, or while facts are in quarantine. Of several notices about the same problem only the last is open.
 */
export const selectNotices = (sql: Sql, environmentId: number, limit: number): Promise<NoticeRow[]> =>
  sql<NoticeRow[]>`
    select n.id, n.kind, n.created_at, n.endpoint_id, n.details, case n.kind
        when 'Quarantined' then exists (select from quarantined_facts q where q.environment_id = n.environment_id)
        when 'EndpointSwitchedOff' then coalesce(e.disabled_at is not null, false)
        else coalesce(e.disabled_at is null and n.cause = e.id || ' ' || extract(epoch from e.failing_since), false)
      end and not exists (
        select from notices later
        where later.environment_id = n.environment_id and later.created_at > n.created_at
          and later.endpoint_id is not distinct from n.endpoint_id
      ) as is_open
    from notices n left join webhook_endpoints e on e.id = n.endpoint_id
    where n.environment_id = ${environmentId} order by is_open desc, n.created_at desc, n.kind limit ${limit}::int`.execute();
