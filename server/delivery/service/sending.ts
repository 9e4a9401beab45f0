import microdiff from "microdiff";
import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import { SERVICE } from "../../model/kernel/environment.ts";
import type { Span, Tracer } from "../../model/kernel/monitoring.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { note } from "../../people/notices/notices.ts";
import type { WebhookClient } from "../client.ts";
import { headersOf, writeEnvelope } from "../../model/webhooks/request.ts";
import { HELD_FOR_MS, outcomeOf } from "../../model/webhooks/outcome.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { readSigning } from "./secrets.ts";
import {
  type AttemptRow,
  type Backlog,
  type ClaimedRow,
  claimDeliveries,
  deleteOldAnswers,
  failOfGone,
  giveUpHeld,
  insertAttempts,
  releaseDeliveries,
  selectBacklogs,
} from "../store/sending.ts";
import { type SwitchedOff, switchOffFailing } from "../store/endpoints.ts";
import type { ClaimQuota } from "../../model/webhooks/fair-scheduler.ts";
import { forgetListeners } from "./listen.ts";

/** An endpoint whose every attempt has failed for this long is switched off. */
const PATIENCE_MS = 5 * 24 * 60 * 60 * 1000;

/** Deliveries that one poll gives up, which takes about as long as a claim. */
const GIVEN_UP_AT_ONCE = 1000;

/** The result of polling pending deliveries. */
interface Looked {
  due: string[];
  /** Endpoints with pending deliveries that are off or deleted: nothing is sent to them. */
  stopped: string[];
  /** False while more deliveries are to be given up. */
  isThrough: boolean;
}

/**
 * Finds endpoints with due deliveries; `supplied` endpoints, for which enough is claimed, count as due without being read. Also fails
 * pending deliveries of deleted endpoints and gives up those held for thirty days: every process that sends deliveries polls, a worker or a
 * scheduler.
 */
export async function dueEndpoints({ sql }: Database, supplied: readonly string[] = []): Promise<Looked> {
  const backlogs = await selectBacklogs(sql, HELD_FOR_MS, supplied);
  const those = (...states: Backlog["state"][]) =>
    backlogs.filter(({ state }) => states.includes(state)).map(({ endpointId }) => endpointId);
  const ended = await failOfGone(sql, those("Gone"), GIVEN_UP_AT_ONCE);
  const givenUp = await giveUpHeld(sql, those("HeldTooLong"), HELD_FOR_MS, GIVEN_UP_AT_ONCE);
  return {
    due: those("Due"),
    stopped: those("Held", "HeldTooLong", "Gone"),
    isThrough: ended < GIVEN_UP_AT_ONCE && givenUp < GIVEN_UP_AT_ONCE,
  };
}

/** A delivery that this process may attempt until its lease runs out, with its signing secrets. */
export interface Claimed extends Omit<ClaimedRow, "leasedAt"> {
  /** The database's clock minus `performance.now()`: receivers refuse a signature from a machine whose own clock is wrong. */
  clockMs: number;
}

/** The claimed deliveries. `unreadable` are endpoints whose secret this process cannot read; their deliveries were released. */
interface Claims {
  claimed: Claimed[];
  unreadable: string[];
}

/** Claims due deliveries for `leaseMs`; after that any process may claim them again. */
export async function claimDue({ sql }: Database, cipher: SecretCipher, quotas: readonly ClaimQuota[], leaseMs: number): Promise<Claims> {
  const leased = await claimDeliveries(sql, quotas, leaseMs);
  const clockMs = (leased[0]?.leasedAt ?? 0) - performance.now();
  const rows = Map.groupBy(leased, ({ endpointId, secret }) => `${endpointId} ${secret}`);
  const signed = [...rows.values()].map((same) => ({ same, signing: readSigning(cipher, same[0]!.endpointId, same[0]!) }));
  const unreadable = signed.filter(({ signing }) => signing === null).flatMap(({ same }) => same);
  await releaseDeliveries(
    sql,
    unreadable.map(({ id }) => id),
  );
  return {
    claimed: signed.flatMap(({ same, signing }) =>
      signing === null ? [] : same.map(({ leasedAt: _, ...row }) => ({ ...row, ...signing, clockMs })),
    ),
    unreadable: [...new Set(unreadable.map(({ endpointId }) => endpointId))],
  };
}

