-- The number of lanes, the indexes of those with waiting facts, and whether fewer than `in_few` facts wait in all. Steps from lane to lane
-- in the index, above the queue's floor (db/schema/worker.ts): PostgreSQL 18 skips to it, older ones pass over the applied facts by the
-- index alone. Planned once, always for the index: the queue may be short when it is planned.
create or replace function waiting_lanes(in_default integer, in_fine_lanes integer, in_few integer)
returns table (count integer, waiting json, are_few boolean) language plpgsql stable rows 1
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
#variable_conflict use_column
begin
  return query
    with recursive lanes(count, width) as (
      select n.count, in_fine_lanes / n.count from (select coalesce((select i.lanes from installation i), in_default) as count) n
    ), waiting(lane) as (
      (select q.lane / l.width from queued_facts q cross join lanes l where q.seq > (select floor from queue_floor) order by q.lane limit 1)
      union all
      select (select q.lane / l.width from queued_facts q
        where q.lane >= (w.lane + 1) * l.width and q.seq > (select floor from queue_floor) order by q.lane limit 1)
      from waiting w cross join lanes l where w.lane is not null
    )
    select l.count, to_json(array(select w.lane from waiting w where w.lane is not null)),
      (select count(*) < in_few from (
        select from queued_facts q where q.seq > (select floor from queue_floor) order by q.lane, q.environment_id, q.seq limit in_few) f)
    from lanes l;
end $$;

-- Raises the queue's floor (db/schema/worker.ts) to its next position, if no fact up to there waits. The caller has seen the end of every
-- transaction that may have taken such a position. The row is locked before the queue is read: a return from the quarantine is seen there,
-- or lowers the floor afterwards.
create or replace function raise_queue_floor(in_seq bigint) returns boolean
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  known bigint;
begin
  select f.floor into known from queue_floor f where f.next = in_seq for no key update skip locked;
  if known is null or exists (select from queued_facts q where q.seq > known and q.seq <= in_seq) then
    return false;
  end if;
  update queue_floor f set floor = greatest(f.floor, in_seq), next = null;
  return true;
end $$;

-- A fact that leaves the quarantine may have returned to the queue, at its old position. The update is made even where it changes nothing:
-- it waits for a transaction that raises the floor without seeing these facts.
create or replace function lower_queue_floor() returns trigger language plpgsql as $$
declare
  first bigint := (select min(g.seq) from gone g);
begin
  if first is not null then
    update queue_floor f set floor = least(f.floor, first - 1);
  end if;
  return null;
end $$;

create or replace trigger quarantined_facts_return after delete on quarantined_facts referencing old table as gone
  for each statement execute function lower_queue_floor();
