import { affected, type Sql } from "#db/client.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { arrayText } from "../../model/kernel/stored.ts";
import type { AttemptMade, DeliveryStatus } from "./deliveries.ts";
import type { AnswerHead } from "../../model/webhooks/answer.ts";
import type { Message } from "../../model/webhooks/request.ts";
import type { ClaimQuota } from "../../model/webhooks/fair-scheduler.ts";

/**
 * Runs a statement with a new plan. A prepared statement keeps the plan from when the outbox was small (a scan of the whole table) until
 * statistics are next gathered: that cost two thirds of the throughput after 100,000 deliveries. Planning each set costs 0.3 ms.
 */
const planned = <Row extends object>(sql: Sql, text: string, parameters: (string | number)[] = []): Promise<Row[]> =>
  sql.unsafe<Row[]>(text, parameters, { prepare: false });

/**
 * An endpoint with pending deliveries. `Due`: some can be attempted. `Waiting`: none is due, or other processes have leased them. `Held`:
 * the endpoint is off. `HeldTooLong`: it is off, and some deliveries are to be given up. `Gone`: it was deleted.
 */
export interface Backlog {
  endpointId: string;
  state: "Due" | "Waiting" | "Held" | "HeldTooLong" | "Gone";
}

/**
 * `with recursive`: the endpoints with pending deliveries, found by stepping through the index. One probe for each endpoint, however long
 * its backlog, and a last one, which finds null.
 */
export const PENDING = `pending(endpoint_id) as (
  (select endpoint_id from webhook_deliveries where status = 'Pending' order by endpoint_id limit 1)
  union all
  select (
    select d.endpoint_id from webhook_deliveries d
    where d.status = 'Pending' and d.endpoint_id > p.endpoint_id order by d.endpoint_id limit 1
  )
  from pending p where p.endpoint_id is not null
)`;

/**
 * The endpoints with pending deliveries. At most one row of held deliveries is read. No row of a `supplied` endpoint is read: the scan
 * would pass over all leased and recently delivered rows, 2,100 pages five times a second at full speed, which was a third of PostgreSQL's
 * work.
 */
export function selectBacklogs(sql: Sql, heldMs: number, supplied: readonly string[] = []): Promise<Backlog[]> {
  return planned(
    sql,
    `with recursive ${PENDING}
    select p.endpoint_id, case
        when e.id is null then 'Gone'
        when e.disabled_at is null then
          case when p.endpoint_id = any($2::text::uuid[]) or exists (
            select from webhook_deliveries d
            where d.endpoint_id = p.endpoint_id and d.status = 'Pending' and d.due_at <= now()
              and (d.leased_until is null or d.leased_until <= now())
          ) then 'Due' else 'Waiting' end
        when e.disabled_at <= now() - h.held and exists (
          select from webhook_deliveries d
          where d.endpoint_id = p.endpoint_id and d.status = 'Pending' and d.due_at <= now() - h.held
        ) then 'HeldTooLong'
        else 'Held'
      end as state
    from pending p
    cross join (select $1::float8 * interval '1 ms' as held) h
    left join webhook_endpoints e on e.id = p.endpoint_id
    where p.endpoint_id is not null`,
    [heldMs, arrayText(supplied)],
  );
}

/**
 * Ends deliveries of deleted endpoints, `limit` at most, and returns the count. Locked rows are left for the next poll. The
 * rows are kept.
 */
export async function failOfGone(sql: Sql, endpointIds: readonly string[], limit: number): Promise<number> {
  if (endpointIds.length === 0) return 0;
  return affected(sql`
    update webhook_deliveries set status = 'Failed' where ctid = any(array(
      select q.ctid from webhook_deliveries q where q.endpoint_id in ${sql(endpointIds)} and q.status = 'Pending'
      limit ${limit} for update skip locked
    ))`);
}

/**
 * Gives up deliveries that were held too long, oldest first, `limit` at most, and returns the count. A delivery is held from when it is due
 * and its endpoint is off. If a transaction is switching the endpoint on, this waits for it, and then gives up nothing.
 */
