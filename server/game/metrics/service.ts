import { randomUUIDv7 } from "node:crypto";
import type { Database } from "#db/client.ts";
import type { Numeric } from "../../model/kernel/decimal.ts";
import { appendRetrying } from "../events/service.ts";
import { beforeZone } from "../players/service/players.ts";
import { type Environment, type RememberedKey, Unconfirmed } from "../../model/kernel/environment.ts";
import { Problem, problem, type ProblemEntry } from "../../model/kernel/problem.ts";
import { inTurns } from "../../engine/turns.ts";
import { keyedMetricEventId, playerKey } from "../../model/players/identity.ts";
import { writeForPlayers } from "../../people/projects/environments.ts";
import { appendMetricEvent, loadMetricEvent, type MetricEventRow } from "./store.ts";
import { judgeReport, type MetricReport } from "../../model/metrics/values.ts";
import { definitionsOf } from "../../engine/definitions.ts";

export { loadLoggedMetricEvent, metricEventsBelow, recentMetricEventsOf, totalsOf } from "./store.ts";

/** A metric event as a backend sends it. */
export interface SentMetricEvent extends MetricReport {
  externalId: string;
  idempotencyKey: string | null;
  timeZone: string | null;
  /** Whether the tail keeps the item, and so its effects are recorded. */
  admitToTail?(accepted: 1): number;
  /** As `remembered` of a batch of events. */
  remembered?: RememberedKey | null;
}

/** The members of a metric event that are right by themselves. */
export interface ValidMetricEvent extends Partial<Pick<MetricReport, "metricKey" | "value">> {
  currencyCode?: string | null | undefined;
  exchangeRate?: Numeric | null | undefined;
  occurredAtUtc?: number;
  properties?: Record<string, unknown> | null | undefined;
}

/** The problems of a metric event by its definitions, for a request that is refused in any case. */
export async function judgeMetricEvent({ sql }: Database, environment: Environment, now: number, valid: ValidMetricEvent) {
  const definitions = await definitionsOf(sql, environment);
  const { metricKey = "", value = 0, currencyCode, exchangeRate, occurredAtUtc = now, properties } = valid;
  const report: MetricReport = {
    metricKey,
    value,
    occurredAt: occurredAtUtc,
    properties: properties ?? {},
    // A wrong code and a wrong rate stand for right ones: no problem follows from them.
    currencyCode: "currencyCode" in valid ? (currencyCode ?? null) : definitions.baseCurrency,
    exchangeRate: "exchangeRate" in valid ? (exchangeRate ?? null) : 1,
  };
  const judged = await inTurns(judgeReport(report, definitions, now));
  return "problems" in judged ? judged.problems.listed : [];
}

interface TakenMetricEvent {
  /** The logged event; for a replay, the original one. */
  event: MetricEventRow;
  /** The instant of receipt of this request, on the environment's clock. */
  receivedAt: number;
}

/**
 * Accepts a metric event: it is in the log, the running total and the queue when this returns. A replayed key returns the original event
 * and the current total, even if it would be refused today. Creates the player. With a `receivedAt` of null it is received
 * when it is appended. Problems: metric.*; event_batch.concurrent_update (nothing written). With a remembered key it throws Unconfirmed
 * instead.
 */
export async function takeMetricEvent(
  database: Database,
  environment: Environment,
  now: number,
  sent: SentMetricEvent,
  receivedAt: number | null = now,
): Promise<TakenMetricEvent> {
  const { sql } = database;
  const definitions = await definitionsOf(sql, environment);
  const key = playerKey(environment.id, sent.externalId);
  const { idempotencyKey, metricKey, occurredAt, remembered = null } = sent;
  const id = idempotencyKey === null ? randomUUIDv7() : keyedMetricEventId(key.playerId, metricKey, idempotencyKey);
  const judged = await inTurns(judgeReport(sent, definitions, now));
  if ("problems" in judged) {
    if (remembered !== null) throw new Unconfirmed();
    const original = idempotencyKey === null ? null : await loadMetricEvent(sql, key, id);
    if (original !== null) return { event: original, receivedAt: now };
    throw new Problem(judged.problems.listed as [ProblemEntry, ...ProblemEntry[]], { more: judged.problems.more });
  }
  const { metric, ...amount } = judged.amount;
  const event = {
    ...key,
    ...amount,
    id,
    definitionId: metric.id,
    externalId: sent.externalId,
    occurredAt,
    timeZone: sent.timeZone,
    isRecorded: sent.admitToTail?.(1) === 1,
  };
  if (sent.timeZone !== null) await beforeZone(database, environment, sent.externalId, sent.timeZone);
  const write = (current: Environment) =>
    appendRetrying(() => appendMetricEvent(sql, current, event, { remembered, readAt: now, receivedAt }));
  const written = await (remembered === null ? writeForPlayers(database, environment, write) : write(environment));
  if (written === undefined) {
    if (remembered !== null) throw new Unconfirmed();
    throw problem(
      "event_batch.concurrent_update",
      "Players are being deleted, by a reset or an erasure. Nothing was written; send the event again.",
    );
  }
  const { total } = written;
  if (total !== null) return { event: { ...event, ...written, total }, receivedAt: written.receivedAt };
  const original = await loadMetricEvent(sql, key, id);
  // If it was purged since the log had it, this one counts.
  return original === null
    ? takeMetricEvent(database, environment, now, sent, receivedAt)
    : { event: original, receivedAt: written.receivedAt };
}
