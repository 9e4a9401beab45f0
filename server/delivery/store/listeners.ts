import { affected, execute, firstRow, firstValue, hasRow, onlyRow, type Sql, type Transaction } from "#db/client.ts";
import type { Message } from "../../model/webhooks/request.ts";

/** A listener belongs to one person and one environment, under a name of the person's choice. */
export interface ListenerKey {
  environmentId: number;
  userId: string;
  name: string;
}

/** The listener, locked until the transaction ends; null if there is none. */
export const lockListener = (tx: Transaction, { environmentId, userId, name }: ListenerKey) =>
  firstRow(tx<{ id: string; events: string[] }[]>`
    select id, events from webhook_listeners
    where environment_id = ${environmentId} and user_id = ${userId} and name = ${name} for no key update`);

/** Creates a listener, or lets this session take over an existing one, with these events. */
export const upsertListener = (
  tx: Transaction,
  { environmentId, userId, name, events, session }: ListenerKey & { events: readonly string[]; session: string },
) =>
  execute(tx`
    insert into webhook_listeners (environment_id, user_id, name, events, session)
    values (${environmentId}, ${userId}, ${name}, ${events}, ${session})
    on conflict (environment_id, user_id, name)
    do update set events = excluded.events, session = excluded.session, seen_at = clock_timestamp()`);

/** The number of listeners of an environment, in all and of one person. */
export const countListeners = (tx: Transaction, environmentId: number, userId: string) =>
  onlyRow(tx<{ all: number; own: number }[]>`
    select count(*)::int as "all", (count(*) filter (where user_id = ${userId}))::int as own
    from webhook_listeners where environment_id = ${environmentId}`);

/** Records a poll of a session and drops acknowledged copies. Returns the listener's id; null if it is another session's, or unknown. */
export const acknowledge = (
  sql: Sql,
  { environmentId, userId, name, session, done }: ListenerKey & { session: string; done: readonly string[] },
) =>
  firstValue(sql<{ id: string }[]>`
    with listener as (
      update webhook_listeners set seen_at = clock_timestamp()
      where environment_id = ${environmentId} and user_id = ${userId} and name = ${name} and session = ${session}
      returning id
    ), dropped as (
      delete from webhook_copies c using listener where c.listener_id = listener.id and c.id::text = any(${done}::text[])
    )
    select id from listener`);

/** Whether there is such a listener, of any session. */
export const isListener = (sql: Sql, { environmentId, userId, name }: ListenerKey) =>
  hasRow(sql`select from webhook_listeners where environment_id = ${environmentId} and user_id = ${userId} and name = ${name}`);

/** The waiting copies of a listener, oldest first, with the time by the database's clock. */
export const selectCopies = (sql: Sql, listenerId: string, limit: number): Promise<(Message & { readAt: number })[]> =>
  sql<(Message & { readAt: number })[]>`
    select id, event, data::text as data, occurred_at, clock_timestamp() as read_at
    from webhook_copies where listener_id = ${listenerId} order by created_at, id limit ${limit}`.execute();

/** Deletes listeners that have not polled for `keptMs`, and at most `limit` of their copies and of older ones; returns the number of copies. */
export async function deleteOldListeners(sql: Sql, keptMs: number, limit: number): Promise<number> {
  await sql`delete from webhook_listeners where seen_at < now() - ${keptMs}::float8 * interval '1 ms'`;
  return affected(sql`
    delete from webhook_copies where ctid = any(array(
      select c.ctid from webhook_copies c
      where c.created_at < now() - ${keptMs}::float8 * interval '1 ms'
        or not exists (select from webhook_listeners l where l.id = c.listener_id)
      limit ${limit} for update skip locked
    ))`);
}

/** The number of endpoints and listeners that receive an event, now or once they are on or running again. */
export interface Receivers {
  endpoints: number;
  endpointsOff: number;
  listeners: number;
  listenersGone: number;
}

/** A listener that has not polled for `goneMs` counts as stopped. */
export const countReceivers = (tx: Transaction, environmentId: number, event: string, goneMs: number) =>
  onlyRow(tx<Receivers[]>`
    select e.endpoints, e.endpoints_off, l.listeners, l.listeners_gone
    from (
      select count(*) filter (where disabled_at is null)::int as endpoints, count(*) filter (where disabled_at is not null)::int as endpoints_off
      from webhook_endpoints where environment_id = ${environmentId} and ${event} = any(events)
    ) e cross join (
      select count(*) filter (where is_here)::int as listeners, count(*) filter (where not is_here)::int as listeners_gone
      from (
        select seen_at > clock_timestamp() - ${goneMs}::float8 * interval '1 ms' as is_here
        from webhook_listeners where environment_id = ${environmentId} and ${event} = any(events)
      ) seen
    ) l`);
