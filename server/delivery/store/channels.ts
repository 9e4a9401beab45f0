import { affected, execute, firstRow, firstValue, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import type { ChannelMessage, ChannelType } from "#server/model/notices/channels.ts";
import type { NoticeKind } from "#server/model/notices/kinds.ts";

/** The encrypted URL, and the secret of a signed webhook. */
export interface ChannelSecrets {
  id: string;
  url: string;
  secret: string | null;
}

export interface ChannelRow extends ChannelSecrets {
  type: ChannelType;
  name: string;
  kinds: NoticeKind[];
  revision: number;
  shownUrl: string;
  createdAt: number;
  failingSince: number | null;
  disabledAt: number | null;
  disabledReason: string | null;
}

/** A channel with its last message. */
export interface ListedChannel extends ChannelRow {
  lastAt: number | null;
  lastIsSent: boolean | null;
  lastError: string | null;
}

/** The channels of a project, oldest first. */
export const selectChannels = (sql: Sql, projectId: string): Promise<ListedChannel[]> =>
  sql<ListedChannel[]>`
    select c.id, c.type, c.name, c.kinds, c.revision, c.url, c.secret, c.shown_url, c.created_at, c.failing_since, c.disabled_at, c.disabled_reason,
      m.created_at as last_at, m.sent_at is not null as last_is_sent, m.error as last_error
    from notice_channels c
    left join lateral (
      select created_at, sent_at, error from channel_messages m where m.channel_id = c.id order by m.created_at desc limit 1
    ) m on true
    where c.project_id = ${projectId}::uuid order by c.created_at, c.id`.execute();

/** Locks a channel of a project; null if there is none of this id. */
export const lockChannel = (tx: Transaction, projectId: string, id: string) =>
  firstRow(tx<ChannelRow[]>`
    select id, type, name, kinds, revision, url, secret, shown_url, created_at, failing_since, disabled_at, disabled_reason
    from notice_channels where id = ${id}::uuid and project_id = ${projectId}::uuid for update`);

/** Locks the project, so that no channel is added meanwhile, and returns the number of its channels. */
export async function countChannels(tx: Transaction, projectId: string): Promise<number> {
  await tx`select from projects where id = ${projectId}::uuid for no key update`;
  return onlyValue(tx<{ count: number }[]>`select count(*)::int as count from notice_channels where project_id = ${projectId}::uuid`);
}

type NewChannel = Pick<ChannelRow, "id" | "type" | "name" | "kinds" | "url" | "secret" | "shownUrl"> & { projectId: string };

export const insertChannel = (tx: Transaction, { id, projectId, type, name, kinds, url, secret, shownUrl }: NewChannel) =>
  execute(tx`
    insert into notice_channels (id, project_id, type, name, kinds, url, secret, shown_url)
    values (${id}, ${projectId}, ${type}, ${name}, ${kinds}, ${url}, ${secret}, ${shownUrl})`);

export const updateChannel = (tx: Transaction, id: string, { name, kinds }: Pick<ChannelRow, "name" | "kinds">) =>
  execute(tx`update notice_channels set name = ${name}, kinds = ${kinds}, revision = revision + 1 where id = ${id}`);

/** Switches a channel on, or off for a reason, which gives up its waiting messages. */
export async function switchChannelRow(tx: Transaction, id: string, reason: string | null): Promise<void> {
  await tx`
    update notice_channels set failing_since = null, failures = 0, disabled_reason = ${reason},
      disabled_at = case when ${reason}::text is null then null else now() end
    where id = ${id}`;
  if (reason !== null) await giveUp(tx, id);
}

async function giveUp(tx: Transaction, id: string): Promise<void> {
  await tx`delete from channel_notices where channel_id = ${id} and message is null`;
  await tx`
    update channel_messages set given_up_at = now(), error = coalesce(error, 'The channel is off.')
    where channel_id = ${id} and sent_at is null and given_up_at is null`;
}

export async function deleteChannelRow(tx: Transaction, id: string): Promise<void> {
  await tx`delete from channel_messages where channel_id = ${id}`;
  await tx`delete from channel_notices where channel_id = ${id}`;
  await tx`delete from notice_channels where id = ${id}`;
}

/** Notices filed, or messages begun, per statement; the next poll takes the others. */
const MAX = 1000;

/**
 * Files notices for the channels of their projects that take their kind, each once. The end of a problem goes to the channels that received
 * its beginning, and waits while another process files that. Notices older than a day are not filed, but stay in the dashboard. Returns the
 * number of notices.
 */
export const fileNotices = async (sql: Sql) =>
  (await firstValue(sql<{ count: number }[]>`
    with held as (
      select id from notices where filed_at is null order by created_at limit ${MAX} for update skip locked
    ), fresh as (
      update notices n set filed_at = now()
      where n.id = any(array(select id from held)) and not exists (
        select from notices b where b.id = n.over_of and b.filed_at is null and b.id not in (select id from held))
      returning *
    ), filed as (
      insert into channel_notices (channel_id, notice_id, project_id)
      select c.id, f.id, f.project_id
      from fresh f
      join projects p on p.id = f.project_id and p.archived_at is null
      join notice_channels c on c.project_id = f.project_id and c.disabled_at is null and f.kind = any(c.kinds)
      where f.created_at > now() - interval '1 day' and f.created_at >= c.created_at
        and (f.over_of is null
          or f.over_of in (select b.id from fresh b where b.created_at >= greatest(c.created_at, now() - interval '1 day'))
          or exists (select from channel_notices t where t.channel_id = c.id and t.notice_id = f.over_of))
      on conflict do nothing
    )
    select count(*)::int as count from fresh`)) ?? 0;

export interface WaitingChannel {
  id: string;
  type: ChannelType;
  projectId: string;
  projectSlug: string;
  projectName: string;
}

/** Whether the last message of channel `c` was at least `quietMs` ago. */
const isQuiet = (sql: Sql, quietMs: number) => sql`
  not exists (select from channel_messages m where m.channel_id = c.id and m.created_at > now() - ${quietMs}::float8 * interval '1 ms')`;

/**
 * Locks the next channel whose notices wait, and whose last message was at least `quietMs` ago; null if there is none. Another process may
 * have begun its message between this statement's snapshot and its lock, so `takeWaiting` checks again.
 */
export const lockWaiting = (tx: Transaction, quietMs: number) =>
  firstRow(tx<WaitingChannel[]>`
    select c.id, c.type, p.id as project_id, p.slug as project_slug, p.name as project_name
    from notice_channels c join projects p on p.id = c.project_id
    where c.disabled_at is null and exists (select from channel_notices w where w.channel_id = c.id and w.message is null)
      and ${isQuiet(tx, quietMs)}
    order by c.id limit 1 for update of c skip locked`);

/**
 * Takes the waiting notices of a locked channel into a message; returns the first of them, oldest first, and the number of all: 0 if
 * another process took them.
 */
export async function takeWaiting(
  tx: Transaction,
  channelId: string,
  message: string,
  { quietMs, listed }: { quietMs: number; listed: number },
): Promise<Pick<ChannelMessage, "notices" | "count">> {
  const { count } = await tx`
    update channel_notices w set message = ${message}
    from notice_channels c
    where c.id = ${channelId} and w.channel_id = c.id and w.message is null and ${isQuiet(tx, quietMs)}`;
  const notices = await tx<ChannelMessage["notices"]>`
    select n.id, n.kind, s.kind as environment, n.endpoint_id, n.over_of is not null as is_over, n.details, n.created_at
    from channel_notices w join notices n on n.id = w.notice_id join environments s on s.id = n.environment_id
    where w.channel_id = ${channelId} and w.message = ${message} order by n.created_at, n.id limit ${listed}`;
  return { notices, count };
}

export const insertMessage = (tx: Transaction, { id, projectId }: WaitingChannel, message: string, body: string) =>
  execute(tx`
    insert into channel_messages (id, channel_id, project_id, body) values (${message}, ${id}, ${projectId}, ${body}::text::json)`);

/** A message that this process may post until its lease runs out. */
export interface ClaimedMessage {
  id: string;
  channelId: string;
  organizationId: string;
  type: ChannelType;
  url: string;
  secret: string | null;
  /** The stored bytes, the same for every attempt. */
  body: string;
  createdAt: number;
  /** Attempts, this one included. */
  attempts: number;
  /** When it was leased, by the database's clock. */
  leasedAt: number;
}

/** Attempts that may start: `free` in all, `share` for one organization, with those under way: `busy` names the organization of each. */
export interface Slots {
  free: number;
  share: number;
  busy: readonly string[];
}

/**
 * Leases due messages, of the organizations in turns. One slot of each organization is reserved for channels that are not failing; their
 * messages come first.
 */
export const claimMessages = (sql: Sql, { free, share, busy }: Slots, leaseMs: number): Promise<ClaimedMessage[]> =>
  sql<ClaimedMessage[]>`
    with waiting as (
      select m.id, m.due_at, p.organization_id, (c.failing_since is not null)::int as failing,
        row_number() over (partition by p.organization_id order by c.failing_since is not null, m.due_at)
          + cardinality(array_positions(${busy as string[]}::uuid[], p.organization_id)) as place
      from channel_messages m join projects p on p.id = m.project_id join notice_channels c on c.id = m.channel_id
      where m.sent_at is null and m.given_up_at is null and m.due_at <= now()
    ), due as (
      select m.id, w.organization_id from waiting w join channel_messages m on m.id = w.id
      where w.place <= ${share} - w.failing and m.sent_at is null and m.given_up_at is null and m.due_at <= now()
      order by w.place, w.due_at limit ${free} for update of m skip locked
    ), claimed as (
      update channel_messages m set attempts = m.attempts + 1, due_at = now() + ${leaseMs}::float8 * interval '1 ms'
      from due where m.id = due.id returning m.id, m.channel_id, due.organization_id, m.body, m.created_at, m.attempts
    )
    select m.id, m.channel_id, m.organization_id, c.type, c.url, c.secret, m.body::text as body, m.created_at, m.attempts,
      clock_timestamp() as leased_at
    from claimed m join notice_channels c on c.id = m.channel_id`.execute();

/** Releases a message that was not attempted; it is due again after `waitMs`. */
export const releaseMessage = (sql: Sql, { id }: Pick<ClaimedMessage, "id">, waitMs: number) =>
  execute(sql`
    update channel_messages set attempts = attempts - 1, due_at = now() + ${waitMs}::float8 * interval '1 ms'
    where id = ${id} and sent_at is null`);

/** Records an attempt that was accepted. */
export const recordSent = (sql: Sql, { id }: Pick<ClaimedMessage, "id">) =>
  execute(sql`update channel_messages set sent_at = now(), given_up_at = null, error = null where id = ${id}`);

/** Marks a channel as healthy, which makes its waiting retries due now. */
export async function endFailing(sql: Sql, channelId: string): Promise<void> {
  const { count } = await sql`
    update notice_channels set failing_since = null, failures = 0 where id = ${channelId} and failing_since is not null`;
  if (count === 0) return;
  await sql`
    update channel_messages set due_at = now()
    where channel_id = ${channelId} and sent_at is null and given_up_at is null and error is not null`;
}

/**
 * Records a failed attempt. The next one is due after `waitMs`; null: there is none. Returns whether the channel has only failed for longer
 * and more often than `patience`.
 */
export async function recordFailed(
  tx: Transaction,
  { id, channelId }: Pick<ClaimedMessage, "id" | "channelId">,
  { error, waitMs }: { error: string; waitMs: number | null },
  patience: { ms: number; failures: number },
): Promise<boolean> {
  await tx`
    update channel_messages set error = ${error}, due_at = now() + ${waitMs ?? 0}::float8 * interval '1 ms',
      given_up_at = case when ${waitMs}::float8 is null then now() end
    where id = ${id} and sent_at is null`;
  return (
    (await firstValue(tx<{ isHopeless: boolean }[]>`
    update notice_channels set failing_since = coalesce(failing_since, now()), failures = failures + 1
    where id = ${channelId} and disabled_at is null
    returning failing_since <= now() - ${patience.ms}::float8 * interval '1 ms' and failures >= ${patience.failures} as is_hopeless`)) ??
    false
  );
}

/** The data of the notice that a channel was switched off. */
export const selectChannelPlace = (tx: Transaction, id: string) =>
  firstRow(tx<{ projectId: string; environmentId: number; name: string; failingSince: number }[]>`
    select c.project_id, e.id as environment_id, c.name, coalesce(c.failing_since, now()) as failing_since
    from notice_channels c join environments e on e.project_id = c.project_id and e.kind = 'live' where c.id = ${id}`);

/** Deletes messages older than a month, and entries of notices filed over a year ago, which is how long notices are kept. */
export async function deleteOldMessages(sql: Sql): Promise<void> {
  await sql`delete from channel_messages where created_at < now() - interval '30 days'`;
  await sql`delete from channel_notices where created_at < now() - interval '1 year'`;
}

/** The channels whose URL or secret lacks that prefix. */
export const selectChannelSecretsUnlike = (sql: Sql, prefix: string): Promise<ChannelSecrets[]> =>
  sql<ChannelSecrets[]>`
    select id, url, secret from notice_channels where not starts_with(url, ${prefix}) or not starts_with(secret, ${prefix})`.execute();

/** Replaces URLs and secrets that are unchanged since they were read. Returns the number of channels. */
export async function exchangeChannelSecrets(sql: Sql, exchanges: readonly (ChannelSecrets & { was: ChannelSecrets })[]): Promise<number> {
  if (exchanges.length === 0) return 0;
  return affected(sql`
    update notice_channels c set url = x.url, secret = x.secret
    from json_to_recordset(${writeJson(exchanges)}::text::json) as x("id" uuid, "url" text, "secret" text, "was" json)
    where c.id = x.id and c.url = x.was ->> 'url' and c.secret is not distinct from x.was ->> 'secret'`);
}