/** An attempt as it is recorded, and whether the receiver kept it waiting until the time-out. */
export interface Attempt extends AttemptRow {
  timedOut: boolean;
}

/**
 * Posts a delivery once, signed, and interprets the response. Never rejects. It does not use the database: the caller records the result.
 * With tracing, the attempt is a span of the trace that caused it, which is passed on to the receiver.
 */
export async function attemptDelivery(client: WebhookClient, delivery: Claimed, tracer?: Tracer): Promise<Attempt> {
  const span = delivery.traceparent === null ? undefined : tracer?.start(`deliver ${delivery.event}`, "client", delivery.traceparent);
  const began = performance.now();
  const startedAt = Math.round(began + delivery.clockMs);
  const body = writeEnvelope(delivery);
  const { status, retryAfter, error, timedOut, answer } = await client.post(
    delivery.url,
    { ...headersOf(delivery, startedAt, body), ...traceHeader(span) },
    body,
  );
  const number = delivery.attempts + 1;
  span?.end({
    failed: error !== null || status === null || status >= 400,
    attributes: { "engagement.delivery.attempt": number, ...(status === null ? {} : { "http.response.status_code": status }) },
  });
  const outcome = outcomeOf(number, { status, retryAfter }, Math.random());
  return {
    deliveryId: delivery.id,
    endpointId: delivery.endpointId,
    number,
    startedAt,
    durationMs: Math.round(performance.now() - began),
    responseStatus: status,
    error,
    status: outcome.status,
    waitMs: outcome.status === "Pending" ? outcome.waitMs : 0,
    timedOut,
    answer,
  };
}

const traceHeader = (span: Span | undefined): Record<string, string> =>
  span === undefined || span.traceparent === null ? {} : { traceparent: span.traceparent };

/**
 * Records a set of attempts, the beginnings of their responses and the health of their endpoints, all or nothing. Returns the endpoints
 * that it switched off because every attempt has failed for five days. Each is switched off in a separate transaction with its audit entry;
 * after a crash the next attempt does it.
 */
export async function recordAttempts(database: Database, attempts: readonly Attempt[]): Promise<SwitchedOff[]> {
  const failing = await insertAttempts(database.sql, attempts, PATIENCE_MS);
  const switchedOff: SwitchedOff[] = [];
  for (const id of failing) {
    const one = await transact(database, async (tx) => {
      const off = await switchOffFailing(tx, id, PATIENCE_MS);
      if (off === null) return null;
      await recordChange(tx, entryOf(off));
      await note(tx, noticeOf(off));
      return off;
    });
    if (one !== null) switchedOff.push(one);
  }
  return switchedOff;
}

const entryOf = ({ environmentId, projectId, shownUrl, reason }: SwitchedOff) => ({
  projectId,
  environmentId,
  actor: SERVICE,
  action: "switch_off",
  subjectKind: "webhookEndpoint",
  subjectKey: shownUrl,
  difference: microdiff({ active: true }, { active: false, reason }),
});

const noticeOf = ({ id, environmentId, projectId, shownUrl: url, reason, failingSince, disabledAt }: SwitchedOff) => ({
  environmentId,
  projectId,
  endpointId: id,
  kind: "EndpointSwitchedOff" as const,
  cause: `${id} ${formatInstant(disabledAt)}`,
  details: { url, since: formatInstant(failingSince), reason },
});

/** Retention of responses. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Responses deleted per call: some milliseconds of work. */
const AT_ONCE = 500;

/** Deletes a slice of the responses older than thirty days, then of the copies of expired listeners. False while there are more. */
export const forgetOld = async ({ sql }: Pick<Database, "sql">): Promise<boolean> =>
  (await deleteOldAnswers(sql, KEPT_MS, AT_ONCE)) < AT_ONCE && forgetListeners({ sql });
