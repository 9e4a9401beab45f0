-- The id of a delivery, derived from event, source and endpoint: a retried transaction finds its deliveries, and so does a search by
-- player. After a reset of the environment the same sources may occur again, but the ids, which receivers have seen, must be new.
create or replace function webhook_delivery_id(in_event text, in_source_id uuid, in_endpoint_id uuid, in_resets integer) returns uuid
language sql stable as $$
  select overlay(overlay(encode(sha256(convert_to(concat_ws(' ', in_event, in_source_id, in_endpoint_id, nullif(in_resets, 0)), 'UTF8')), 'hex')
    placing '8' from 13) placing 'a' from 17)::varchar(32)::uuid
$$;

-- An endpoint's URL as logs, exports and all who may not edit it see it: its query may be a secret.
create or replace function shown_url(in_url text) returns text immutable parallel safe language sql as $$
  select regexp_replace(in_url, '\?.*', '?…')
$$;

-- The bucket of a webhook attempt's duration in milliseconds (server/model/kernel/durations.ts).
create or replace function webhook_latency(in_ms integer) returns integer immutable parallel safe language sql as $$
  select width_bucket(in_ms, array[1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024, 1448, 2048, 2896, 4096, 5793,
    8192, 11585, 16384, 23170, 32768, 46341, 65536])
$$;

-- The endpoints with pending deliveries, deleted ones too. Steps through the index: one probe for each endpoint, however long its backlog,
-- and a last one, which finds null. Only one index has the order of `order by`.
create or replace function pending_endpoints() returns setof uuid language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
  return query
    with recursive pending(endpoint_id) as (
      (select d.endpoint_id from webhook_deliveries d where d.status = 'Pending' order by d.endpoint_id, d.due_at limit 1)
      union all
      select (
        select d.endpoint_id from webhook_deliveries d
        where d.status = 'Pending' and d.endpoint_id > p.endpoint_id order by d.endpoint_id, d.due_at limit 1
      )
      from pending p where p.endpoint_id is not null
    )
    select p.endpoint_id from pending p where p.endpoint_id is not null;
end $$;

-- The endpoints with pending deliveries and their states (server/delivery/store/sending.ts). At most one row of held deliveries is read,
-- and none of a supplied endpoint: the scan would pass over all leased and recently delivered rows. `exists` was planned as one scan of
-- everything due.
create or replace function webhook_backlogs(in_held_ms float8, in_supplied uuid[]) returns table (endpoint_id uuid, state text)
language plpgsql stable set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off as $$
begin
  return query
    select p.id, case
        when e.id is null then 'Gone'
        when e.disabled_at is null then
          case when p.id = any(in_supplied) or (
            select true from webhook_deliveries d
            where d.endpoint_id = p.id and d.status = 'Pending' and d.due_at <= now()
              and (d.leased_until is null or d.leased_until <= now())
            order by d.due_at limit 1
          ) then 'Due' else 'Waiting' end
        when e.disabled_at <= now() - h.held and (
          select true from webhook_deliveries d
          where d.endpoint_id = p.id and d.status = 'Pending' and d.due_at <= now() - h.held
          order by d.due_at limit 1
        ) then 'HeldTooLong'
        else 'Held'
      end
    from pending_endpoints() p(id)
    cross join (select in_held_ms * interval '1 ms' as held) h
    left join webhook_endpoints e on e.id = p.id;
end $$;

-- Leases due deliveries and returns them, longest due first. Rows that another process has leased or locked are skipped. The rows are found
-- again by `ctid`, which cannot change while they are locked.
create or replace function claim_deliveries(in_quotas json, in_lease_ms float8)
returns table (
  id uuid, endpoint_id uuid, event text, data text, attempts smallint, occurred_at timestamptz, traceparent text,
  url text, secret text, previous_secret text
) language plpgsql set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    with claimed as (
      update webhook_deliveries d set leased_until = now() + in_lease_ms * interval '1 ms'
      from webhook_endpoints e
      where e.id = d.endpoint_id and d.ctid = any(array(
        select due.ctid
        from json_to_recordset(in_quotas) as r("endpointId" uuid, "quota" int)
        join webhook_endpoints active on active.id = r."endpointId" and active.disabled_at is null
        cross join lateral (
          select q.ctid from webhook_deliveries q
          where q.endpoint_id = r."endpointId" and q.status = 'Pending' and q.due_at <= now()
            and (q.leased_until is null or q.leased_until <= now())
          order by q.due_at limit r.quota for update skip locked
        ) due
      ))
      returning d.due_at, d.id, d.endpoint_id, d.event, d.data::text as data, d.attempts, d.occurred_at, d.traceparent, e.url, e.secret,
        case when e.previous_secret_expires_at > now() then e.previous_secret end as previous_secret
    )
    select c.id, c.endpoint_id, c.event, c.data, c.attempts, c.occurred_at, c.traceparent, c.url, c.secret, c.previous_secret
    from claimed c order by c.due_at;