export async function giveUpHeld(sql: Sql, endpointIds: readonly string[], heldMs: number, limit: number): Promise<number> {
  if (endpointIds.length === 0) return 0;
  return affected(sql`
    with off as materialized (
      select id from webhook_endpoints
      where id in ${sql(endpointIds)} and disabled_at <= now() - ${heldMs}::float8 * interval '1 ms' for share
    )
    update webhook_deliveries set status = 'Failed', given_up = 'HeldTooLong' where ctid = any(array(
      select q.ctid from off join webhook_deliveries q on q.endpoint_id = off.id and q.status = 'Pending'
        and q.due_at <= now() - ${heldMs}::float8 * interval '1 ms'
      order by q.due_at limit ${limit} for update of q skip locked
    ))`);
}

/** A delivery that this process may attempt until its lease runs out. `attempts` are those made so far. */
export interface ClaimedRow extends Message {
  endpointId: string;
  url: string;
  /** Encrypted, like the previous one below. */
  secret: string;
  /** Also signs until the overlap of a rotation ends. */
  previousSecret: string | null;
  attempts: number;
  /** The span that wrote it, if traces are recorded. */
  traceparent: string | null;
}

/**
 * Leases due deliveries and returns them, longest due first. Rows that another process has leased or locked are skipped. The rows are found
 * again by `ctid`, which cannot change while they are locked.
 */
export function claimDeliveries(sql: Sql, quotas: readonly ClaimQuota[], leaseMs: number): Promise<ClaimedRow[]> {
  return planned(
    sql,
    `with claimed as (
      update webhook_deliveries d set leased_until = now() + $2::float8 * interval '1 ms'
      from webhook_endpoints e
      where e.id = d.endpoint_id and d.ctid = any(array(
        select due.ctid
        from json_to_recordset($1::text::json) as r("endpointId" uuid, "quota" int)
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
    select id, endpoint_id, event, data, attempts, occurred_at, traceparent, url, secret, previous_secret from claimed order by due_at`,
    [writeJson(quotas), leaseMs],
  );
}

/** Ends the lease of claimed deliveries that a process will not attempt. */
export async function releaseDeliveries(sql: Sql, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`update webhook_deliveries set leased_until = null where status = 'Pending' and id in ${sql(ids)}`;
}

/** The result of an attempt, and its delivery's next state. Times are real. */
export interface AttemptRow extends Omit<AttemptMade, "hasAnswer"> {
  deliveryId: string;
  endpointId: string;
  status: DeliveryStatus;
  /** The wait before the next attempt, for a pending delivery. */
  waitMs: number;
  /** The beginning of the response, to be stored. */
  answer: AnswerHead | null;
}

/**
 * Records attempts with their responses, the state of their deliveries and the health of their endpoints in one statement: a commit per set
 * makes hundreds of responses a second cheap. An attempt is recorded once. If a lease ran out and two attempts were made, a success counts
 * whenever it arrives. The sums look each delivery up by its key: a join of `written` with `saved` was planned as nested loops over both,
 * which took two thirds of the time of a set of 500. Returns the endpoints whose attempts have all failed for `patienceMs`, for
 * `switchOffFailing`.
 */
