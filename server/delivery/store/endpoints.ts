import { affected, execute, firstRow, firstValue, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import { writeJson } from "../../model/kernel/json.ts";

/** An endpoint without its secrets. Instants are real time, epoch milliseconds. */
export interface EndpointRow {
  id: string;
  /** For those who may edit it; all others see `shownUrl` (`shown_url` in db/functions/webhooks.sql). */
  url: string;
  shownUrl: string;
  events: string[];
  revision: number;
  createdAt: number;
  /** The start of an unbroken series of failed attempts; null after a success. */
  failingSince: number | null;
  disabledAt: number | null;
  disabledReason: string | null;
  /** Until when the previous secret also signs; null if none does. */
  previousSecretUntil: number | null;
  /** The prefixes of its encrypted secrets: they tell a cipher whether it can decrypt them. */
  secretPrefix: string;
  previousSecretPrefix: string;
}

/** The part of an encrypted secret before its text (`model/webhooks/secret-cipher.ts`). */
const PREFIX = "^v[0-9]+[.][^.]+[.]";

/** Pending deliveries are counted up to this number. */
const COUNTED = 1000;

const columns = (sql: Sql) => sql`
  e.id, e.url, shown_url(e.url) as shown_url, e.events, e.revision, e.created_at, e.failing_since, e.disabled_at, e.disabled_reason,
  case when e.previous_secret_expires_at > now() then e.previous_secret_expires_at end as previous_secret_until,
  coalesce(substring(e.secret from ${PREFIX}), '') as secret_prefix,
  coalesce(substring(e.previous_secret from ${PREFIX}), '') as previous_secret_prefix`;

/** The endpoints of an environment, oldest first. */
export const selectEndpoints = (sql: Sql, environmentId: number): Promise<EndpointRow[]> =>
  sql<EndpointRow[]>`
    select ${columns(sql)} from webhook_endpoints e where e.environment_id = ${environmentId} order by e.created_at, e.id`.execute();

export const selectEndpoint = (sql: Sql, environmentId: number, id: string) =>
  firstRow(sql<EndpointRow[]>`
    select ${columns(sql)} from webhook_endpoints e where e.environment_id = ${environmentId} and e.id = ${id}`);

/** As `selectEndpoint`, locked until the transaction ends. */
export const lockEndpoint = (tx: Transaction, environmentId: number, id: string) =>
  firstRow(tx<EndpointRow[]>`
    select ${columns(tx)} from webhook_endpoints e where e.environment_id = ${environmentId} and e.id = ${id} for update`);

/** The number of pending deliveries for each of these endpoints, counted up to a thousand. */
export async function countPending(sql: Sql, endpointIds: readonly string[]): Promise<Map<string, number>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await sql<{ id: string; count: number }[]>`
    select e.id, (
      select count(*) from (
        select from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'Pending' limit ${COUNTED}
      ) pending
    ) as count
    from webhook_endpoints e where e.id in ${sql(endpointIds)}`;
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** A new endpoint, with its encrypted secret. */
interface NewEndpoint {
  id: string;
  environmentId: number;
  url: string;
  events: readonly string[];
  secret: string;
}

export const countEndpoints = (sql: Sql, environmentId: number) =>
  onlyValue(sql<{ count: number }[]>`
    select count(*)::int as count from webhook_endpoints where environment_id = ${environmentId}`);

/** Stores an endpoint and returns its shown URL; null if the environment already has one for the fulfillment event. */
export const insertEndpoint = (tx: Transaction, { id, environmentId, url, events, secret }: NewEndpoint) =>
  firstValue(tx<{ shownUrl: string }[]>`
    insert into webhook_endpoints (id, environment_id, url, events, secret)
    values (${id}, ${environmentId}, ${url}, ${events as string[]}, ${secret})
    on conflict do nothing returning shown_url(url) as shown_url`);

/** Stores new settings of an endpoint and returns its shown URL. */
export const updateEndpoint = (tx: Transaction, id: string, { url, events }: Pick<EndpointRow, "url" | "events">) =>
  onlyValue(tx<{ shownUrl: string }[]>`
    update webhook_endpoints set url = ${url}, events = ${events}, revision = revision + 1
    where id = ${id} returning shown_url(url) as shown_url`);

/** Switches an endpoint off with a reason, or on again (null), which resets its health. */
export const switchEndpointRow = (tx: Transaction, id: string, reason: string | null) =>
  execute(tx`
    update webhook_endpoints
    set disabled_at = case when ${reason}::text is not null then now() end, disabled_reason = ${reason}, failing_since = null
    where id = ${id}`);

/** An endpoint that was switched off because all its attempts failed. */
export interface SwitchedOff {
  id: string;
  environmentId: number;
  projectId: string;
  shownUrl: string;
  reason: string;
  /** Real time, epoch milliseconds, like the next member. */
  failingSince: number;
  disabledAt: number;
}

/** Switches an endpoint off if all its attempts have failed for `patienceMs`; null if it is off, deleted or healthy by now. */
export const switchOffFailing = (tx: Transaction, id: string, patienceMs: number) =>
  firstRow(tx<SwitchedOff[]>`
    update webhook_endpoints e
    set disabled_at = now(), disabled_reason = 'Every attempt has failed since ' || to_char(failing_since, 'YYYY-MM-DD HH24:MI "UTC"') || '.'
    from environments s
    where e.id = ${id} and s.id = e.environment_id and disabled_at is null and failing_since <= now() - ${patienceMs}::float8 * interval '1 ms'
    returning e.id, e.environment_id, s.project_id, shown_url(e.url) as shown_url, e.disabled_reason as reason, failing_since, disabled_at`);

/** Deletes an endpoint. The dispatcher then fails its pending deliveries (`failOfGone`). */
export const deleteEndpointRow = (tx: Transaction, id: string) => execute(tx`delete from webhook_endpoints where id = ${id}`);

/** Stores a new encrypted secret; the old one also signs for `overlapMs`. */
export const replaceSecret = (tx: Transaction, id: string, secret: string, overlapMs: number) =>
  execute(tx`
    update webhook_endpoints
    set secret = ${secret}, previous_secret = secret, previous_secret_expires_at = now() + ${overlapMs}::float8 * interval '1 ms'
    where id = ${id}`);

/** The encrypted secrets of an endpoint. */
export interface SecretsRow {
  id: string;
  secret: string;
  previousSecret: string | null;
}

/** Marks an endpoint that is on as healthy. */
export const endFailing = (sql: Sql, id: string) =>
  execute(sql`update webhook_endpoints set failing_since = null where id = ${id} and disabled_at is null and failing_since is not null`);

/** The secrets of all environments that do not have this prefix. Also deletes expired previous secrets. */
export async function selectSecretsUnlike(sql: Sql, prefix: string): Promise<SecretsRow[]> {
  await sql`
    update webhook_endpoints set previous_secret = null, previous_secret_expires_at = null
    where previous_secret_expires_at <= now()`;
  return sql<SecretsRow[]>`
    select id, secret, previous_secret from webhook_endpoints
    where not starts_with(secret, ${prefix}) or not starts_with(previous_secret, ${prefix})`.execute();
}

/** Replaces secrets that are unchanged since they were read (`was`). Returns the number of endpoints. */
export async function exchangeSecrets(sql: Sql, exchanges: readonly (SecretsRow & { was: SecretsRow })[]): Promise<number> {
  if (exchanges.length === 0) return 0;
  return affected(sql`
    update webhook_endpoints e set secret = x.secret, previous_secret = x."previousSecret"
    from json_to_recordset(${writeJson(exchanges)}::text::json) as x("id" uuid, "secret" text, "previousSecret" text, "was" json)
    where e.id = x.id and e.secret = x.was ->> 'secret' and e.previous_secret is not distinct from x.was ->> 'previousSecret'`);
}

/** The URL and the encrypted secrets; null for an unknown endpoint. */
export const selectSigning = (sql: Sql, environmentId: number, id: string) =>
  firstRow(sql<(SecretsRow & { url: string })[]>`
    select id, url, secret, case when previous_secret_expires_at > now() then previous_secret end as previous_secret
    from webhook_endpoints where environment_id = ${environmentId} and id = ${id}`);

/** An hour with attempts. Instants are real time, epoch milliseconds. */
export interface HourRow {
  endpointId: string;
  /** The start of the hour. */
  hour: number;
  succeeded: number;
  failed: number;
  /** The number of attempts by latency bucket (`webhook_latency` in db/functions/webhooks.sql). */
  latencies: number[];
}

/** The hours with attempts of an environment's endpoints since an instant, from the sums that analytics keeps per quarter of an hour. */
export const selectHours = (sql: Sql, environmentId: number, since: number): Promise<HourRow[]> =>
  sql<HourRow[]>`
    with own as (
      select w.endpoint_id, date_trunc('hour', w.quarter, 'UTC') as hour, w.attempts, w.delivered, w.latencies
      from webhook_endpoints e join analytics_webhooks w on w.environment_id = e.environment_id and w.endpoint_id = e.id
      where e.environment_id = ${environmentId} and w.quarter >= ${since}
    ), latencies as (
      select endpoint_id, hour, to_json(array_agg(count order by place)) as counts from (
        select o.endpoint_id, o.hour, n.place, sum(n.count)::int as count
        from own o cross join lateral unnest(o.latencies) with ordinality as n(count, place) group by 1, 2, 3
      ) s group by 1, 2
    )
    select o.endpoint_id, o.hour, sum(o.delivered)::int as succeeded,
      sum(o.attempts - o.delivered)::int as failed, min(l.counts::text)::json as latencies
    from own o join latencies l on l.endpoint_id = o.endpoint_id and l.hour = o.hour
    group by 1, o.hour order by 1, o.hour`.execute();