end $$;

-- Records attempts with their responses, the state of their deliveries and the health of their endpoints, all or nothing. An attempt is
-- recorded once. If a lease ran out and two attempts were made, a success counts whenever it arrives. It never lowers the count of
-- attempts, from which the next one takes its number. Returns the endpoints whose attempts have all failed for `in_patience_ms`. Only
-- if some attempts were recorded before does `buckets` look for the others, in a hash table.
create or replace function record_attempts(in_attempts json, in_patience_ms float8) returns setof uuid
language plpgsql set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  return query
    with r as materialized (
      select * from json_to_recordset(in_attempts) as r("deliveryId" uuid, "endpointId" uuid, "number" smallint, "startedAt" float8,
        "durationMs" int, "responseStatus" smallint, "error" text, "status" text, "waitMs" float8,
        "answerHeaders" json, "answerBody" text, "answerIsCut" boolean)
    ),
    saved as (
      update webhook_deliveries d
      set status = r.status, attempts = greatest(d.attempts, r.number), due_at = now() + r."waitMs" * interval '1 ms', leased_until = null,
        given_up = null
      from r
      where d.id = r."deliveryId"
        and ((d.status = 'Pending' and d.attempts = r.number - 1) or (d.status <> 'Delivered' and r.status = 'Delivered'))
      returning d.environment_id, r.*
    ),
    written as (
      insert into webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, error)
      select s."deliveryId", s.number, to_timestamp(s."startedAt" / 1000), s."durationMs", s."responseStatus", s.error from saved s
      on conflict do nothing
      returning delivery_id
    ),
    buckets as (
      select s.environment_id, s."endpointId" as endpoint_id, webhook_latency(s."durationMs") as bucket,
        date_bin('15 minutes', to_timestamp(s."startedAt" / 1000)::timestamptz(3), 'epoch') as quarter, count(*) as attempts,
        count(*) filter (where s."responseStatus" between 200 and 299) as delivered, count(*) filter (where s.number > 1) as retries
      from saved s
      where (select count(*) from written) = (select count(*) from saved) or s."deliveryId" in (select w.delivery_id from written w)
      group by 1, 2, 3, 4
    ),
    counted as (
      insert into analytics_webhooks as w (environment_id, endpoint_id, quarter, attempts, delivered, retries, latencies)
      select environment_id, endpoint_id, quarter, sum(attempts), sum(delivered), sum(retries),
        array(select coalesce(sum(l.attempts), 0)
          from generate_series(0, 32) n left join unnest(array_agg(bucket), array_agg(attempts)) l(bucket, attempts) on l.bucket = n
          group by n order by n)
      from buckets
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (environment_id, endpoint_id, quarter) do update
      set attempts = w.attempts + excluded.attempts, delivered = w.delivered + excluded.delivered, retries = w.retries + excluded.retries,
        latencies = array(select a + b from unnest(w.latencies, excluded.latencies) with ordinality as u(a, b, place) order by place)
    ),
    answered as (
      insert into webhook_answers (delivery_id, number, started_at, headers, body, is_cut)
      select s."deliveryId", s.number, to_timestamp(s."startedAt" / 1000), s."answerHeaders", decode(s."answerBody", 'base64'), s."answerIsCut"
      from saved s where s."answerBody" is not null
      on conflict do nothing
    ),
    seen as (
      select r."endpointId" as id, bool_or(r.status = 'Delivered') as succeeded, to_timestamp(min(r."startedAt") / 1000) as since
      from r group by 1
    ),
    health as (
      update webhook_endpoints e
      set failing_since = case when not seen.succeeded then coalesce(e.failing_since, seen.since) end
      from seen
      where e.id = seen.id and e.disabled_at is null and seen.succeeded <> (e.failing_since is null)
    )
    select e.id from seen join webhook_endpoints e on e.id = seen.id
    where not seen.succeeded and e.disabled_at is null and e.failing_since <= now() - in_patience_ms * interval '1 ms';
end $$;
