-- A writer of players' data holds this lock shared; a reset and an erasure, which delete it, hold it exclusively
-- (server/operations/sandbox/reset.ts, server/operations/privacy/erase.ts). A function takes a new snapshot for each of its statements:
-- reads after the lock see the last commit, even if the calling statement began before.

-- Waits briefly for a running reset, then fails with 55P03: a connection that waits serves no other request. For the same reason the
-- transaction then waits ten seconds for a lock, if it has no limit of its own: ordinary ones hold a row for milliseconds, but a session of
-- other programs may hold it for long. It returns the environment, so that a statement which takes it from here cannot act before it has the
-- lock.
create or replace function hold_players(in_environment_id integer) returns integer language plpgsql as $$
declare
  patience text := coalesce(nullif(current_setting('lock_timeout'), '0'), '10s');
begin
  if not pg_try_advisory_xact_lock_shared(3, in_environment_id) then
    perform set_config('lock_timeout', '2s', true);
    perform pg_advisory_xact_lock_shared(3, in_environment_id);
  end if;
  perform set_config('lock_timeout', patience, true);
  return in_environment_id;
end $$;

-- Whether the players are spread over several machines (db/scale/functions/locks.sql).
create or replace function is_spread() returns boolean immutable parallel safe language sql as $$ select false $$;

-- Transactions that are not committed on all machines of players yet, by name: none on one server.
create or replace function prepared_elsewhere() returns setof text immutable parallel safe language sql as $$ select null::text where false $$;

-- For a caller that caches players: false during a reset or an erasure, and if there was one since the cache was filled.
create or replace function hold_known_players(in_environment_id integer, in_resets integer) returns boolean language plpgsql as $$
begin
  return pg_try_advisory_xact_lock_shared(3, in_environment_id)
    and exists (select from environments e where e.id = in_environment_id and e.resets = in_resets);
end $$;

-- The same for a request whose API key is cached by the process. It returns no row if the key, or anything else that the request was
-- checked against, has changed. Without `rows 1` the statement that calls it is planned for 100,000 events, and anew at each call, since a
-- plan made for the values then looks cheaper: a fifth of PostgreSQL's CPU for an event sent alone.
create or replace function hold_remembered_caller(
  in_environment_id integer, in_resets integer, in_key_hash bytea, in_version bigint, in_clock_offset_ms bigint, in_organization_id uuid,
  in_keeps_bodies boolean, in_now timestamptz
) returns table (real_now timestamptz, is_use_due boolean) language plpgsql rows 1 as $$
begin
  if pg_try_advisory_xact_lock_shared(3, in_environment_id) then
    return query
      select date_trunc('milliseconds', clock_timestamp()), coalesce(k.last_used_at < clock_timestamp() - interval '1 minute', true)
      from api_keys k join environments e on e.id = k.environment_id join projects p on p.id = e.project_id
      where k.hash = in_key_hash and k.revoked_at is null and e.id = in_environment_id and e.resets = in_resets
        and e.definitions_version = in_version and e.clock_offset_ms = in_clock_offset_ms
        and coalesce(e.keeps_bodies, e.kind = 'sandbox') = in_keeps_bodies
        and p.organization_id = in_organization_id and p.archived_at is null
        and clock_timestamp() between in_now - interval '10 s' and in_now + interval '10 s';
  end if;
end $$;
