-- Who writes what belongs to players of an environment holds this lock shared; a reset, which deletes all of it, holds it
-- alone (server/work/reset.ts). A function has a snapshot of its own for each of its statements: what is read after the
-- lock is what was committed last, also where the statement that calls it began before.

-- Waits for a reset under way, but not for long: a connection that waits is missing to everybody else. Then it fails with
-- 55P03. Answers the environment, so that a statement which takes it from here cannot act before it has the lock.
create function hold_players(in_environment_id integer) returns integer language plpgsql as $$
declare
  patience text := current_setting('lock_timeout');
begin
  if not pg_try_advisory_xact_lock_shared(3, in_environment_id) then
    perform set_config('lock_timeout', '2s', true);
    perform pg_advisory_xact_lock_shared(3, in_environment_id);
    perform set_config('lock_timeout', patience, true);
  end if;
  return in_environment_id;
end $$;
--> statement-breakpoint
-- For who stands on what it knew of the players: false while a reset is under way, and once there was one since.
create function hold_known_players(in_environment_id integer, in_resets integer) returns boolean language plpgsql as $$
begin
  return pg_try_advisory_xact_lock_shared(3, in_environment_id)
    and exists (select from environments e where e.id = in_environment_id and e.resets = in_resets);
end $$;