export async function insertAttempts(sql: Sql, attempts: readonly AttemptRow[], patienceMs: number): Promise<string[]> {
  // Most sets have no responses to store, and planning for them costs time.
  const hasAnswers = attempts.some(({ answer }) => answer !== null);
  const rows = attempts.map(({ answer, ...attempt }) => ({ ...attempt, ...answerFields(answer) }));
  const failing = await planned<{ id: string }>(
    sql,
    `with r as materialized (
      select * from json_to_recordset($1::text::json) as r("deliveryId" uuid, "endpointId" uuid, "number" smallint,
        "startedAt" float8, "durationMs" int, "responseStatus" smallint, "error" text, "status" text, "waitMs" float8
        ${hasAnswers ? `, ${ANSWER_COLUMNS}` : ""})
    ),
    saved as (
      update webhook_deliveries d
      set status = r.status, attempts = r.number, due_at = now() + r."waitMs" * interval '1 ms', leased_until = null,
        given_up = null
      from r
      where d.id = r."deliveryId"
        and ((d.status = 'Pending' and d.attempts = r.number - 1) or (d.status <> 'Delivered' and r.status = 'Delivered'))
      returning d.id
    ),
    written as (
      insert into webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, error)
      select "deliveryId", number, to_timestamp("startedAt" / 1000), "durationMs", "responseStatus", error
      from r join saved on saved.id = r."deliveryId"
      on conflict do nothing
      returning *
    ),
    counted as (
      insert into analytics_webhooks as w (environment_id, endpoint_id, quarter, attempts, delivered, retries, latencies)
      select d.environment_id, d.endpoint_id, date_bin('15 minutes', a.started_at, 'epoch'), count(*),
        count(*) filter (where a.response_status between 200 and 299), count(*) filter (where a.number > 1),
        array(select count(l.bucket) from generate_series(0, 32) n left join unnest(array_agg(webhook_latency(a.duration_ms))) l(bucket) on l.bucket = n
          group by n order by n)
      from written a join webhook_deliveries d on d.id = a.delivery_id
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (environment_id, endpoint_id, quarter) do update
      set attempts = w.attempts + excluded.attempts, delivered = w.delivered + excluded.delivered, retries = w.retries + excluded.retries,
        latencies = array(select a + b from unnest(w.latencies, excluded.latencies) with ordinality as u(a, b, place) order by place)
    ),
    ${hasAnswers ? `answered as (${KEEP_ANSWERS}),` : ""}
    seen as (
      select "endpointId" as id, bool_or(status = 'Delivered') as succeeded, to_timestamp(min("startedAt") / 1000) as since
      from r group by 1
    ),
    health as (
      update webhook_endpoints e
      set failing_since = case when not succeeded then coalesce(failing_since, since) end
      from seen
      where e.id = seen.id and disabled_at is null and succeeded <> (failing_since is null)
    )
    select e.id from webhook_endpoints e join seen on seen.id = e.id
    where not succeeded and disabled_at is null and failing_since <= now() - $2::float8 * interval '1 ms'`,
    [writeJson(rows), patienceMs],
  );
  return failing.map(({ id }) => id);
}

/** The columns of the response among those of a recorded attempt. */
export const ANSWER_COLUMNS = `"answerHeaders" json, "answerBody" text, "answerIsCut" boolean`;

/** The values of `ANSWER_COLUMNS`; null without a response. */
export const answerFields = (answer: AnswerHead | null) =>
  answer === null
    ? { answerBody: null }
    : { answerHeaders: answer.headers, answerBody: Buffer.from(answer.body).toString("base64"), answerIsCut: answer.isCut };

/** Stores the responses of the attempts `r` that were `saved`. Part of the statement that records them, to save a round trip. */
export const KEEP_ANSWERS = `
  insert into webhook_answers (delivery_id, number, started_at, headers, body, is_cut)
  select r."deliveryId", r.number, to_timestamp(r."startedAt" / 1000), r."answerHeaders", decode(r."answerBody", 'base64'), r."answerIsCut"
  from r join saved on saved.id = r."deliveryId" where r."answerBody" is not null
  on conflict do nothing`;

/** The stored beginning of a response; null if none is stored (any more). */
export async function selectAnswer(sql: Sql, deliveryId: string, number: number): Promise<AnswerHead | null> {
  const [row] = await sql<{ headers: Record<string, string>; body: string; isCut: boolean }[]>`
    select headers, encode(body, 'base64') as body, is_cut from webhook_answers
    where delivery_id = ${deliveryId} and number = ${number}`;
  return row === undefined ? null : { ...row, body: Buffer.from(row.body, "base64") };
}

/** Deletes responses older than `keptMs`, `limit` at most, and returns their number. */
export const deleteOldAnswers = (sql: Sql, keptMs: number, limit: number) =>
  affected(sql`
    delete from webhook_answers where ctid = any(array(
      select ctid from webhook_answers where started_at < now() - ${keptMs}::float8 * interval '1 ms'
      order by started_at limit ${limit} for update skip locked
    ))`);
