import { affected, allValues, type Sql } from "#db/client.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { arrayText } from "../../model/kernel/stored.ts";
import type { AttemptMade, DeliveryStatus } from "./deliveries.ts";
import type { AnswerHead } from "../../model/webhooks/answer.ts";
import type { Message } from "../../model/webhooks/request.ts";
import type { ClaimQuota } from "../../model/webhooks/fair-scheduler.ts";

/**
 * An endpoint with pending deliveries. `Due`: some can be attempted. `Waiting`: none is due, or other processes have leased them. `Held`:
 * the endpoint is off. `HeldTooLong`: it is off, and some deliveries are to be given up. `Gone`: it was deleted.
 */
export interface Backlog {
  endpointId: string;
  state: "Due" | "Waiting" | "Held" | "HeldTooLong" | "Gone";
}

/** The endpoints with pending deliveries. No row of a `supplied` endpoint is read; one that is on counts as due. */
export const selectBacklogs = (sql: Sql, heldMs: number, supplied: readonly string[] = []): Promise<Backlog[]> =>
  sql<Backlog[]>`select * from webhook_backlogs(${heldMs}::float8, ${arrayText(supplied)}::text::uuid[])`.execute();

/** Fails pending deliveries of deleted endpoints, `limit` at most, and returns the count. Locked rows are left for the next poll. */
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
  /** When it was leased, by the database's clock. */
  leasedAt: number;
}

/** Leases due deliveries and returns them, longest due first. */
export const claimDeliveries = (sql: Sql, quotas: readonly ClaimQuota[], leaseMs: number): Promise<ClaimedRow[]> =>
  sql<
    ClaimedRow[]
  >`select *, clock_timestamp() as leased_at from claim_deliveries(${writeJson(quotas)}::text::json, ${leaseMs}::float8)`.execute();

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
 * Records attempts with their responses, the state of their deliveries and the health of their endpoints: a commit per set makes hundreds
 * of responses a second cheap. Returns the endpoints whose attempts have all failed for `patienceMs`, for `switchOffFailing`.
 */
export async function insertAttempts(sql: Sql, attempts: readonly AttemptRow[], patienceMs: number): Promise<string[]> {
  const rows = attempts.map(({ answer, ...attempt }) => ({ ...attempt, ...answerFields(answer) }));
  return allValues(sql<{ id: string }[]>`
    select id from record_attempts(${writeJson(rows)}::text::json, ${patienceMs}::float8) as failing(id)`);
}

/** A response as `record_attempts` stores it. */
const answerFields = (answer: AnswerHead | null) =>
  answer === null
    ? {}
    : { answerHeaders: answer.headers, answerBody: Buffer.from(answer.body).toString("base64"), answerIsCut: answer.isCut };

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
